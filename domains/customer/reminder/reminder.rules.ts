import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { TEMPLATE_EVENTS } from "../../system/template/template.rules.ts";
import { isQuiet } from "../../system/message/message.rules.ts";
import { QUIET, type Quiet } from "../push/push.rules.ts";

const { any: _hand, ...HAPPENS } = TEMPLATE_EVENTS;
/** What a rule may speak of: what the product has facts for. */
export const EVENTS = HAPPENS;
export type ReminderEvent = keyof typeof EVENTS;

export const RECEIVERS = {
  renter: ["租客", "grey"],
  company: ["企业客户", "grey"],
  merchant: ["商户", "grey"],
  operator: ["员工", "grey"],
} as const satisfies Words;
export type ReceiverKind = keyof typeof RECEIVERS;

/** What holds a bill back besides being paid. */
export const STOPS = {
  disputed: ["有争议", "grey"],
  promised: ["承诺付款日之前", "grey"],
} as const satisfies Words;
export type Stop = keyof typeof STOPS;

export const RULE_STATES = { on: ["启用", "green"], off: ["停用", "grey"] } as const satisfies Words;

/** Why somebody who would be reminded is not. */
export const SKIPS = {
  disputed: "有争议",
  promised: "承诺付款",
  black: "黑名单",
  noAddress: "无手机号",
  noEmail: "无邮箱",
  optedOut: "已退订",
  capped: "已达每月上限",
} as const;
export type Skip = keyof typeof SKIPS;

/** The records an event is about, and the day that its days are counted from. */
export const KIND_OF = {
  billDue: "bill",
  overdue: "bill",
  contractEnd: "contract",
  reservationEnd: "reservation",
} as const satisfies Record<ReminderEvent, string>;
const DAY_OF: Record<ReminderEvent, string> = {
  billDue: "应收日",
  overdue: "应收日",
  contractEnd: "合同到期日",
  reservationEnd: "保留期满",
};
export const ofBills = (event: ReminderEvent): boolean => KIND_OF[event] === "bill";

/** First and last day, before (−) or after the day itself, on which an event can be spoken of. */
const REACH: Record<ReminderEvent, readonly [number, number]> = {
  billDue: [-60, 0],
  overdue: [1, 90],
  contractEnd: [-60, 90],
  // a reservation that is over is not held any more
  reservationEnd: [-60, 0],
};
const USUAL = [-60, -30, -15, -7, -3, -1, 0, 1, 3, 7, 15, 30, 60, 90];
/** Days that people choose from. */
export const usualDays = (event: ReminderEvent | undefined): number[] =>
  USUAL.filter((day) => !event || (day >= REACH[event][0] && day <= REACH[event][1]));

/** Every day of an event. */
export const allDays = (event: ReminderEvent): number[] => {
  const [from, to] = REACH[event];
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
};

/** So many days on which no server ran are made good; what is older would be no reminder any more. */
export const MADE_GOOD = 3;

/** Days between the last that a rule has been through with and today, as far as they are made good. */
export const missedDays = (ranOn: Day | null, today: Day): number =>
  ranOn && ranOn < today ? Math.min(MADE_GOOD, daysBetween(ranOn, today) - 1) : 0;

/**
 * The days of an event that are spoken of today, each with the day of the rule that it stands for: its own, or the last
 * one that was missed. Of a bill that is due in two days the message for three days before still says something true; of
 * one that is overdue by now it would not.
 */
export function spokenOf(
  event: ReminderEvent,
  offsets: readonly number[],
  missed: number,
): { days: number; offset: number }[] {
  const [from, to] = REACH[event];
  const spoken = new Map<number, number>();
  for (const offset of offsets)
    for (let days = offset; days <= offset + missed; days++)
      if (days >= from && days <= to) spoken.set(days, Math.max(spoken.get(days) ?? offset, offset));
  return [...spoken].map(([days, offset]) => ({ days, offset })).toSorted((a, b) => a.days - b.days);
}

/** "前 3 天", "当天", "后 7 天", beside the event that says of what. */
export const dayText = (day: number): string =>
  day === 0 ? "当天" : `${day < 0 ? "前" : "后"} ${Math.abs(day)} 天`;
/** "应收日前 3 天". */
export const dayWords = (event: ReminderEvent, day: number): string => `${DAY_OF[event]}${dayText(day)}`;

/** Why these days cannot be an event's. */
export function daysRefusal(event: ReminderEvent, days: readonly number[]): string | undefined {
  if (new Set(days).size !== days.length) return "提醒日不能重复";
  const [from, to] = REACH[event];
  if (days.every((day) => day >= from && day <= to)) return undefined;
  return `${EVENTS[event][0]}的提醒日须在${dayWords(event, from)}到${dayWords(event, to)}之间`;
}

/** The time of the day a rule goes in a store: what would fall into its quiet hours goes at their end. */
export const goesAt = (sendAt: string, { from, to }: Quiet = QUIET): { at: string; moved: boolean } =>
  isQuiet(sendAt, from, to) ? { at: to, moved: true } : { at: sendAt, moved: false };

/** Whether a rule may go in a store at this time of the day. */
export const timeHasCome = (sendAt: string, clock: string, quiet: Quiet = QUIET): boolean =>
  !isQuiet(clock, quiet.from, quiet.to) && clock >= goesAt(sendAt, quiet).at;
