import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { bookOf, type Purse } from "../account/channel.rules.ts";
import { credit, debit, type Entry, type Leg } from "../journal/journal.rules.ts";
import { type SpecialDays, workdayAfter } from "../setting/workday.rules.ts";

/** The page. */
export const SUBMISSIONS = "/accountManage/SubmissionManage";

export const SUBMISSION_STATE = {
  submitted: ["待到账", "gold"],
  received: ["已到账", "green"],
  short: ["短款", "red"],
  over: ["长款", "orange"],
  settled: ["已处理", "grey"],
  cancelled: ["已取消", "grey"],
} as const satisfies Words;
export type SubmissionState = keyof typeof SUBMISSION_STATE;

export const SUBMISSION_KIND = { cash: ["现金", "grey"], pos: ["POS", "grey"] } as const satisfies Words;
export type SubmissionKind = keyof typeof SUBMISSION_KIND;

export const SETTLE_WAY = { repay: ["补缴", "grey"], loss: ["核损", "grey"] } as const satisfies Words;
export type SettleWay = keyof typeof SETTLE_WAY;

/** What a submission hands over beside flows: what another one had kept, and what was paid for its short. */
export const ITEM = {
  flow: ["收款流水", "grey"],
  kept: ["留存", "grey"],
  repaid: ["短款补缴", "grey"],
} as const satisfies Words;
export type ItemKind = keyof typeof ITEM;

/** Tabs of the list; what is not handed over yet is a list of its own. */
export const TABS = {
  submitted: { title: "待到账", states: ["submitted"] },
  short: { title: "短款", states: ["short"] },
  over: { title: "长款", states: ["over"] },
  received: { title: "已到账", states: ["received", "settled"] },
  cancelled: { title: "已取消", states: ["cancelled"] },
} as const satisfies Record<string, { title: string; states: readonly SubmissionState[] }>;
export type SubmissionTab = keyof typeof TABS;
export const TAB_KEYS = ["all", ...Object.keys(TABS)] as ["all", ...SubmissionTab[]];

const NAMES = Object.fromEntries(
  Object.entries(SUBMISSION_STATE).map(([key, [title]]) => [key, title]),
) as Record<SubmissionState, string>;

export const SUBMISSION_MOVES = moves<SubmissionState, object>(NAMES)({
  cancel: { label: "取消", from: ["submitted"], to: "cancelled" },
  match: { label: "匹配银行流水", from: ["submitted"], to: "received" },
  receive: { label: "确认到账", from: ["submitted"], to: "received" },
  unreceive: { label: "取消到账", from: ["received", "short", "over", "settled"], to: "submitted" },
  settle: { label: "处理短款", from: ["short"], to: "settled" },
});

/** What arriving money makes of a submission. */
export const arrived = (submitted: Fen, received: Fen): "received" | "short" | "over" =>
  received === submitted ? "received" : received < submitted ? "short" : "over";

const DUE_TIME = "18:00:00+08:00";
/** Until when the cash of a day is handed over: 18:00 of so many workdays later. */
export const dueAt = (bankDay: Day, days: number, special: SpecialDays): string =>
  `${workdayAfter(bankDay, days, special)}T${DUE_TIME}`;

const DAY_MS = 86_400_000;
/** Days late, of milliseconds past the due time; a day that has begun counts. */
export const lateDays = (behind: number): number => Math.max(0, Math.ceil(behind / DAY_MS));

type Handed = { id: number; villageId: number; submitted: Fen };
const entry = (of: Handed, event: Entry["event"], seq: number, businessDate: Day, legs: Leg[]): Entry => ({
  event,
  sourceType: "submission",
  sourceId: of.id,
  seq,
  businessDate,
  legs,
});

/** E19: takings have left the cash box, or the POS account, and are on their way. */
export const submittedEntry = (of: Handed, from: Purse & { id: number }, day: Day): Entry =>
  entry(of, "E19", 0, day, [
    debit("1019", of.villageId, of.submitted),
    credit(bookOf(from.kind), from.holderVillageId, of.submitted, { merchantAccountId: from.id }),
  ]);

/** Entries of its n-th arrival; their mirrors follow each. */
export const roundSeq = (round: number) => (round - 1) * 2;

/** E20: they have arrived. What is missing the store owes, what is too much is a gain. `into`: the leg of the money itself. */
export const receivedEntry = (of: Handed & { rounds: number }, into: Leg, day: Day): Entry => {
  const short = of.submitted - into.amount;
  return entry(of, "E20", roundSeq(of.rounds), day, [
    into,
    debit("1221", of.villageId, Math.max(0, short)),
    credit("6702", of.villageId, Math.max(0, -short)),
    credit("1019", of.villageId, of.submitted),
  ]);
};

/** E21: the store has paid what was short into a cash box, or it is borne as a loss. */
export const settledEntry = (
  of: Handed & { rounds: number; received: Fen },
  box: (Purse & { id: number }) | undefined,
  day: Day,
): Entry => {
  const short = of.submitted - of.received;
  return entry(of, "E21", roundSeq(of.rounds), day, [
    box
      ? debit(bookOf(box.kind), box.holderVillageId, short, { merchantAccountId: box.id })
      : debit("6702", of.villageId, short),
    credit("1221", of.villageId, short),
  ]);
};
