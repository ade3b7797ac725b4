import { yuan } from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { isBillable } from "../../finance/bill/make.rules.ts";
import type { Plan } from "../schedule/line.rules.ts";

/** What the terms come to and no bill can hold: many months of a high rent in one period, a deposit of a whole building. */
export function planErrors({ bills }: Pick<Plan, "bills">): FieldError[] {
  const wrong = bills.find((bill) => !isBillable(bill.lines.map((line) => line.amount)));
  if (!wrong) return [];
  const charged = wrong.lines.reduce((sum, line) => sum + Math.max(line.amount, 0), 0);
  return [
    {
      field: wrong.kind === "deposit" ? "deposit" : "cycleMonths",
      msg: `账单“${wrong.title}”合计 ${yuan(charged)} 元，超过99,999,999.99元，请缩短付款周期或降低金额`,
    },
  ];
}
