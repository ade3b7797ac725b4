import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { chineseYuan, yuan } from "../../../platform/kernel/fen.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import { collectionDetail, dailyCollection } from "./collection.contract.ts";
import { CHANNEL_COLUMNS, leftOut } from "./collection.rules.ts";
import "../lock/report.css";

type Props = {
  query: Record<string, string | null | undefined>;
  from: string;
  to: string;
  onDone: () => void;
};

/** Days, and flows, on the sheet; more make it a list that the export serves better. */
const MOST = 200;

/** The day's takings on paper, to be signed off: channels, flows, the sum in words, three signatures. Prints at once. */
export function PrintedDay({ query, from, to, onDone }: Props) {
  const sent = Object.fromEntries(Object.entries(query).filter(([, v]) => v));
  const days = useQuery(ask(dailyCollection, { query: { ...sent, pageSize: MOST, order: "asc" } }));
  const flows = useQuery(
    ask(collectionDetail, { query: { ...sent, pageSize: MOST, sort: "paidAt", order: "asc" } }),
  );
  const villages = useVillages();
  const operator = useOperator();
  const failed = (days.error ?? flows.error) !== null;
  const ready = Boolean(days.data && flows.data && villages.data);
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    if (failed) toast("日报加载失败，请重试", "error");
    if (failed) done.current();
    if (!ready) return;
    const close = () => done.current();
    addEventListener("afterprint", close);
    // after the sheet has been laid out
    const asked = requestAnimationFrame(() => print());
    return () => {
      removeEventListener("afterprint", close);
      cancelAnimationFrame(asked);
    };
  }, [ready, failed]);
  if (!days.data || !flows.data || !villages.data) return null;
  const chosen = String(sent["villageIds"] ?? "")
    .split(",")
    .filter(Boolean);
  const stores = chosen.map((id) => villages.data.find((v) => String(v.value) === id)?.label ?? id);
  const { sums, list } = days.data;
  const [fewerDays, fewerFlows] = [
    leftOut(days.data.total ?? 0, MOST, "前", "天"),
    leftOut(flows.data.total ?? 0, MOST, "前", "笔"),
  ];
  const used = CHANNEL_COLUMNS.filter((c) => (sums?.[c] ?? 0) !== 0 || list.some((row) => row[c] !== 0));
  const amount = (fen: number) => <td className="num">{yuan(fen)}</td>;
  return createPortal(
    <article className="paper">
      <h1>日收款报表</h1>
      <p className="paper__head">
        <span>门店：{stores.join("、") || `全部 ${villages.data.length} 个`}</span>
        <span>日期：{from === to ? from : `${from} 至 ${to}`}</span>
      </p>
      <table>
        <thead>
          <tr>
            <th>日期</th>
            {used.map((c) => (
              <th key={c} className="num">
                {CHANNELS[c][0]}
              </th>
            ))}
            {["合计", "笔数", "冲销", "手续费", "净额", "退款"].map((title) => (
              <th key={title} className="num">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...list, ...(sums && list.length !== 1 ? [{ ...sums, day: "合计", id: 0 }] : [])].map((row) => (
            <tr key={row.id} className={row.id ? "" : "paper__sum"}>
              <td>{row.day}</td>
              {used.map((c) => (
                <td key={c} className="num">
                  {yuan(row[c])}
                </td>
              ))}
              {amount(row.total)}
              <td className="num">{row.flows}</td>
              {amount(row.reversed)}
              {amount(row.fee)}
              {amount(row.net)}
              {amount(row.refund)}
            </tr>
          ))}
        </tbody>
      </table>
      {fewerDays && <p className="paper__head">{fewerDays}合计是全部日期的。</p>}
      <p className="paper__words">
        合计大写：{chineseYuan(sums?.total ?? 0)}
        <span>（{yuan(sums?.total ?? 0)} 元）</span>
      </p>
      <h2>收款明细</h2>
      <table>
        <Heads of={["时间", "流水号", "房间", "客户", "渠道", "费用", "经办人", ["金额", "num"]]} />
        <tbody>
          {flows.data.list.map((row) => (
            <tr key={row.id}>
              <td>{timeInZone(row.paidAt).slice(from === to ? 11 : 5, 16)}</td>
              <td>{row.flowNo}</td>
              <td>{row.roomName ?? row.villageName}</td>
              <td>{row.partyName ?? "—"}</td>
              <td>{CHANNELS[row.channel][0]}</td>
              <td>{row.subjects || "预存款"}</td>
              <td>{row.operatorName}</td>
              {amount(row.amount)}
            </tr>
          ))}
        </tbody>
      </table>
      {fewerFlows && <p className="paper__head">{fewerFlows}</p>}
      <p className="paper__signs">
        <span>经办人：</span>
        <span>店长：</span>
        <span>财务：</span>
        <span>日期：</span>
      </p>
      <p className="paper__foot">
        打印人 {operator?.name}，打印时间 {timeInZone(new Date()).slice(0, 16)}
      </p>
    </article>,
    document.body,
  );
}
