import type { Fen } from "../../../platform/kernel/fen.ts";
import { USUAL_RULE, type TurnoverRule } from "./rule.contract.ts";
import { CLOSED, type ShopMonth, type StatementState } from "./statement.rules.ts";
import { monthsOwed, yearOf, yearOwed, type Owed } from "./year.rules.ts";

type Given = { id: number; monthNo: number; net: Fen; state: StatementState; charged: Fen };

export const ruleOf = (rule: TurnoverRule | null | undefined): TurnoverRule =>
  rule ?? { ...USUAL_RULE, rentKind: "fixed", bands: [] };

const isClosed = (state: StatementState) => (CLOSED as readonly StatementState[]).includes(state);

/** What closing a month at a turnover comes to: its own figures, and how the contract year's bills change. */
export type Reckoned = { own: Owed; charged: Fen; change: Fen; complete: boolean };

export function reckon(
  rule: TurnoverRule | null | undefined,
  months: readonly ShopMonth[],
  statements: readonly Given[],
  closing: { id: number; monthNo: number; net: Fen },
): Reckoned {
  const year = yearOf(closing.monthNo);
  const inYear = months.filter((m) => yearOf(m.no) === year);
  const others = statements.filter((s) => s.id !== closing.id && isClosed(s.state));
  const nets = new Map([...others, closing].map((s) => [s.monthNo, s.net]));
  const closed = inYear.flatMap((m) => (nets.has(m.no) ? [{ ...m, net: nets.get(m.no)! }] : []));
  const complete = closed.length === inYear.length;
  const charged = statements.reduce((sum, s) => sum + (yearOf(s.monthNo) === year ? s.charged : 0), 0);
  const agreed = ruleOf(rule);
  return {
    own: monthsOwed(agreed, closed).find((m) => m.no === closing.monthNo)!,
    charged,
    change: yearOwed(agreed, closed, complete) - charged,
    complete,
  };
}
