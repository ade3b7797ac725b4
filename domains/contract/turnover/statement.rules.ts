import type { Day } from "../../../platform/kernel/day.ts";
import { ratio, type Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { contractMonths } from "../schedule/months.rules.ts";
import { rentLines } from "../schedule/rent.rules.ts";
import { weight } from "../schedule/weight.rules.ts";
import { scheduleOf, type Agreed } from "../terms/terms.rules.ts";
import type { ClosedMonth } from "./year.rules.ts";

export const STATEMENT_STATES = {
  draft: ["草稿", "grey"],
  submitted: ["待确认", "gold"],
  confirmed: ["已确认", "green"],
  billed: ["已出账", "blue"],
  corrected: ["已更正", "grey"],
} as const satisfies Words;
export type StatementState = keyof typeof STATEMENT_STATES;

export const STATEMENT_SOURCES = {
  declared: ["商户申报", "grey"],
  pos: ["收银数据", "grey"],
  estimated: ["系统暂估", "grey"],
  audited: ["审定", "grey"],
} as const satisfies Words;

/** Closed: it counts towards the rent, and is only corrected by a new one. */
export const CLOSED = ["confirmed", "billed"] as const satisfies StatementState[];

const NAMES = Object.fromEntries(
  Object.entries(STATEMENT_STATES).map(([state, [title]]) => [state, title]),
) as Record<StatementState, string>;
const same = (row: object) => (row as { status: StatementState }).status;

export const STATEMENT_MOVES = moves<StatementState, object>(NAMES)({
  edit: { label: "修改", from: ["draft", "submitted"], to: same },
  submit: { label: "提交", from: ["draft"], to: "submitted" },
  confirm: { label: "确认", from: ["submitted"], to: "confirmed" },
  /** What waits goes back as it is; what is closed is replaced by a new one. */
  correct: {
    label: "退回更正",
    from: ["submitted", "confirmed", "billed"],
    to: (row) => (same(row) === "submitted" ? "draft" : "corrected"),
  },
  remove: { label: "删除", from: ["draft"], to: "draft" },
});

/** A month of a shop's contract with what the schedule charges for it. */
export type ShopMonth = Omit<ClosedMonth, "net"> & { from: Day; to: Day };

/** Month by month from the start to the end, free days counted as free. */
export function shopMonths(agreed: Agreed): ShopMonth[] {
  const input = scheduleOf(agreed);
  const slices = rentLines(input).flatMap((line) => line.slices);
  return contractMonths(input).map(({ no, from, to, days, monthDays }) => ({
    no,
    from,
    to,
    base: slices.reduce((sum, s) => sum + (s.from >= from && s.to <= to ? s.amount : 0), 0),
    weight: days === monthDays ? ratio(1) : weight(input.basis, days, monthDays),
  }));
}

/** Why a month cannot be declared yet, or at all. */
export const monthRefusal = (month: Pick<ShopMonth, "from" | "to"> | undefined, today: Day) =>
  !month
    ? "该月不在租期内"
    : month.from > today
      ? "不能申报未来月份"
      : month.to > today
        ? `该月 ${month.to} 结束后才能申报`
        : undefined;

/** Mean of the last three closed months, for one that nobody declared. */
export const meanOfThree = (nets: readonly Fen[]): Fen => {
  const last = nets.slice(-3);
  return last.length ? Math.round(last.reduce((sum, net) => sum + net, 0) / last.length) : 0;
};
