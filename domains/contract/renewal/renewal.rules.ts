import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, decimal, over, plus, ratio, times } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { ACT_OPEN, ACT_STATES } from "../act/act.rules.ts";
import { endAfter } from "../schedule/months.rules.ts";
import { roundRent } from "../schedule/steps.rules.ts";
import type { RentRounding } from "../schedule/terms.rules.ts";
import { AHEAD_DAYS } from "../settlement/settlement.rules.ts";
import { arrearsRefusal, windowRefusal } from "../succession/succession.rules.ts";
import { isInForce } from "../contract/contract.rules.ts";

/** What the tenant means to do, as far as anybody has heard. */
export const INTENTS = {
  none: ["未联系", "grey"],
  willing: ["有意", "green"],
  open: ["待定", "gold"],
  leaving: ["不续", "red"],
} as const satisfies Words;
export type Intent = keyof typeof INTENTS;
const { none: _, ...HEARD } = INTENTS;
/** What may be heard of somebody who was spoken to. */
export const HEARD_INTENTS = HEARD;

/** Where a renewal stands: the act's own state, or before there is one whether it is waited for. */
export const RENEWAL_STATES = {
  early: ["未到可续租期", "grey"],
  due: ["待续租", "orange"],
  leaving: ["不续租", "grey"],
  requested: ACT_STATES.requested,
  handling: ACT_STATES.handling,
  approving: ACT_STATES.approving,
  signing: ACT_STATES.signing,
  done: ACT_STATES.done,
  rejected: ACT_STATES.rejected,
  cancelled: ACT_STATES.cancelled,
} as const satisfies Words;
export type RenewalState = keyof typeof RENEWAL_STATES;

export const TABS = {
  due: "待续租",
  requested: "待受理",
  handling: "处理中",
  approving: "审批中",
  signing: "待签署",
  done: "已完成",
  cancelled: "已驳回/取消",
  leaving: "不续租",
  soon: "90 天内到期",
} as const;
/** The desk looks so many days ahead, whatever a store's own time for renewals is. */
export const SOON_DAYS = 90;
export type RenewalTab = keyof typeof TABS;

export const OFFER_STATES = {
  sent: ["已发送", "gold"],
  opened: ["已打开", "blue"],
  chosen: ["已选择", "green"],
  declined: ["已拒绝", "red"],
  expired: ["已过期", "orange"],
  withdrawn: ["已撤回", "grey"],
} as const satisfies Words;
export type OfferState = keyof typeof OFFER_STATES;
/** At most so many choices stand in an offer. */
export const MOST_CHOICES = 3;

export const LEFT = {
  d7: ["7 天内", "grey"],
  d15: ["15 天内", "grey"],
  d30: ["30 天内", "grey"],
  d60: ["60 天内", "grey"],
  over: ["已过期", "grey"],
} as const satisfies Words;
export type Left = keyof typeof LEFT;

/** How a batch sets the new rents. */
export const RISE_WAYS = {
  percent: ["按比例调整", "grey"],
  amount: ["按金额调整", "grey"],
  list: ["按标价", "grey"],
} as const satisfies Words;
export type RiseWay = keyof typeof RISE_WAYS;
export type Rise = { way: RiseWay; value: string; rounding: RentRounding };

/** The new rent of a room: percent of the rent, yuan beside it, or what the room is offered for; undefined where it has no list price. */
export function renewedRent(
  { way, value, rounding }: Rise,
  rent: Fen,
  listPrice: Fen | null,
): Fen | undefined {
  if (way === "list") return listPrice === null ? undefined : roundRent(ratio(listPrice), rounding);
  const by = decimal(value);
  const exact =
    way === "amount"
      ? plus(ratio(rent), times(by, ratio(100)))
      : times(ratio(rent), over(plus(ratio(100), by), ratio(100)));
  return roundRent(exact, rounding);
}

/** The last day of a renewal of so many months, from the day after the lease. */
export const endOfTerm = (start: Day, months: number): Day => endAfter(start, months);

/** By how much a rent rises, as a share; nothing without a rent before. */
export const riseOf = (before: Fen, after: Fen): number | null =>
  before ? Math.round(((after - before) * 10_000) / before) / 10_000 : null;

export type Renewable = {
  contractState: string;
  end: Day;
  nextId: number | null;
  openActNo: string | null;
  windowDays: number;
  needsPaid: boolean;
  overdue: Fen;
};

/** Why nobody need ask whether a tenant stays, or nothing. */
export function followRefusal({
  nextId,
  contractState,
}: Pick<Renewable, "nextId" | "contractState">): string | undefined {
  if (nextId !== null) return "该合同已续租";
  return isInForce(contractState) ? undefined : "合同不在租，无需跟进续租";
}

/** Why a renewal cannot be begun on a contract now, or nothing. */
export function renewRefusal(of: Renewable, today: Day): string | undefined {
  if (of.nextId !== null) return "该合同已续租";
  if (!isInForce(of.contractState)) return "合同不在租，不能续租";
  if (of.openActNo !== null) return `${ACT_OPEN}（${of.openActNo}）`;
  return windowRefusal(of.end, today, of.windowDays) ?? arrearsRefusal(of.needsPaid, of.overdue);
}

/** Columns of the board: how many weeks are left at most; below nothing the lease is over. */
export const BOARD = {
  over: { title: "已过期", from: null, to: -1 },
  w1: { title: "1 周内", from: 0, to: 7 },
  w2: { title: "2 周内", from: 8, to: 14 },
  w4: { title: "4 周内", from: 15, to: 28 },
  w8: { title: "8 周内", from: 29, to: 56 },
  later: { title: "8 周以上", from: 57, to: null },
} as const;

/** What comes of 不续租: a leaving on the lease's last day, once that is near enough to be asked for. */
export const declineText = ({ endDate, daysLeft }: { endDate: Day; daysLeft: number }): string =>
  daysLeft > AHEAD_DAYS
    ? `不再提醒续租；到期日 ${endDate} 在 ${AHEAD_DAYS} 天以后，届时再登记退房申请。`
    : `登记到期日 ${endDate} 的退房申请，不再提醒续租。`;
