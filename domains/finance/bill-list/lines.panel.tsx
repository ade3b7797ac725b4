import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { Explain } from "../../../platform/console/detail/explain.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { explainBill, type getBill } from "./bill.contract.ts";

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
                    <td colSpan={many ? 8 : 7}>
                      <Why bill={bill} line={line} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
            <tr className="sum">
              <td colSpan={many ? 4 : 3}>合计</td>
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
