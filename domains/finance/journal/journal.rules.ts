import { addToMonth, firstOf, monthOf, type Day, type Month } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";

/** Vouchers of the general ledger, in the order in which a month has them. */
export const VOUCHERS = {
  due: "应收",
  money: "收款",
  back: "押金与退款",
  handover: "缴款",
  earned: "收入确认",
  tax: "税金",
  cost: "成本",
  paid: "付款",
  fee: "手续费",
  loss: "核销与长短款",
} as const;
export type VoucherKind = keyof typeof VOUCHERS;

/** What an event is called, which lock of a month stands in its way, and which voucher of the month it goes into. */
export const EVENTS = {
  E01: { name: "账单出账", side: "income", voucher: "due" },
  E02: { name: "押金出账", side: "income", voucher: "due" },
  E03: { name: "滞纳金入账", side: "income", voucher: "due" },
  E04: { name: "调整", side: "income", voucher: "due" },
  E05: { name: "作废", side: "income", voucher: "due" },
  E06: { name: "收款", side: "income", voucher: "money" },
  E07: { name: "渠道手续费", side: "cost", voucher: "fee" },
  E08: { name: "分配", side: "income", voucher: "money" },
  E09: { name: "撤销分配", side: "income", voucher: "money" },
  E10: { name: "流水冲销", side: "income", voucher: "money" },
  E11: { name: "坏账核销", side: "cost", voucher: "loss" },
  E12: { name: "退款审批", side: "income", voucher: "back" },
  E13: { name: "退款支付", side: "income", voucher: "back" },
  E14: { name: "押金抵扣", side: "income", voucher: "back" },
  E15: { name: "押金与定金转出", side: "income", voucher: "back" },
  E16: { name: "对公入账", side: "income", voucher: "money" },
  E17: { name: "对公认领", side: "income", voucher: "money" },
  E18: { name: "对公流水归类", side: "income", voucher: "money" },
  E19: { name: "缴款", side: "income", voucher: "handover" },
  E20: { name: "缴款到账", side: "income", voucher: "handover" },
  E21: { name: "短款处理", side: "cost", voucher: "loss" },
  E22: { name: "发票销项税", side: "income", voucher: "tax" },
  E23: { name: "未开票税金申报", side: "income", voucher: "tax" },
  E24: { name: "收入确认", side: "income", voucher: "earned" },
  E25: { name: "成本账单", side: "cost", voucher: "cost" },
  E26: { name: "成本付款", side: "cost", voucher: "paid" },
  E27: { name: "第三方收入", side: "income", voucher: "earned" },
  E28: { name: "第三方结算", side: "income", voucher: "money" },
  E29: { name: "渠道结算到账", side: "income", voucher: "money" },
  E30: { name: "期初余额", side: "none", voucher: null },
} as const satisfies Record<
  string,
  { name: string; side: "income" | "cost" | "none"; voucher: VoucherKind | null }
>;
export type EventCode = keyof typeof EVENTS;
export type Side = "income" | "cost" | "none";

/** What a leg says about the business behind it. */
export type Dims = {
  feeSubjectId?: number | null;
  merchantAccountId?: number | null;
  partyId?: number | null;
  contractId?: number | null;
  billId?: number | null;
  billLineId?: number | null;
  flowId?: number | null;
};
/** amount > 0 is a debit, < 0 a credit. `villageId` null = head office (公司本部). */
export type Leg = Dims & { villageId: number | null; account: string; amount: Fen };

export type Entry = {
  event: EventCode;
  sourceType: string;
  sourceId: number;
  /** Counts entries of one event and source from 0. */
  seq?: number;
  /** The day of the business; a locked month moves the posting day, never this one. */
  businessDate: Day;
  /** The day it is booked on where that is not the business's own: of money it may only later be known whose it is. */
  bookedOn?: Day;
  reversesId?: number;
  memo?: string;
  legs: Leg[];
};

export const debit = (account: string, villageId: number | null, amount: Fen, dims: Dims = {}): Leg => ({
  ...dims,
  account,
  villageId,
  amount,
});
export const credit = (account: string, villageId: number | null, amount: Fen, dims: Dims = {}): Leg =>
  debit(account, villageId, -amount, dims);

/** What head office and a village owe each other, so that every village balances alone. */
const BETWEEN = "2299";

/** Drops empty legs and adds the 内部往来 leg of each village that does not balance. Throws when the whole does not. */
export function balanced(legs: readonly Leg[]): Leg[] {
  const open = new Map<number | null, Fen>();
  let whole = 0;
  for (const leg of legs) {
    whole += leg.amount;
    open.set(leg.villageId, (open.get(leg.villageId) ?? 0) + leg.amount);
  }
  if (whole !== 0) throw new Error(`entry does not balance: ${whole} fen over`);
  const added = [...open].filter(([, rest]) => rest !== 0);
  return [
    ...legs.filter((leg) => leg.amount !== 0),
    ...added.map(([villageId, rest]) => credit(BETWEEN, villageId, rest)),
  ];
}

export const mirrored = (legs: readonly Leg[]): Leg[] => legs.map((leg) => ({ ...leg, amount: -leg.amount }));

/** Last locked month of each village, head office among them, and side; months lock in order, so all before it are locked too. */
export type Locks = ReadonlyMap<string, Month>;
export const lockKey = (villageId: number | null, side: Side) => `${villageId} ${side}`;

/** The locks that hold an event back; what belongs to neither side waits for both. */
const LOCKED_BY: Record<Side, readonly Side[]> = {
  income: ["income"],
  cost: ["cost"],
  none: ["income", "cost"],
};

/** The business date, or the first day of the first month that is open in all villages of the entry. */
export function postingDay(
  entry: Pick<Entry, "event" | "businessDate" | "bookedOn" | "legs">,
  locks: Locks,
): Day {
  const day = entry.bookedOn ?? entry.businessDate;
  const sides = LOCKED_BY[EVENTS[entry.event].side];
  let last: Month | undefined;
  for (const { villageId } of entry.legs)
    for (const side of sides) {
      const locked = locks.get(lockKey(villageId, side));
      if (locked && (!last || locked > last)) last = locked;
    }
  return last && monthOf(day) <= last ? firstOf(addToMonth(last, 1)) : day;
}
