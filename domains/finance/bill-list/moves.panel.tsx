import { Link } from "react-router";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import { ALLOCATION_KIND, LINE_KIND, type getBill } from "./bill.contract.ts";

type Bill = Reply<typeof getBill>;

/** What was paid on the bill, and what was taken back. */
export function Payments({ bill }: { bill: Bill }) {
  if (!bill.allocations.length) return <Empty text="还没有收款" />;
  return (
    <div className="box">
      <table className="tbl tbl--flat">
        <thead>
          <tr>
            <th>日期</th>
            <th>方式</th>
            <th>流水号</th>
            <th>渠道</th>
            <th>支付日</th>
            <th>费用</th>
            <th className="num">金额</th>
            <th>经办人</th>
          </tr>
        </thead>
        <tbody>
          {bill.allocations.map((a) => {
            const to = a.flowId ? reach(FLOWS, { id: a.flowId }) : undefined;
            return (
              <tr key={a.id}>
                <td>{a.date}</td>
                <td>
                  {a.undoesId ? (
                    <span className="dim">撤销</span>
                  ) : (
                    <WordTag words={ALLOCATION_KIND} code={a.kind} dot={false} />
                  )}
                  {a.undone && <span className="dim"> 已撤销</span>}
                </td>
                <td>{to && a.flowNo ? <Link to={to}>{a.flowNo}</Link> : (a.flowNo ?? "—")}</td>
                <td>{a.channel ? CHANNELS[a.channel][0] : "—"}</td>
                <td className="dim">{a.paidOn ?? "—"}</td>
                <td>{a.subject}</td>
                <td className="num">
                  <Money fen={a.amount} />
                </td>
                <td className="dim">{a.operator}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Correction lines: everything that is not a charge of its own. */
export const adjustments = (bill: Bill) => bill.lines.filter((l) => l.kind === "adjust" || l.kind === "trim");

export function Adjustments({ bill }: { bill: Bill }) {
  const lines = adjustments(bill);
  if (!lines.length) return <Empty text="没有调整" />;
  return (
    <div className="box">
      <table className="tbl tbl--flat">
        <thead>
          <tr>
            <th>时间</th>
            <th>类别</th>
            <th>费用</th>
            <th className="num">金额</th>
            <th className="num">税额</th>
            <th>原因</th>
            <th>操作人</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((l) => (
            <tr key={l.id}>
              <td className="dim">{timeInZone(l.createdAt).slice(0, 16)}</td>
              <td>
                <WordTag words={LINE_KIND} code={l.kind} dot={false} />
              </td>
              <td>{l.subject}</td>
              <td className="num">
                <Money fen={l.amount} />
              </td>
              <td className="num">
                <Money fen={l.tax} />
              </td>
              <td className="cut" title={l.reason}>
                {l.reason}
              </td>
              <td className="dim">{l.operator}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
