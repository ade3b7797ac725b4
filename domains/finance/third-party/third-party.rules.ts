import { type Day, firstOf, lastOf, minDay, type Month, monthOf } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { plainWords, type Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { bookOf, type Purse } from "../account/channel.rules.ts";
import { type Booked, feeEntry } from "../flow/flow.rules.ts";
import { unclaimedLeg } from "../corporate/line.rules.ts";
import { credit, debit, type Entry } from "../journal/journal.rules.ts";

export const SHEETS = "/accountManage/ThirdPartIncomeSheet";

export const PARTNER_KIND = plainWords({
  parking: "停车",
  vending: "自动售货",
  advertising: "广告",
  laundry: "洗衣",
  network: "网络",
  other: "其他",
});
export type PartnerKind = keyof typeof PARTNER_KIND;
export const PARTNER_KINDS = Object.keys(PARTNER_KIND) as PartnerKind[];

export const SHEET_STATE = {
  draft: ["草稿", "gold"],
  confirmed: ["已确认", "blue"],
  partSettled: ["部分结算", "cyan"],
  settled: ["已结算", "green"],
  reversed: ["已冲销", "grey"],
} as const satisfies Words;
export type SheetState = keyof typeof SHEET_STATE;

const NAMES = Object.fromEntries(Object.entries(SHEET_STATE).map(([key, [title]]) => [key, title])) as Record<
  SheetState,
  string
>;

/** The state that follows from what is settled of a share that is on the books: of nothing, nothing is open. */
export const settledState = (share: Fen, settled: Fen): SheetState =>
  settled >= share ? "settled" : settled === 0 ? "confirmed" : "partSettled";

export const SHEET_MOVES = moves<SheetState, { share: Fen; settled: Fen }>(NAMES)({
  edit: { label: "修改", from: ["draft"], to: "draft" },
  remove: { label: "删除", from: ["draft"], to: "draft" },
  confirm: { label: "确认", from: ["draft"], to: (s) => settledState(s.share, s.settled) },
  reverse: {
    label: "冲销",
    from: ["confirmed", "partSettled", "settled"],
    to: "reversed",
    unless: (s) => s.settled > 0 && "已有结算，请先撤销结算",
  },
  settle: {
    label: "结算",
    from: ["confirmed", "partSettled"],
    to: (s) => settledState(s.share, s.settled),
    unless: (s) => s.share === s.settled && "没有未结算的金额",
  },
});
export type SheetMove = Parameters<typeof SHEET_MOVES.next>[0];

/** Whether a contract holds in (part of) a month. */
export const covers = (contract: { startDate: Day; endDate: Day | null }, month: Month): boolean =>
  contract.startDate <= lastOf(month) && (contract.endDate === null || contract.endDate >= firstOf(month));

type Agreed = { villageIds: readonly number[]; startDate: Day; endDate: Day | null; enabled: boolean };

/** What stands in the way of a sheet of a partner, under the field that is wrong. */
export function sheetRefusal(
  partner: Agreed,
  { villageId, month }: { villageId: number; month: Month },
  today: Day,
): { field: "month" | "thirdPartyId"; msg: string } | undefined {
  if (month > monthOf(today)) return { field: "month", msg: "月份不能晚于本月" };
  if (!partner.enabled) return { field: "thirdPartyId", msg: "合作方已停用" };
  if (!partner.villageIds.includes(villageId) || !covers(partner, month))
    return { field: "thirdPartyId", msg: "合作协议不在有效期内" };
  return undefined;
}

/** A month's income belongs to its last day; while the month runs, to the day it is confirmed. */
export const earnedOn = (month: Month, today: Day): Day => minDay(lastOf(month), today);

type Sheet = { id: number; villageId: number; partyId: number; share: Fen; tax: Fen };

/** E27: our share is owed to us, its tax waits for an invoice. */
export const incomeEntry = ({ id, villageId, partyId, share, tax }: Sheet, on: Day): Entry => ({
  event: "E27",
  sourceType: "thirdPartyIncome",
  sourceId: id,
  businessDate: on,
  legs: [
    debit("1131", villageId, share, { partyId }),
    credit("6053", villageId, share - tax, { partyId }),
    credit("2222", villageId, tax, { partyId }),
  ],
});

/** E28 of money that came by a receipt of its own, and what the channel kept of it (E07). */
export const settledEntries = (flow: Booked, purse: Purse): Entry[] => [
  {
    event: "E28",
    sourceType: "flow",
    sourceId: flow.id,
    businessDate: flow.paidOn,
    legs: [
      debit(bookOf(purse.kind), purse.holderVillageId, flow.amount, {
        merchantAccountId: flow.merchantAccountId,
        flowId: flow.id,
        partyId: flow.partyId,
      }),
      credit("1131", flow.villageId, flow.amount, { partyId: flow.partyId, flowId: flow.id }),
    ],
  },
  ...feeEntry(flow, purse),
];

type LineUsed = { id: number; villageId: number; partyId: number; amount: Fen };

/** E28 of money that came to a company account and that nobody has claimed. */
export const lineSettledEntry = (settlement: LineUsed, line: { accountId: number; day: Day }): Entry => ({
  event: "E28",
  sourceType: "thirdPartySettlement",
  sourceId: settlement.id,
  businessDate: line.day,
  legs: [
    unclaimedLeg(line, settlement.amount),
    credit("1131", settlement.villageId, settlement.amount, { partyId: settlement.partyId }),
  ],
});
