import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Money } from "../../../platform/console/kinds.tsx";
import { periodText } from "../bill/lines.panel.tsx";
import type { previewFlow } from "./receive.contract.ts";

export type Plan = Reply<typeof previewFlow>;

/** What money would pay, line by line, and what stays with the party. */
export const PlanTable = ({ plan }: { plan: Plan }) => (
  <div className="box">
    <table className="tbl tbl--flat">
      <thead>
        <tr>
          <th>费用</th>
          <th>应收日</th>
          <th className="num">未收</th>
          <th className="num">本次</th>
        </tr>
      </thead>
      <tbody>
        {plan.rows.map((row) => (
          <tr key={`${row.billId} ${row.lineId}`}>
            <td>
              {row.subject}{" "}
              <span className="dim">
                {row.lateFee ? row.billNo : periodText(row.periodStart, row.periodEnd)}
              </span>
            </td>
            <td className="dim">{row.dueDate}</td>
            <td className="num">
              <Money fen={row.owed} />
            </td>
            <td className="num">
              <Money fen={row.pay} strong />
            </td>
          </tr>
        ))}
        <tr className="sum">
          <td colSpan={3}>分配合计</td>
          <td className="num">{yuan(plan.paid)}</td>
        </tr>
      </tbody>
    </table>
  </div>
);

/** What else happens with it, in sentences. */
export function PlanNotes({ plan }: { plan: Plan }) {
  const notes = [
    plan.prepaidUsed > 0 && `使用预存款 ${yuan(plan.prepaidUsed)}`,
    plan.toPrepaid > 0 && `转入预存款 ${yuan(plan.toPrepaid)}`,
    plan.fee > 0 && `渠道手续费 ${yuan(plan.fee)}`,
    ...plan.frozen.map((f) => `${f.billNo} 滞纳金 ${yuan(f.amount)} 入账`),
    ...plan.issued.map((b) => `${b.billNo} 将立即出账`),
  ].filter((text) => text !== false);
  return notes.map((text) => (
    <p key={text} className="plan__note">
      {text}
    </p>
  ));
}
