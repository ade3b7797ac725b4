import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { bookOf, type AccountKind } from "../account/channel.rules.ts";
import { credit, debit, type Dims, type Entry, type Leg } from "../journal/journal.rules.ts";
import { saidOfLines } from "../reconcile/reconcile.rules.ts";

export const LINE_STATE = {
  unclaimed: ["未认领", "orange"],
  partial: ["部分认领", "gold"],
  approving: ["审批中", "blue"],
  claimed: ["已认领", "green"],
  noNeed: ["无需认领", "grey"],
  returned: ["已退回", "grey"],
} as const satisfies Words;
export type LineState = keyof typeof LINE_STATE;

/** What money is that no customer paid. */
export const USE_KIND = {
  channelSettle: ["渠道结算", "grey"],
  submission: ["门店缴款", "grey"],
  internal: ["内部转账", "grey"],
  thirdParty: ["第三方收入", "grey"],
  refundReturn: ["退款退回", "grey"],
  interest: ["利息", "grey"],
  wrongTransfer: ["误转退回", "grey"],
} as const satisfies Words;
export type UseKind = keyof typeof USE_KIND;

/** Kinds whose record takes the money with an entry of its own. */
export type TakenKind = "submission" | "thirdParty";
export type OwnKind = Exclude<UseKind, TakenKind>;

/** Why no more of a line can be taken, or nothing. */
export const whyNotTake = (line: { free: Fen }, amount: Fen): string | undefined =>
  amount > line.free ? `超过流水未认领余额 ${yuan(line.free)}` : undefined;

type Booked = { id: number; accountId: number; holderVillageId: number | null; day: Day };

/** The side of money that nobody has claimed: it stands with head office, by the account it came to. */
export const unclaimedLeg = (line: Pick<Booked, "accountId">, amount: Fen, dims: Dims = {}): Leg =>
  debit("2242", null, amount, { merchantAccountId: line.accountId, ...dims });

/** E16: money is in the bank, and nobody knows yet whose. */
export const lineEntry = (line: Booked & { amount: Fen }): Entry => ({
  event: "E16",
  sourceType: "bankLine",
  sourceId: line.id,
  businessDate: line.day,
  legs: [
    debit("1002", line.holderVillageId, line.amount, { merchantAccountId: line.accountId }),
    unclaimedLeg(line, -line.amount),
  ],
});

/** E16 of a long file: what came in on a day, in one sum. */
export const dayEntry = (
  statementId: number,
  seq: number,
  of: Pick<Booked, "accountId" | "holderVillageId" | "day"> & { amount: Fen; count: number },
): Entry => ({
  ...lineEntry({ ...of, id: statementId }),
  sourceType: "statement",
  seq,
  memo: `${of.count} 笔对公流水入账`,
});

type Imported = { statementNo: string; lineCount: number; newCount: number; amount: Fen; recognised: number };
/** What came in, what it comes to, and what of it looks like a channel's, or like takings that a store handed over. */
export const saidOfImport = (done: Imported): string =>
  `${saidOfLines(done)}，入账 ${yuan(done.amount)} 元${done.recognised ? `，自动识别 ${done.recognised} 笔渠道结算或缴款，请确认` : ""}`;

/** Against what money leaves 2242. */
export type Against = {
  villageId: number | null;
  partyId?: number;
  account?: { id: number; kind: AccountKind };
};
const AGAINST: Record<OwnKind, (of: Against) => string> = {
  channelSettle: (of) => bookOf(of.account!.kind),
  internal: () => "1002",
  refundReturn: () => "2202",
  wrongTransfer: () => "2202",
  interest: () => "6061",
};

/** E18: a part of it is no customer's. */
export const classifiedEntry = (
  use: { id: number; kind: OwnKind; amount: Fen; memo: string },
  line: Booked,
  of: Against,
): Entry => ({
  event: "E18",
  sourceType: "bankLineUse",
  sourceId: use.id,
  businessDate: line.day,
  memo: use.memo,
  legs: [
    unclaimedLeg(line, use.amount),
    credit(AGAINST[use.kind](of), of.villageId, use.amount, {
      merchantAccountId: of.account?.id ?? null,
      partyId: of.partyId ?? null,
    }),
  ],
});
