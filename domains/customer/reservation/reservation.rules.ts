import type { Permit } from "../../../platform/kernel/call.ts";
import { type Day, addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { type Fen, type Ratio, compare, decimal, ratio, times, yuan } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { PRICE_UNITS, type PriceUnit, monthlyPrice } from "../../listing/room/words.rules.ts";
import type { ChoiceKind } from "../choice/choice.rules.ts";

export const RESERVATION_STATES = {
  pending: ["待付定金", "gold"],
  held: ["已预订", "blue"],
  converted: ["已转合同", "green"],
  cancelled: ["已取消", "grey"],
  lapsed: ["已过期", "red"],
  refunding: ["退款中", "orange"],
  refunded: ["已退款", "grey"],
  forfeited: ["已没收", "grey"],
} as const satisfies Words;
export type ReservationState = keyof typeof RESERVATION_STATES;

/** 定金 binds both sides and can be forfeited; 订金 is only an advance. */
export const EARNEST_KINDS = {
  定金: ["定金", "grey"],
  订金: ["订金", "grey"],
} as const satisfies Words;

/** Months of deposit and months paid at a time. */
export const PAY_PLANS = {
  "1-1": ["押一付一", "grey"],
  "1-3": ["押一付三", "grey"],
  "2-1": ["押二付一", "grey"],
  "1-6": ["押一付六", "grey"],
  "1-12": ["押一付十二", "grey"],
} as const satisfies Words;
export type PayPlan = keyof typeof PAY_PLANS;

/** What of a plan a contract begins with. */
export const planOf = (plan: PayPlan): { depositMonths: string; cycleMonths: 1 | 3 | 6 | 12 } => {
  const [deposit, cycle] = plan.split("-");
  return { depositMonths: deposit!, cycleMonths: Number(cycle) as 1 | 3 | 6 | 12 };
};

/** Days for which a room is kept where nobody says otherwise. */
export const USUAL_DAYS = 3;

const NAMES = Object.fromEntries(
  Object.entries(RESERVATION_STATES).map(([state, [title]]) => [state, title]),
) as Record<ReservationState, string>;

type Row = {
  /** What is held of the earnest money. */
  held: Fen;
  earnestKind: "定金" | "订金";
  /** A contract that was handed in stands in its place. */
  signing: boolean;
};

/** Each kind of customer signs a contract of its own, with the permit of its page. */
export const CONTRACT_ADD = {
  renter: "9.add",
  company: "11.add",
  merchant: "107.add",
} as const satisfies Record<ChoiceKind, Permit>;

const signing = (row: Row) => row.signing && "合同签署中，请先撤回合同";

export const RESERVATION_MOVES = moves<ReservationState, Row>(NAMES)({
  pay: { label: "收定金", from: ["pending", "lapsed"], to: "held" },
  hold: { label: "预订", from: ["pending"], to: "held" },
  /** Its receipt was reversed. */
  askAgain: { label: "收款已冲销", from: ["held"], to: "pending", unless: signing },
  extend: { label: "延期", from: ["held"], to: "held", unless: signing },
  changeRoom: { label: "换房间", from: ["held"], to: "held", unless: signing },
  convert: { label: "转合同", from: ["held"], to: "converted", unless: signing },
  sign: { label: "转合同", from: ["held"], to: "converted" },
  cancel: { label: "取消预订", from: ["pending"], to: "cancelled" },
  /** Nothing was paid for it: it is given up without a refund. */
  giveUp: {
    label: "取消预订",
    from: ["held"],
    to: "cancelled",
    unless: (row) => signing(row) || (row.held > 0 && "已收定金，请选择退款"),
  },
  refund: {
    label: "退款",
    from: ["held", "lapsed"],
    to: "refunding",
    unless: (row) => signing(row) || (row.held === 0 && "没有已收的定金，不需要退款"),
  },
  payBack: { label: "支付退款", from: ["refunding"], to: "refunded" },
  /** The bank has sent it back: it is owed again. */
  payAgain: { label: "退款退回", from: ["refunded"], to: "refunding" },
  /** The refund was not approved, or was taken back: the money waits for a decision as after a lapse. */
  keepMoney: { label: "退款未办理", from: ["refunding"], to: "lapsed" },
  forfeit: {
    label: "没收",
    from: ["held", "lapsed"],
    to: "forfeited",
    unless: (row) =>
      (row.earnestKind === "订金" && "订金不能没收") ||
      signing(row) ||
      (row.held === 0 && "没有已收的定金，不能没收"),
  },
  lapse: { label: "过期", from: ["pending", "held"], to: "lapsed", unless: signing },
  restore: {
    label: "恢复预订",
    from: ["lapsed"],
    to: "held",
  },
});

/** Why a room cannot be kept so long, or nothing. `from` is the day from which the longest stay of a store counts. */
export function holdRefusal(holdUntil: Day, from: Day, today: Day, most: number): string | undefined {
  if (holdUntil < today) return "保留至不能早于今天";
  return holdUntil > addDays(from, most) ? `预订保留期不能超过 ${most} 天` : undefined;
}

/** A rent as it was agreed: of a month, of a day, or of a square metre and day. */
export type Rent = { rent: Fen; unit: PriceUnit };

/** 3,000.00 元/月 */
export const rentText = ({ rent, unit }: Rent): string => `${yuan(rent)} ${PRICE_UNITS[unit][0]}`;

/** What it comes to a month, to be set beside other rents; `area` in m². */
export const monthlyRent = ({ rent, unit }: Rent, area: string): Fen => monthlyPrice(rent, unit, area)!;

/** The rent of so many days, exact: a month has 365 ÷ 12 days. */
function rentOver(days: number, { rent, unit }: Rent, area: string): Ratio {
  const whole = times(ratio(rent), ratio(days));
  if (unit === "month") return times(whole, ratio(12, 365));
  return unit === "day" ? whole : times(whole, decimal(area));
}

/** The part of 定金 above a fifth of the contract has no force (民法典第五百八十六条). */
export function earnestWarning(
  of: Rent & { area: string; earnestKind: string; earnest: Fen; moveInDay: Day; plannedEndDay: Day | null },
): string | undefined {
  if (of.earnestKind !== "定金" || !of.plannedEndDay) return undefined;
  const days = daysBetween(of.moveInDay, of.plannedEndDay) + 1;
  return compare(ratio(of.earnest * 5), rentOver(days, of, of.area)) > 0
    ? "超过合同总额20%的部分不具定金效力"
    : undefined;
}

/** Rent and lowest price in one unit. */
export type Below = Rent & { lowest: Fen };

/** What was agreed beside the lowest price that it stays under, or nothing. Unlike units are compared by the month. */
export function belowLowest(
  agreed: Rent,
  price: { lowestPrice: Fen; unit: PriceUnit },
  area: string,
): Below | undefined {
  const same = agreed.unit === price.unit;
  const { rent, unit } = same ? agreed : { rent: monthlyRent(agreed, area), unit: "month" as const };
  const lowest = same ? price.lowestPrice : monthlyPrice(price.lowestPrice, price.unit, area)!;
  return rent < lowest ? { rent, unit, lowest } : undefined;
}

export const lowestText = ({ lowest, unit }: Pick<Below, "lowest" | "unit">): string =>
  `低于底价 ${rentText({ rent: lowest, unit })}，需审批`;

/** What a contract begins with: rent of a month, and the price of a square metre and day where that was agreed. */
export const contractRent = (agreed: Rent, area: string): { rent: Fen; unitPrice: string | null } => ({
  rent: monthlyRent(agreed, area),
  unitPrice: agreed.unit === "sqmDay" ? yuan(agreed.rent, false) : null,
});
