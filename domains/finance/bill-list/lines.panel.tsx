import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { Explain } from "../../../platform/console/detail/explain.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { getBill, explainBill, ALLOCATION_KIND, LINE_KIND } from "./bill.contract.ts";
import { Link } from "react-router";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { takenBack } from "../allocation/allocation.rules.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import { percentOf } from "../bill/make.rules.ts";

type Bill = Reply<typeof getBill>;
type Line = Bill["lines"][number];

/** "2026-10-08 ~ 11-07": the year of the end only where it differs. */
export const periodText = (from: string | null, to: string | null): string =>
  from && to ? `${from} ~ ${to.slice(0, 4) === from.slice(0, 4) ? to.slice(5) : to}` : "—";

/** 账单明细: a click on an amount says why it is what it is, and works it out again. */
export function BillLines({ bill }: { bill: Bill }) {
  const [open, setOpen] = useState<number>();
  const shown = bill.lines.filter((l) => l.kind === "normal" || l.kind === "lateFee");
  const sum = (of: (line: Line) => number) => shown.reduce((total, line) => total + of(line), 0);
  const many = new Set(shown.flatMap((l) => l.roomName ?? [])).size > 1;
  return (
    <>
      <h3>账单明细</h3>
      <div className="box">
        <table className="tbl">
          <thead>
            <tr>
              <th>费用</th>
              {many && <th>房间</th>}
              <th>计费期</th>
              <th className="num">单价×数量</th>
              <th className="num">税率</th>
              <th className="num">税额</th>
              <th className="num">已收</th>
              <th className="num">金额</th>
              <th aria-label="说明" />
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <Fragment key={line.id}>
                <tr>
                  <td>{line.subject}</td>
                  {many && <td>{line.roomName}</td>}
                  <td className="dim">{periodText(line.periodStart, line.periodEnd)}</td>
                  <td className="num dim">{line.priced || "—"}</td>
                  <td className="num dim">{line.taxWord}</td>
                  <td className="num">
                    <Money fen={line.tax} />
                  </td>
                  <td className="num">
                    <Money fen={line.settled} />
                  </td>
                  <td className="num">
                    <button
                      type="button"
                      className="linkish"
                      aria-expanded={open === line.id}
                      onClick={() => setOpen(open === line.id ? undefined : line.id)}
                    >
                      {yuan(line.amount)}
                    </button>
                  </td>
                  <td>
                    <IconButton
                      icon={open === line.id ? "up" : "down"}
                      label={`${line.subject}的计算说明`}
                      small
                      size={14}
                      run={() => setOpen(open === line.id ? undefined : line.id)}
                    />
                  </td>
                </tr>
                {open === line.id && (
                  <tr className="more">
                    <td colSpan={many ? 9 : 8}>
                      <Why bill={bill} line={line} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
            <tr className="sum">
              <td colSpan={many ? 5 : 4}>合计</td>
              <td className="num">{yuan(sum((l) => l.tax))}</td>
              <td className="num">{yuan(sum((l) => l.settled))}</td>
              <td className="num">{yuan(sum((l) => l.amount))}</td>
              <td />
            </tr>
          </tbody>
        </table>
      </div>
    </>
  );
}

function Why({ bill, line }: { bill: Bill; line: Line }) {
  const again = useQuery({ ...ask(explainBill, { params: { id: bill.id } }), enabled: false });
  const found = again.data?.lines.find((l) => l.id === line.id);
  const at = again.data && timeInZone(again.data.at).slice(11, 16);
  const same =
    found && at
      ? found.again === null
        ? { text: `${at} 已核对，该金额为约定金额，无需计算`, ok: true }
        : found.diff === 0
          ? { text: `${at} 重算，与账单一致，相差 0.00`, ok: true }
          : { text: `${at} 重算为 ${yuan(found.again)}，与账单相差 ${yuan(found.diff)}`, ok: false }
      : undefined;
  return (
    <Explain
      rows={line.said}
      {...(same && { same })}
      tool={
        <Button size="sm" run={() => again.refetch()}>
          重算
        </Button>
      }
    />
  );
}

/** What was paid on the bill, and what was taken back. */
export const Payments = ({ bill }: { bill: Bill }) => (
  <RowTable
    schema={getBill.reply.shape.allocations}
    rows={bill.allocations}
    emptyText="还没有收款"
    columns={[
      "date",
      {
        key: "kind",
        show: (a) => (
          <>
            {a.undoesId ? (
              <span className="dim">撤销</span>
            ) : (
              <WordTag words={ALLOCATION_KIND} code={a.kind} dot={false} />
            )}
            <span className="dim"> {takenBack(a)}</span>
          </>
        ),
      },
      { key: "flowNo", to: (a) => (a.flowId && a.flowNo ? reach(FLOWS, { id: a.flowId }) : undefined) },
      { key: "channel", show: (a) => (a.channel ? CHANNELS[a.channel][0] : "—") },
      { key: "paidOn", show: (a) => <span className="dim">{a.paidOn ?? "—"}</span> },
      "subject",
      "amount",
      { key: "operator", show: (a) => <span className="dim">{a.operator}</span> },
    ]}
  />
);

/** Correction lines: everything that is not a charge of its own. */
export const adjustments = (bill: Bill) => bill.lines.filter((l) => l.kind === "adjust" || l.kind === "trim");

export const Adjustments = ({ bill }: { bill: Bill }) => (
  <RowTable
    schema={getBill.reply.shape.lines}
    rows={adjustments(bill)}
    emptyText="没有调整"
    columns={[
      {
        own: "at",
        title: "时间",
        show: (l) => <span className="dim">{timeInZone(l.createdAt).slice(0, 16)}</span>,
      },
      {
        own: "kind",
        title: "类别",
        show: (l) => <WordTag words={LINE_KIND} code={l.kind} dot={false} />,
      },
      "subject",
      { key: "amount", title: "金额" },
      { key: "tax", title: "税额" },
      { key: "reason", title: "原因" },
      { own: "operator", title: "操作人", show: (l) => <span className="dim">{l.operator}</span> },
    ]}
  />
);

/** "LS20261105-000087 收款 1,500.00": the number opens the flow. */
function Because({ text, bill }: { text: string; bill: Bill }) {
  const number = /^LS\d{8}-\d+/.exec(text)?.[0];
  const flowId = bill.allocations.find((a) => a.flowNo === number)?.flowId;
  const to = flowId ? reach(FLOWS, { id: flowId }) : undefined;
  if (!number || !to) return text;
  return (
    <>
      <Link to={to}>{number}</Link>
      {text.slice(number.length)}
    </>
  );
}

/** The late fee by segments: from, to, principal, days, rate, fee. */
export function LateFee({ bill }: { bill: Bill }) {
  const { segments, days, total, frozen, expected, capped } = bill.late;
  const none =
    Number(bill.lateFeeRate) > 0 ? `没有滞纳金：应收日后 ${bill.graceDays} 天内付清不计` : "该账单不计滞纳金";
  return (
    <>
      <RowTable
        schema={getBill.reply.shape.late.shape.segments}
        rows={segments}
        emptyText={none}
        columns={[
          "from",
          "to",
          {
            key: "because",
            title: "分段原因",
            show: (s) => (
              <span className="dim">
                <Because text={s.because} bill={bill} />
              </span>
            ),
          },
          { key: "principal", title: "欠款本金" },
          "days",
          {
            own: "rate",
            title: "日利率",
            right: true,
            show: (s) => <span className="dim">{percentOf(s.rate)}</span>,
          },
          { key: "fee", title: "滞纳金" },
        ]}
        sums={{ days, fee: total }}
        sumNote={capped ? "合计，已到上限" : "合计"}
      />
      {segments.length > 0 && (
        <p className="dim" style={{ fontSize: 12, marginTop: 8 }}>
          已入账 {yuan(frozen)}，未入账 {yuan(Math.max(0, expected))}。宽限 {bill.graceDays} 天，日利率{" "}
          {percentOf(bill.lateFeeRate)}，最高为本金的 {bill.lateFeeCap * 100}%。
        </p>
      )}
    </>
  );
}
