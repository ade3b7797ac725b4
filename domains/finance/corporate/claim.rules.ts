import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import type { Want } from "../allocation/allocation.rules.ts";
import { credit, type Entry } from "../journal/journal.rules.ts";
import { unclaimedLeg } from "./line.rules.ts";

/** The page. */
export const CORPORATE = "/accountManage/CorporateFlow";

export const CLAIM_STATE = {
  approving: ["审批中", "blue"],
  approved: ["已通过", "green"],
  rejected: ["已驳回", "grey"],
  withdrawn: ["已撤回", "grey"],
  undone: ["已撤销", "grey"],
} as const satisfies Words;
export type ClaimState = keyof typeof CLAIM_STATE;

const NAMES = Object.fromEntries(Object.entries(CLAIM_STATE).map(([key, [title]]) => [key, title])) as Record<
  ClaimState,
  string
>;
export const CLAIM_MOVES = moves<ClaimState, object>(NAMES)({
  approve: { label: "通过", from: ["approving"], to: "approved" },
  reject: { label: "驳回", from: ["approving"], to: "rejected" },
  withdraw: { label: "撤回", from: ["approving"], to: "withdrawn" },
  undo: { label: "撤销认领", from: ["approved"], to: "undone" },
});

/** What a claim pays, each line with its amount. */
export type Paid = Want & { amount: Fen };
export const sumOf = (wants: readonly { amount: Fen }[]): Fen => wants.reduce((sum, w) => sum + w.amount, 0);

const plainName = (name: string): string =>
  name
    .normalize("NFKC")
    .replaceAll(/[\s·•]/g, "")
    .toLowerCase();

/** Whether somebody else than the customer sent the money; of a line without a name nobody knows. */
export const isOther = (payerName: string, partyName: string): boolean =>
  payerName !== "" && plainName(payerName) !== plainName(partyName);

type Claimed = {
  id: number;
  villageId: number;
  partyId: number;
  accountId: number;
  amount: Fen;
  /** Of the money. */
  day: Day;
};

/** E17: money is known to be somebody's, booked on the day that is known; its own day stays the money's. */
export const claimEntry = (flow: Claimed, bookedOn: Day): Entry => ({
  event: "E17",
  sourceType: "flow",
  sourceId: flow.id,
  businessDate: flow.day,
  bookedOn,
  legs: [
    unclaimedLeg(flow, flow.amount, { flowId: flow.id, partyId: flow.partyId }),
    credit("2203", flow.villageId, flow.amount, { partyId: flow.partyId, flowId: flow.id }),
  ],
});

/** Why money is thought to be somebody's, the surest first. */
export const REASON = {
  code: ["附言有账单号或合同号", 100],
  sub: ["虚拟子账户", 100],
  account: ["付款账号曾认领", 95],
  payer: ["付款户名曾认领", 85],
  name: ["户名一致", 80],
  bill: ["金额等于账单", 60],
  bills: ["金额等于多笔账单之和", 50],
  together: ["与该付款人另 n 笔未认领流水合计等于账单", 45],
} as const;
export type Reason = keyof typeof REASON;

/** 0 to 100: of the surest reason, and more where the amount fits too, by itself or with others of the payer. */
export function scoreOf(reasons: readonly Reason[]): number {
  const best = Math.max(...reasons.map((r) => REASON[r][1]));
  const fits = reasons.includes("bill") || reasons.includes("bills");
  const more = fits ? 10 : reasons.includes("together") ? 5 : 0;
  return Math.min(100, best + (best > REASON.bill[1] ? more : 0));
}

/** A bill is thought of where its day lies so near to the money's. */
export const NEAR_DAYS = 7;
/** Transfers of one payer that lie so near to each other may pay a bill together, up to so many beside the one looked at. */
export const TOGETHER_DAYS = 31;
export const MOST_BESIDE = 4;
/** Sums are tried over so many bills of one party. */
export const MOST_SUMMED = 12;

type Open = { id: number; outstanding: Fen };
/** Bills of one party that the money pays to the fen: one, else as few as possible together; none where nothing fits. */
export function fitting(bills: readonly Open[], amount: Fen): number[] {
  const one = bills.find((bill) => bill.outstanding === amount);
  if (one) return [one.id];
  const some = bills.slice(0, MOST_SUMMED);
  let best: number[] = [];
  const search = (at: number, left: Fen, chosen: number[]): void => {
    if (left === 0 && chosen.length && (!best.length || chosen.length < best.length)) best = chosen;
    if (left <= 0 || at >= some.length || (best.length && chosen.length + 1 >= best.length)) return;
    search(at + 1, left - some[at]!.outstanding, [...chosen, some[at]!.id]);
    search(at + 1, left, chosen);
  };
  search(0, amount, []);
  return best;
}

/** 账单号 and 合同号 in what the payer wrote. */
export const codesIn = (text: string): string[] => [
  ...new Set((text.toUpperCase().match(/[A-Z]{2}\d{8}-\d{6}/g) ?? []).slice(0, 5)),
];

/** Numbers as long as an account's in the cells of a line, without the signs between their digits. */
export const numbersIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.replaceAll(/(?<=\d)[ -](?=\d)/g, "").match(/\d{6,30}/g) ?? [])),
];
