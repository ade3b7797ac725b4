import { type Day, addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { ActField } from "../../approval/examine/condition.rules.ts";
import { contractMonths } from "../schedule/months.rules.ts";
import { effectiveMonthlyRent } from "../schedule/net.rules.ts";
import { firstRent, rentsOver } from "../schedule/steps.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";

/** How a contract differs from the standard of its store, for conditions and for who approves. */
export type Deal = {
  /** 标价 and 折后月租 of the rooms that have a list price; free days and rises are left out. */
  list: Fen;
  net: Fen;
  /** Percent that `net` lies below `list`, two decimals; 0 where it does not. */
  discount: number;
  months: number;
  depositMonths: number;
  freeDays: number;
};

export const DEAL_FIELDS: readonly ActField[] = [
  { key: "discount", title: "折扣率", kind: "percent" },
  { key: "months", title: "租期月数", kind: "number", unit: "个月" },
  { key: "depositMonths", title: "押金月数", kind: "number", unit: "个月" },
  { key: "freeDays", title: "免租天数", kind: "number", unit: "天" },
];

export type Dealt = {
  contract: { monthlyRent: Fen | null; start: Day | null; end: Day | null } & {
    terms: Pick<Terms, "deposit" | "rentFree" | "turnover">;
  };
  input: ScheduleInput;
  /** List prices a month, room by room as in `input`. */
  lists: readonly (Fen | null)[];
};

const hundredths = (n: number) => Math.round(n * 100) / 100;

/** The rent after discounts against the list price; a later fall counts, a rise does not make up for a discount. */
function againstList({ contract, input, lists }: Dealt): Pick<Deal, "list" | "net" | "discount"> {
  const priced = new Map(input.rooms.map((r, i) => [r.roomId, lists[i] ?? null]));
  const list = [...priced.values()].reduce<Fen>((sum, fen) => sum + (fen ?? 0), 0);
  // a share of the turnover is compared with no list price
  if (list <= 0 || contract.terms.turnover?.rentKind === "turnover") return { list, net: list, discount: 0 };
  const netOf = (steps: ScheduleInput["steps"]) =>
    effectiveMonthlyRent({ ...input, steps, rentFree: [] }).rooms.reduce(
      (sum, room) => sum + (priced.get(room.roomId) === null ? 0 : room.net),
      0,
    );
  // worked out month by month only where something lowers the rent: a company may have two thousand rooms
  const plain = () =>
    input.rooms.reduce((sum, r) => sum + (priced.get(r.roomId) === null ? 0 : firstRent(input, r)), 0);
  const first = input.discounts.length ? netOf([]) : plain();
  const falls = rentsOver(input).some(({ rent }, i, all) => i > 0 && rent < all[i - 1]!.rent);
  const net = falls ? Math.min(first, netOf(input.steps)) : first;
  return { list, net, discount: Math.max(0, hundredths(((list - net) / list) * 100)) };
}

function monthsOf(start: Day, end: Day): number {
  const months = contractMonths({ start, end, anchorDate: start });
  const last = months.at(-1)!;
  return months.length - 1 + hundredths(last.days / last.monthDays);
}

export function depositMonths(deposit: Terms["deposit"], monthlyRent: Fen | null): number {
  if (deposit.mode === "months") return Number(deposit.months);
  return monthlyRent ? hundredths(deposit.amount / monthlyRent) : 0;
}

/** Days on which the rent of a room is free, each counted once. */
function freeDays(ranges: Terms["rentFree"]): number {
  const days = new Set<Day>();
  for (const { fromDate, toDate } of ranges)
    for (let i = daysBetween(fromDate, toDate); i >= 0; i--) days.add(addDays(fromDate, i));
  return days.size;
}

export const dealOf = (of: Dealt): Deal => ({
  ...againstList(of),
  months: monthsOf(of.contract.start!, of.contract.end!),
  depositMonths: depositMonths(of.contract.terms.deposit, of.contract.monthlyRent),
  freeDays: freeDays(of.contract.terms.rentFree),
});

/** What stands behind rent, deposit and term where they differ from the standard; empty where they do not. */
export function differences(deal: Deal, standard: Terms["deposit"], monthlyRent: Fen | null) {
  const usual = depositMonths(standard, monthlyRent);
  return {
    rent: deal.discount
      ? `（折后 ${yuan(deal.net)} 元，低于标价 ${yuan(deal.list)} 元 ${deal.discount}%）`
      : "",
    deposit: deal.depositMonths === usual ? "" : `（${deal.depositMonths} 个月，标准 ${usual} 个月）`,
    term: deal.freeDays ? `，免租 ${deal.freeDays} 天` : "",
  };
}
