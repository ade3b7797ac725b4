import { type Day, addDays, daysBetween, maxDay, minDay } from "../../../platform/kernel/day.ts";
import {
  AMOUNT_MAX,
  type Fen,
  type Ratio,
  compare,
  decimal,
  halfUp,
  over,
  plus,
  ratio,
  times,
  yuan,
} from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { ActState } from "../act/act.rules.ts";
import { cutAfter } from "../act/cut.rules.ts";
import { type Trimmed, lastChargedDay } from "../schedule/carry.rules.ts";
import { roomScale } from "../schedule/discounts.rules.ts";
import { contractMonths, monthTable } from "../schedule/months.rules.ts";
import { rentsAt } from "../schedule/steps.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";

export const END_REASONS = {
  normal: ["正常到期", "grey"],
  early: ["提前退租", "grey"],
  breachRenter: ["租客违约", "grey"],
  breachLessor: ["出租方违约", "grey"],
  notMovedIn: ["未入住", "grey"],
  badDebt: ["坏账清退", "grey"],
} as const satisfies Words;
export type EndReason = keyof typeof END_REASONS;

export const LINE_KINDS = {
  depositIn: "押金",
  prepaidIn: "预存款",
  creditRent: "未用租金",
  creditFee: "未用费用",
  owed: "欠费",
  lateFee: "滞纳金",
  utility: "水电",
  damage: "赔偿",
  cleaning: "保洁",
  penalty: "违约金",
  clawback: "免租追回",
  holdover: "占用费",
  other: "其他扣款",
} as const;
export type LineKind = keyof typeof LINE_KINDS;

/** A line of a settlement: above nothing for the tenant, below nothing against him. */
export type SettleLine = { kind: LineKind; amount: Fen; title: string; clause: string; formula: string };

/** That nothing is owed is said, too, after all lines; it stands beside what is agreed to and changes no hash. */
export const withOwed = (lines: readonly SettleLine[]): SettleLine[] =>
  lines.some(({ kind }) => kind === "owed" || kind === "lateFee")
    ? [...lines]
    : [...lines, { kind: "owed", amount: 0, title: LINE_KINDS.owed, clause: "", formula: "账单没有欠费" }];

/** Why it is not confirmed although approved and agreed to: it has come to something else since. */
export const RESUBMIT = "结算结果与提交时不一致，请重新提交";

/** Why silence is no agreement yet: whoever has the sheet for so many days and says nothing agrees. */
export const silenceError = (presentedOn: Day | null, today: Day, silentDays: number): string | undefined =>
  presentedOn === null
    ? "请先把结算单送达租客"
    : daysBetween(presentedOn, today) < silentDays
      ? `送达未满${silentDays}天`
      : undefined;

/** Notice can be given this long ahead. */
export const AHEAD_DAYS = 90;

export const MOVED_IN = "已办理入住，不能按未入住退房";

type Asked = {
  leaveDate: Day;
  endReason: EndReason;
  noticeOn?: Day | null | undefined;
  settleOn?: Day | null | undefined;
};
type Held = { start: Day; end: Day; state: string; handoverOn: Day | null };

/**
 * What is wrong with the days of a leaving, or nothing. `notMovedIn` means the day before the term. Late fee is worked out to the
 * day of leaving at least: what has grown by then is nobody's to leave out here.
 */
export function leaveErrors(
  { leaveDate, endReason, noticeOn, settleOn }: Asked,
  { start, end, state, handoverOn }: Held,
  today: Day,
): { field: "effectiveOn" | "endReason" | "noticeOn" | "settleOn"; msg: string } | undefined {
  if (noticeOn && noticeOn > leaveDate) return { field: "noticeOn", msg: "通知日不能晚于退房日" };
  if (settleOn && settleOn < leaveDate) return { field: "settleOn", msg: "结算日不能早于退房日" };
  if (settleOn && settleOn > today) return { field: "settleOn", msg: "结算日不能晚于今天" };
  if (leaveDate > addDays(today, AHEAD_DAYS))
    return { field: "effectiveOn", msg: `退房日不能超过${AHEAD_DAYS}天后` };
  if (leaveDate < addDays(start, -1)) return { field: "effectiveOn", msg: "退房日不能早于租期前一天" };
  if (endReason === "notMovedIn" && handoverOn) return { field: "endReason", msg: MOVED_IN };
  if ((endReason === "notMovedIn") !== leaveDate < start)
    return { field: "endReason", msg: "未入住的退房日为起租日前一天" };
  if (state !== "expired" && leaveDate > end)
    return { field: "effectiveOn", msg: `退房日不能晚于到期日 ${end}` };
  if (endReason === "normal" && leaveDate < end)
    return { field: "endReason", msg: "退房日早于到期日，请选择提前退租或其他类型" };
  if (endReason === "early" && leaveDate >= end)
    return { field: "endReason", msg: "退房日不早于到期日，请选择正常到期" };
  return undefined;
}

/** The contract's charges cut on the day of leaving. */
export const cutOff = (input: ScheduleInput, terms: Terms, leaveDate: Day, paidTo: Day | null): Trimmed =>
  cutAfter(input, minDay(lastChargedDay(leaveDate, terms.leaveDayCharged), input.end), paidTo);

/** The first n days of a month of D days at each room's rent of a day, exact. */
function weighed(input: ScheduleInput, day: Day, n: number, monthDays: number): Ratio {
  return rentsAt(input, day).reduce((sum, room) => {
    const scale = roomScale(input, room);
    return plus(
      sum,
      times(ratio(room.monthlyRent), ratio(scale.units(n, monthDays), scale.whole(monthDays))),
    );
  }, ratio(0));
}

const monthlyRentOn = (input: ScheduleInput, day: Day): Fen =>
  rentsAt(input, day).reduce((sum, room) => sum + room.monthlyRent, 0);

/** Days of the contract month that holds a day. */
function monthDaysAt(input: ScheduleInput, day: Day): number {
  const { starts } = monthTable({ ...input, start: day, end: day });
  return starts[1]! - starts[0]!;
}

export type Worked = { amount: Fen; formula: string };
const worked = (amount: Fen, formula: string): Worked | undefined =>
  amount > 0 ? { amount, formula } : undefined;

type Leaving = {
  input: ScheduleInput;
  terms: Terms;
  leaveDate: Day;
  endReason: EndReason;
  noticeOn: Day | null;
  trimmed: Trimmed;
  depositHeld: Fen;
};

const OWES_PENALTY: readonly EndReason[] = ["early", "breachRenter", "notMovedIn"];

/** 违约金 by the terms, where the tenant leaves before the end. */
export function penaltyOf({
  input,
  terms,
  leaveDate,
  endReason,
  noticeOn,
  trimmed,
  depositHeld,
}: Leaving): Worked | undefined {
  if (!OWES_PENALTY.includes(endReason)) return undefined;
  const day = maxDay(minDay(leaveDate, input.end), input.start);
  const rent = monthlyRentOn(input, day);
  switch (terms.penaltyRule) {
    case "none":
      return undefined;
    case "forfeitDeposit":
      return worked(depositHeld, "押金不退");
    case "months": {
      const amount = halfUp(times(ratio(rent), decimal(terms.penaltyMonths)));
      return worked(amount, `${yuan(rent)} × ${terms.penaltyMonths} 个月`);
    }
    case "remainingPercent": {
      const rest = trimmed.rows.reduce((sum, r) => sum + (r.line.feeKey === "rent" ? r.back : 0), 0);
      const share = halfUp(over(times(ratio(rest), ratio(terms.penaltyPercent)), ratio(100)));
      const cap = Number(terms.penaltyCapMonths)
        ? halfUp(times(ratio(rent), decimal(terms.penaltyCapMonths)))
        : Number.MAX_SAFE_INTEGER;
      const most = share > cap ? `，封顶 ${terms.penaltyCapMonths} 个月租金` : "";
      return worked(
        Math.min(share, cap),
        `剩余租金 ${yuan(rest)} × ${terms.penaltyPercent}% = ${yuan(share)}${most}`,
      );
    }
    case "noticeShort": {
      const given = noticeOn ? Math.max(0, daysBetween(noticeOn, leaveDate)) : 0;
      const short = Math.max(0, terms.noticeDays - given);
      return worked(
        halfUp(daysCost(input, leaveDate, short)),
        `通知 ${given} 天，应 ${terms.noticeDays} 天，不足 ${short} 天的租金`,
      );
    }
  }
}

/** What so many days cost at the rent of a day: whole months of the contract, then days of the next one. */
function daysCost(input: ScheduleInput, day: Day, days: number): Ratio {
  let left = days;
  let sum = ratio(0);
  for (let at = day; left > 0;) {
    const monthDays = monthDaysAt(input, at);
    const n = Math.min(left, monthDays);
    sum = plus(sum, weighed(input, day, n, monthDays));
    left -= n;
    at = addDays(at, n);
  }
  return sum;
}

const COMPARED = ["actual", "30", "365"] as const;
/** The ways to count part of a month that a tenant is shown side by side: the three, and that of the contract where it is by area. */
export const comparedBases = (own: Terms["basis"]): readonly Terms["basis"][] =>
  own === "area" ? [...COMPARED, own] : COMPARED;

/** Free days that are charged after all when the tenant leaves early: all of them, or by the days that are not lived out. */
export function clawbackOf({ input, terms, leaveDate, endReason, trimmed }: Leaving): Worked | undefined {
  if (!OWES_PENALTY.includes(endReason) || terms.rentFreeClawback === "none") return undefined;
  const free = trimmed.rows.reduce((sum, { keptLine }) => {
    const why = keptLine?.explain;
    return sum + (keptLine?.feeKey === "rent" && why?.rule === "free" ? why.forgone : 0);
  }, 0);
  if (terms.rentFreeClawback === "full") return worked(free, `已享受的免租 ${yuan(free)}`);
  const term = daysBetween(input.start, input.end) + 1;
  const rest = daysBetween(maxDay(leaveDate, addDays(input.start, -1)), input.end);
  return worked(
    halfUp(times(ratio(free), ratio(rest, term))),
    `${yuan(free)} × 未住 ${rest} 天 ÷ 租期 ${term} 天`,
  );
}

/** What offers that are taken back on leaving early have taken off until then, offer by offer; `items` are their places in the terms. */
export function offersBack(
  { endReason, trimmed }: Pick<Leaving, "endReason" | "trimmed">,
  items: ReadonlyMap<number, string>,
): (Worked & { name: string })[] {
  if (!OWES_PENALTY.includes(endReason)) return [];
  return [...items].flatMap(([item, name]) => {
    const used = trimmed.rows.reduce(
      (sum, { keptLine }) =>
        sum - (keptLine?.kind === "discount" && keptLine.item === item ? keptLine.amount : 0),
      0,
    );
    return used > 0 ? [{ name, amount: used, formula: `已享受的优惠 ${yuan(used)}` }] : [];
  });
}

/** Days beyond the end at the last rent, at the percentage that was agreed. */
export function holdoverOf({ input, terms, leaveDate }: Leaving): Worked | undefined {
  const last = lastChargedDay(leaveDate, terms.leaveDayCharged);
  if (last <= input.end) return undefined;
  const from = addDays(input.end, 1);
  let sum = ratio(0);
  for (const month of contractMonths({ start: from, end: last, anchorDate: input.anchorDate }))
    sum = plus(sum, weighed(input, input.end, month.days, month.monthDays));
  const amount = halfUp(over(times(sum, ratio(terms.holdoverPercent)), ratio(100)));
  const days = daysBetween(input.end, last);
  return worked(
    amount,
    `${from} 至 ${last} 共 ${days} 天，月租 ${yuan(monthlyRentOn(input, input.end))} 的 ${terms.holdoverPercent}%`,
  );
}

/** Quantity (decimal text) × price in fen, rounded half-up once; nothing where it is no amount. */
export function workedOut(quantity: string, price: Fen): Fen | undefined {
  if (!/^\d{1,8}(\.\d{1,2})?$/.test(quantity)) return undefined;
  const exact = times(decimal(quantity), ratio(price));
  return compare(exact, ratio(AMOUNT_MAX)) > 0 ? undefined : halfUp(exact);
}

const hundredths = (reading: string): number => {
  const [whole, part = ""] = reading.split(".");
  return Number(whole) * 100 + Number(part.padEnd(2, "0"));
};
/** Between two readings, both decimal texts of at most two places. */
export function usedOf(start: string, reading: string): string {
  const used = Math.max(0, hundredths(reading) - hundredths(start));
  return `${Math.floor(used / 100)}.${String(used % 100).padStart(2, "0")}`.replace(/\.?0+$/, "") || "0";
}

/** Two words as one of at most so many letters; of what is too long the first is cut: the second says the figures. */
export const fitted = (first: string, second: string, most: number): string =>
  first.slice(0, most - second.length) + second;

/** What a charge of a settlement may be for: income, or what is collected for others. */
export const isSettled = (kind: string): boolean => kind === "income" || kind === "agency";

/** The largest sum that the books of a settlement hold. */
export const SUM_MAX = 999_999_999_999;

export const sumOf = (lines: readonly { amount: Fen }[]): Fen =>
  lines.reduce((sum, line) => sum + line.amount, 0);

/** The steps of a leaving, in order. */
const STEPS: readonly ActState[] = [
  "requested",
  "inspecting",
  "settling",
  "approving",
  "confirming",
  "toPay",
  "done",
];

/** How far a leaving is: a dot for each step that is reached, and the days since it got to the last; empty where it was given up. */
export function stepsText(state: ActState, days: number): string {
  const reached = STEPS.indexOf(state) + 1;
  if (reached === 0) return "";
  const dots = "●".repeat(reached) + "○".repeat(STEPS.length - reached);
  return state === "done" ? dots : `${dots} ${days}天`;
}
