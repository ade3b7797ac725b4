import type { Day } from "../../../platform/kernel/day.ts";
import { decimal, halfUp, ratio, times, type Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { credit, debit, type Dims, type Entry } from "../journal/journal.rules.ts";
import { paidLines, type Paying } from "../allocation/allocation.rules.ts";
import { bookOf, type Purse } from "../account/channel.rules.ts";

export type FlowState = "pending" | "approving" | "confirmed" | "reversed" | "rejected";
export const FLOW_STATE: Words<FlowState> = {
  pending: ["待确认", "gold"],
  approving: ["审批中", "blue"],
  confirmed: ["已确认", "green"],
  reversed: ["已冲销", "grey"],
  rejected: ["已驳回", "red"],
};
export const FLOW_DIRECTION: Words<"in" | "out"> = { in: ["收", "grey"], out: ["支", "grey"] };
export type FlowKind = "receipt" | "thirdParty" | "refund" | "cost";
export const FLOW_KIND: Words<FlowKind> = {
  receipt: ["收款", "grey"],
  thirdParty: ["第三方收入", "grey"],
  refund: ["退款", "grey"],
  cost: ["成本付款", "grey"],
};
export type ReconcileState = "none" | "matched" | "different";
export const RECONCILE_STATE: Words<ReconcileState> = {
  none: ["未对账", "grey"],
  matched: ["一致", "green"],
  different: ["有差异", "red"],
};

/** Flows that are taken back only where they were made. */
export const BOUND: Partial<Record<FlowKind, string>> = {
  refund: "退款付款不能冲销，被银行退回时请在退款管理中登记退回",
  thirdParty: "第三方收入的流水不能冲销，请在第三方收入表中撤销结算",
};
type Standing = {
  refunded: Fen;
  direction: "in" | "out";
  unallocated: Fen;
  /** Of the submission that hands it over. */
  submissionState?: string | null;
};
const STATE_TEXT = Object.fromEntries(Object.entries(FLOW_STATE).map(([k, w]) => [k, w[0]]));
/** The state machine of a flow. */
export const FLOW_MOVES = moves<FlowState, Standing>(STATE_TEXT as Record<FlowState, string>)({
  confirm: { label: "确认", from: ["pending"], to: "confirmed" },
  reject: { label: "驳回", from: ["pending"], to: "rejected" },
  allocate: {
    label: "分配",
    from: ["confirmed"],
    to: "confirmed",
    unless: (f) => f.direction === "out" && "支出流水不能分配",
  },
  takeBack: {
    label: "撤销分配",
    from: ["confirmed"],
    to: "confirmed",
    unless: (f) => f.direction === "out" && "付款不能撤销分配，请冲销流水",
  },
  reverse: {
    label: "冲销",
    from: ["confirmed"],
    to: "reversed",
    unless: (f) =>
      (f.refunded > 0 && "该流水的款项已退款，不能冲销") ||
      (f.submissionState === "submitted" && "流水在待到账的缴款单中，请先取消缴款") ||
      (Boolean(f.submissionState) && "已缴款到账，请先处理缴款单"),
  },
});

type Part = Parameters<typeof paidLines>[0][number] & {
  subject: string;
  billNo: string;
  periodStart: Day | null;
  periodEnd: Day | null;
};
/** What money came for: the charges that it pays; a partner's share pays none and is named as what it is. */
export const receiptLines = (flow: {
  kind: FlowKind;
  amount: Fen;
  allocations: readonly Part[];
}): Pick<Part, "subject" | "billNo" | "periodStart" | "periodEnd" | "amount">[] =>
  flow.kind === "thirdParty"
    ? [
        {
          subject: FLOW_KIND.thirdParty[0],
          billNo: "—",
          periodStart: null,
          periodEnd: null,
          amount: flow.amount,
        },
      ]
    : paidLines(flow.allocations);

/** What of a receipt pays no bill, also where some of that was given back since. */
export const toPrepaid = ({ unallocated, refunded }: { unallocated: Fen; refunded: Fen }): Fen =>
  unallocated + refunded;

/** A receipt is given for money that came in, once it is agreed that it did. */
export const hasReceipt = ({ direction, state }: { direction: "in" | "out"; state: FlowState }): boolean =>
  direction === "in" && state === "confirmed";

/** What becomes of money that waited for bills which were voided meanwhile. */
export const goneToPrepaid = ({ voided }: { voided: readonly { billNo: string }[] }): string =>
  `账单 ${voided.map((bill) => bill.billNo).join("、")} 已作废，对应款项转入预存款`;

/** What the channel keeps of a payment: the rate of the amount, half-up, never more than the cap. */
export function channelFee(amount: Fen, rate: string, cap: Fen | null): Fen {
  const fee = halfUp(times(ratio(amount), decimal(rate)));
  return cap === null ? fee : Math.min(fee, cap);
}

type Paid = { paid: Fen; stages: readonly { flowId: number | null; paying: readonly { amount: Fen }[] }[] };
/** What a plan does to the party's prepaid balance: what of it is used, and what of the new money is left for it. */
export function prepaidChange({ paid, stages }: Paid, amount: Fen, prepaidBefore: Fen) {
  const prepaidUsed = stages
    .filter((s) => s.flowId !== null)
    .flatMap((s) => s.paying)
    .reduce((sum, pay) => sum + pay.amount, 0);
  const toPrepaid = amount - (paid - prepaidUsed);
  return { prepaidBefore, prepaidUsed, toPrepaid, prepaidAfter: prepaidBefore - prepaidUsed + toPrepaid };
}

/**
 * A payment of a late fee goes to the line it was planned for as far as that is open, then to those written just now: a
 * fee can fall and grow again between two sources of different days.
 */
export function onLines(
  pay: Paying,
  lines: readonly { id: number }[],
  left: Map<number, Fen>,
): (Paying & { lineId: number })[] {
  let rest = pay.amount;
  const parts = lines.map(({ id }) => {
    const amount = Math.min(rest, left.get(id) ?? 0);
    left.set(id, (left.get(id) ?? 0) - amount);
    rest -= amount;
    return { ...pay, lineId: id, amount };
  });
  if (rest) throw new Error(`late fee of bill ${pay.billId}: ${rest} fen more planned than written`);
  return parts.filter((part) => part.amount > 0);
}

export type Booked = {
  id: number;
  villageId: number;
  partyId: number | null;
  merchantAccountId: number;
  amount: Fen;
  fee: Fen;
  paidOn: Day;
};

const cashDims = (flow: Booked): Dims => ({
  merchantAccountId: flow.merchantAccountId,
  flowId: flow.id,
  partyId: flow.partyId,
});

/** E06: the money is there and belongs to the party until it is used; E07: what the channel kept of it. */
export const receiptEntries = (flow: Booked, purse: Purse): Entry[] => [
  {
    event: "E06",
    sourceType: "flow",
    sourceId: flow.id,
    businessDate: flow.paidOn,
    legs: [
      debit(bookOf(purse.kind), purse.holderVillageId, flow.amount, cashDims(flow)),
      credit("2203", flow.villageId, flow.amount, { partyId: flow.partyId, flowId: flow.id }),
    ],
  },
  ...feeEntry(flow, purse),
];

/** E07: what the channel kept of money that came in. */
export const feeEntry = (flow: Booked, purse: Purse): Entry[] =>
  flow.fee
    ? [
        {
          event: "E07",
          sourceType: "flow",
          sourceId: flow.id,
          businessDate: flow.paidOn,
          legs: [
            debit("6602", flow.villageId, flow.fee, cashDims(flow)),
            credit(bookOf(purse.kind), purse.holderVillageId, flow.fee, cashDims(flow)),
          ],
        },
      ]
    : [];

/** E26: a cost is paid out of an account. */
export const paymentEntry = (flow: Booked, purse: Purse): Entry => outEntry("E26", flow, purse);

/** E13: what was owed back has left an account. */
export const refundEntry = (flow: Booked, purse: Purse): Entry => outEntry("E13", flow, purse);

const outEntry = (event: "E13" | "E26", flow: Booked, purse: Purse): Entry => ({
  event,
  sourceType: "flow",
  sourceId: flow.id,
  businessDate: flow.paidOn,
  legs: [
    debit("2202", flow.villageId, flow.amount, { partyId: flow.partyId, flowId: flow.id }),
    credit(bookOf(purse.kind), purse.holderVillageId, flow.amount, cashDims(flow)),
  ],
});

/** "2026-10-08 ~ 11-07"; the year is repeated only where it changes. */
export const spanOf = (from: Day, to: Day): string =>
  from === to ? from : `${from} ~ ${from.slice(0, 4) === to.slice(0, 4) ? to.slice(5) : to}`;
