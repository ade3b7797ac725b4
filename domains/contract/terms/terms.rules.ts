import { maxDay, minDay, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { anchorFor } from "../schedule/months.rules.ts";
import { expandSteps, rentsOver } from "../schedule/steps.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import type { ContractForm, TakeOver, Terms } from "./terms.contract.ts";

/** A room as the contract copies it, so that later edits of the room change nothing. */
export type LetRoom = {
  roomId: number;
  monthlyRent: number;
  unitPrice: string | null;
  area: string | null;
  joinDate?: Day | null;
  leaveDate?: Day | null;
};

export type Agreed = {
  start: Day;
  end: Day;
  anchorDate?: Day | null;
  terms: Terms;
  rooms: readonly LetRoom[];
  termsVersion?: number;
};

/** What the pure schedule is planned from: the same in the browser, in the server's preview and at signing. */
export function scheduleOf({
  start,
  end,
  anchorDate,
  terms,
  rooms,
  termsVersion = 1,
}: Agreed): ScheduleInput {
  const input: ScheduleInput = {
    start,
    end,
    anchorDate: terms.takeOver?.anchorDate ?? anchorDate ?? anchorFor(start, terms.calendarPeriods),
    calendarPeriods: terms.calendarPeriods,
    cycleMonths: terms.cycleMonths,
    pricing: terms.pricing,
    basis: terms.basis,
    rentRounding: terms.rentRounding,
    rooms: rooms.map(({ roomId, monthlyRent, unitPrice, area, joinDate, leaveDate }) => ({
      roomId,
      monthlyRent,
      unitPrice,
      area,
      joinDate: joinDate ?? start,
      leaveDate: leaveDate ?? null,
    })),
    steps: terms.steps,
    rentFree: terms.rentFree,
    fees: terms.fees.map((fee) => ({ ...fee, payer: fee.payer ?? "party" })),
    discounts: terms.discounts ?? [],
    deposit: terms.deposit,
    due: terms.due,
    billGrouping: terms.billGrouping,
    ...(terms.billPerRoom && { billPerRoom: true }),
    ...(terms.takeOver && inherited(terms.takeOver)),
    termsVersion,
  };
  return isRuled(terms)
    ? { ...input, steps: [...terms.steps, ...expandSteps(input, terms.stepRule, terms.steps)] }
    : input;
}

const inherited = ({ carriedDays, carried, deposit }: TakeOver) => ({
  depositCarried: deposit,
  carriedDays,
  ...(carried && { carried }),
});

/**
 * Whether the rents rise by a rule, with the rows as its corrections by hand. Contracts from before rules were kept hold
 * the rule's rows written out: those are what was agreed.
 */
export const isRuled = <T extends Pick<Terms, "stepRule" | "steps">>(
  terms: T,
): terms is T & { stepRule: NonNullable<T["stepRule"]> } =>
  Boolean(terms.stepRule) && !terms.steps.some((step) => step.source === "rule");

const PAY_WORDS: Record<number, string> = { 0: "一次性付清", 6: "半年付", 12: "年付" };
const COUNT = "零一二三四五六七八九十";
const counted = (n: number) => COUNT[n] ?? (n === 11 ? "十一" : n === 12 ? "十二" : String(n));

/** How people name the way of paying: 押一付三, 押一半年付, 押金2,000付三. */
export function payTextOf({ deposit, cycleMonths }: Pick<Terms, "deposit" | "cycleMonths">): string {
  const months = deposit.mode === "months" ? Number(deposit.months) : Number.NaN;
  const held =
    deposit.mode === "amount"
      ? "押定额"
      : months % 1
        ? `押${Math.floor(months) ? counted(Math.floor(months)) : ""}个半月`
        : `押${counted(months)}`;
  const head = months === 0.5 ? "押半月" : months === 0 ? "免押" : held;
  const pay = PAY_WORDS[cycleMonths] ?? `付${counted(cycleMonths)}`;
  return cycleMonths === 0 ? `${head} ${pay}` : head + pay;
}

/** The terms alone: what is stored with the contract and hashed with its preview. */
export function termsOf(form: ContractForm): Terms {
  const { kind: _n, villageId: _v, partyId: _p, start: _s, end: _e, rooms: _r, ...all } = form;
  const { occupants: _o, ...rest } = all;
  const { managerId: _m, signerId: _g, channel: _c, agentId: _a, titleId: _t, remark: _k, ...terms } = rest;
  return terms;
}

/** The monthly rent in force on a day, over the rooms that are let then: the printed steps count, free days do not. */
export function rentOn(input: ScheduleInput, day: Day): Fen {
  const on = maxDay(day, input.start);
  const { rooms } = rentsOver(input).findLast((r) => r.fromDate <= on)!;
  return input.rooms.reduce(
    (sum, { joinDate, leaveDate }, i) =>
      joinDate <= on && (leaveDate ?? input.end) >= minDay(on, input.end) ? sum + rooms[i]! : sum,
    0,
  );
}
