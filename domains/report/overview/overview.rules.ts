import {
  type Day,
  type Month,
  type Period,
  addToMonth,
  firstOf,
  lastOf,
  monthOf,
} from "../../../platform/kernel/day.ts";
import { greys } from "../../../platform/kernel/words.ts";

export const BASES = greys({ incomeAccrued: "权责", billed: "应收", collected: "实收" });

export type Basis = keyof typeof BASES;

/** Months of a line: the last one and the twelve before it. */
export const LINE_MONTHS = 13;

/** Why a room that could be let is not. */
export const EMPTY_WHY = { free: "可租空置", promised: "预订未住", dirty: "整备中" } as const;

/** For how many days; each class begins at `from`. */
export const EMPTY_DAYS = [
  { title: "0-7 天", from: 0 },
  { title: "8-30 天", from: 8 },
  { title: "31-60 天", from: 31 },
  { title: "60 天以上", from: 61 },
] as const;

export const FUNNEL_STEPS = {
  created: "新增客源",
  following: "开始跟进",
  viewed: "已看房",
  reserved: "已预订",
  signed: "已签约",
} as const;

/** Rooms behind the picture of let rooms. */
export const MOVE_PARTS = {
  start: "期初在租",
  came: "新入住",
  went: "退租",
  end: "期末在租",
  renewed: "期间内续租",
} as const;
export type MovePart = keyof typeof MOVE_PARTS;
export const MOVE_KEYS = Object.keys(MOVE_PARTS) as [MovePart, ...MovePart[]];

/** Contracts that end: all of them, or by whether a renewal is signed. */
export const END_PARTS = { all: "到期合同", renewed: "到期已续租", open: "到期未续租" } as const;
export type EndPart = keyof typeof END_PARTS;
export const END_KEYS = Object.keys(END_PARTS) as [EndPart, ...EndPart[]];

export type EmptyWhy = keyof typeof EMPTY_WHY;
export const EMPTY_KEYS = Object.keys(EMPTY_WHY) as [EmptyWhy, ...EmptyWhy[]];

export type Wanted =
  | { of: "moved"; part: MovePart }
  | { of: "empty"; why?: EmptyWhy; days?: number }
  | { of: "ending"; part: EndPart; month?: Month };

const among = <K extends string>(keys: readonly K[], key: string | undefined): K | undefined =>
  keys.find((k) => k === key);

/** "moved.came", "empty", "empty.dirty", "empty.days2", "ending.open.2026-12"; anything else is nothing. */
export function wantedOf(text: string | null): Wanted | undefined {
  const [of, first, second] = (text ?? "").split(".");
  if (of === "moved") {
    const part = among(MOVE_KEYS, first);
    return part && { of, part };
  }
  if (of === "empty") {
    const why = among(EMPTY_KEYS, first);
    const days = EMPTY_DAYS.findIndex((_, i) => first === `days${i}`);
    return why ? { of, why } : days >= 0 ? { of, days } : first === undefined ? { of } : undefined;
  }
  if (of === "ending") {
    const part = among(END_KEYS, first);
    const month = second && /^\d{4}-(0[1-9]|1[0-2])$/.test(second) ? second : undefined;
    return part && { of, part, ...(month && { month }) };
  }
  return undefined;
}

export function titleOf(wanted: Wanted): string {
  if (wanted.of === "moved") return MOVE_PARTS[wanted.part];
  if (wanted.of === "ending") return `${wanted.month ? `${wanted.month} ` : ""}${END_PARTS[wanted.part]}`;
  if (wanted.why) return EMPTY_WHY[wanted.why];
  return wanted.days === undefined ? "空置房间" : `空置 ${EMPTY_DAYS[wanted.days]!.title}`;
}

/** Days of vacancy of a class, both ends included; open above for the last. */
export const daysOf = (index: number): { from: number; to: number | undefined } => ({
  from: EMPTY_DAYS[index]!.from,
  to: EMPTY_DAYS[index + 1] && EMPTY_DAYS[index + 1]!.from - 1,
});

/** The days on which contracts of a list end: the month that is named, else the page's period. */
export const endingIn = (month: Month | undefined, period: Period): Period =>
  month ? { from: firstOf(month), to: lastOf(month) } : period;

export const monthsAhead = (day: Day): Month[] =>
  Array.from({ length: 12 }, (_, i) => addToMonth(monthOf(day), i + 1));
