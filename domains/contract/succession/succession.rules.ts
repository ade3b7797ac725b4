import { type Day, addDays, daysBetween, maxDay } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { takeOver } from "../schedule/carry.rules.ts";
import { monthIndex } from "../schedule/months.rules.ts";
import { expandSteps, rentsAt, rentsOver } from "../schedule/steps.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import type { ContractForm, Succession, Terms } from "../terms/terms.contract.ts";
import { isRuled, scheduleOf } from "../terms/terms.rules.ts";

/** What becomes of money: it goes with the lease, or back to who paid it. */
export const MONEY_WAYS = {
  carry: ["转入新合同", "grey"],
  refund: ["退还", "grey"],
} as const;
export type MoneyWay = keyof typeof MONEY_WAYS;

/** What becomes of a deposit that the next contract asks less of. */
export const REST_WAYS = {
  refund: ["退还", "grey"],
  bills: ["抵扣后续账单", "grey"],
} as const;
export type RestWay = keyof typeof REST_WAYS;

/** What of a plan is charged on the signing, its deposit apart: what unused rent pays. It does not hang on the day of signing. */
export const firstCharges = (
  atSigning: Fen,
  bills: readonly { lines: readonly { kind: string; amount: Fen }[] }[],
): Fen =>
  bills
    .flatMap((bill) => bill.lines)
    .reduce((fen, line) => (line.kind === "deposit" ? fen - line.amount : fen), atSigning);

/** A change of room or tenant lies from a week ago to 30 days ahead. */
export const CHANGE_BACK_DAYS = 7;
export const CHANGE_AHEAD_DAYS = 30;

type Room = { roomId: number; monthlyRent: Fen; unitPrice: string | null; area: string | null };
/** A contract as far as the one after it looks at it. */
export type Before = {
  start: Day;
  end: Day;
  anchorDate: Day | null;
  terms: Terms;
  rooms: readonly (Room & { joinDate?: Day | null; leaveDate?: Day | null })[];
};

export const inputOf = (before: Before): ScheduleInput => scheduleOf(before);

/** Rooms that the contract still has on its last day. */
export const roomsLeft = ({ rooms, end }: Before) =>
  rooms.filter((room) => !room.leaveDate || room.leaveDate >= end);

/** Fees that go on: recurring ones over the days that are left, and what stands for keys and cards. */
const feesFrom = (fees: Terms["fees"], day: Day, end: Day): Terms["fees"] =>
  fees
    .filter(
      (fee) => fee.kind !== "once" && (!fee.toDate || fee.toDate >= day) && (fee.fromDate ?? day) <= end,
    )
    .map((fee) => ({ ...fee, fromDate: fee.fromDate && fee.fromDate > day ? fee.fromDate : null }));

/** The terms that a renewal starts from: a fresh rent, no free days, no discounts. */
export function renewalTerms({ terms }: Before, start: Day): Terms {
  const { stepRule, ...kept } = terms;
  const fees = feesFrom(
    terms.fees.filter((fee) => !fee.toDate),
    start,
    start,
  );
  return {
    ...kept,
    fees,
    stepRule: isRuled(terms) && stepRule ? { ...stepRule, from: null } : null,
    steps: [],
    rentFree: [],
    discounts: [],
  };
}

/**
 * Discounts that still run on a day, by hand from now on: an offer is counted once, with the first contract. Free months that are
 * left are a hundred percent off, for nobody gives them by hand.
 */
function discountsFrom({ terms }: Before, input: ScheduleInput, day: Day): NonNullable<Terms["discounts"]> {
  const index = (on: Day) => monthIndex(input.anchorDate, on);
  const gone = index(day) - index(input.start);
  return (terms.discounts ?? []).flatMap((d) => {
    const free = d.kind === "firstMonths";
    const until = free ? (d.fromMonth ?? 1) + Number(d.value) - 1 : d.toMonth;
    const last = until ? until - gone : null;
    if ((d.kind === "amount" && !d.everyMonth) || (last !== null && last < 1)) return [];
    const reason = d.reason || `原合同优惠 ${d.name}`.slice(0, 100);
    const fromMonth = Math.max(1, (d.fromMonth ?? 1) - gone);
    const from = d.activityId ?? d.fromActivityId;
    const offer = { activityId: null, activityVersion: null, ...(from && { fromActivityId: from }) };
    const all = free && { kind: "percent" as const, value: "100" };
    return [{ ...d, ...offer, ...all, fromMonth, toMonth: last, reason }];
  });
}

const freeFrom = ({ terms }: Before, day: Day): Terms["rentFree"] =>
  terms.rentFree
    .filter((free) => free.toDate >= day)
    .map((free) => ({ ...free, fromDate: maxDay(free.fromDate, day) }));

/** The same lease for another tenant from a day on: rents and steps as they would have gone on. */
export function tenantTerms(before: Before, day: Day): { terms: Terms; rooms: ContractForm["rooms"] } {
  const input = inputOf(before);
  const several = input.rooms.length > 1;
  const steps = rentsOver(input)
    .filter((row) => row.fromDate > day)
    .flatMap(({ fromDate, rooms }) =>
      rooms.map((rent, i) => ({
        ...(several && { roomId: input.rooms[i]!.roomId }),
        fromDate,
        mode: "table" as const,
        value: String(rent),
        resultRent: rent,
        source: "manual" as const,
      })),
    );
  const rents = rentsAt(input, day);
  // the next tenant opens on a day of his own
  const { openOn: _, ...kept } = before.terms;
  return {
    terms: {
      ...kept,
      fees: feesFrom(before.terms.fees, day, before.end),
      stepRule: null,
      steps,
      rentFree: freeFrom(before, day),
      discounts: discountsFrom(before, input, day),
    },
    rooms: before.rooms.map(({ roomId, unitPrice }, i) => ({
      roomId,
      monthlyRent: rents[i]!.monthlyRent,
      unitPrice,
    })),
  };
}

/** The same lease in another room: a new rent, and the rule by which it rises goes on from its next day. */
export function roomTerms(before: Before, day: Day): Terms {
  const input = inputOf(before);
  // another shop is opened on another day, and has another area
  const { openOn: _, ...agreed } = before.terms;
  const terms = { ...agreed, fees: agreed.fees.map(({ unitPrice: _price, ...fee }) => fee) };
  const next =
    isRuled(terms) && terms.stepRule
      ? expandSteps(input, terms.stepRule).find((step) => step.fromDate > day)?.fromDate
      : undefined;
  return {
    ...terms,
    fees: feesFrom(terms.fees, day, before.end),
    stepRule: next && terms.stepRule ? { ...terms.stepRule, from: next } : null,
    steps: [],
    rentFree: freeFrom(before, day),
    discounts: discountsFrom(before, input, day),
  };
}

/** The terms that are the store's own and that no bill of the lease is planned by. */
export const leavingTerms = ({
  graceDays,
  lateFeeDailyRate,
  lateFeeCapPercent,
  noticeDays,
  leaveDayCharged,
  penaltyRule,
  penaltyMonths,
  penaltyPercent,
  penaltyCapMonths,
  rentFreeClawback,
  holdoverPercent,
}: Terms) => ({
  graceDays,
  lateFeeDailyRate,
  lateFeeCapPercent,
  noticeDays,
  leaveDayCharged,
  penaltyRule,
  penaltyMonths,
  penaltyPercent,
  penaltyCapMonths,
  rentFreeClawback,
  holdoverPercent,
});

/** What the month that is cut in two has cost already; of another room the old room's share counts for the new. */
export function carriedOver(
  before: Before,
  kind: Exclude<Succession, "renewal">,
  day: Day,
  rooms: readonly { roomId: number }[],
): { anchorDate: Day; carriedDays: number; carried: ReturnType<typeof takeOver>["carried"] | null } {
  const { anchorDate, carriedDays, carried } = takeOver(inputOf(before), day);
  if (kind === "changeTenant" || !carried) return { anchorDate, carriedDays, carried: carried ?? null };
  const of = new Map(before.rooms.map((room, i) => [room.roomId, rooms[i]?.roomId ?? room.roomId]));
  return {
    anchorDate,
    carriedDays,
    carried: carried.map((row) => ({
      ...row,
      roomId: row.roomId === null ? null : (of.get(row.roomId) ?? row.roomId),
    })),
  };
}

/** Why a day of change cannot be, or nothing. */
export function dayRefusal(before: Pick<Before, "start" | "end">, day: Day, today: Day): string | undefined {
  if (day < addDays(today, -CHANGE_BACK_DAYS) || day > addDays(today, CHANGE_AHEAD_DAYS))
    return `生效日须在今天前${CHANGE_BACK_DAYS}天至后${CHANGE_AHEAD_DAYS}天内`;
  if (day <= before.start || day > before.end) return "生效日须在原租期内，且晚于起租日";
  return undefined;
}

/** Why a lease with overdue bills is not renewed where its store asks for them to be paid first, or nothing. */
export const arrearsRefusal = (needsPaid: boolean, overdue: Fen): string | undefined =>
  needsPaid && overdue > 0 ? `欠费 ${yuan(overdue)} 元，结清后方可续租` : undefined;

/** Why a lease cannot be renewed yet, or nothing: offers may be made from so many days before its end. */
export function windowRefusal(end: Day, today: Day, windowDays: number): string | undefined {
  const left = daysBetween(today, end);
  return left > windowDays ? `距到期还有 ${left} 天，未到可续租时间` : undefined;
}
