import type { Need } from "../../../platform/kernel/call.ts";
import { type Day, addDays, dayNumber } from "../../../platform/kernel/day.ts";
import { WORKBENCH } from "../../approval/examine/engine.rules.ts";
import { ENDING_DAYS } from "../../contract/contract/contract.rules.ts";
import type { Occupancy } from "../../listing/status/status.rules.ts";
import { BOARD, BOOKING, RENTERS } from "../indicator/figure.rules.ts";

const BILLS = "/accountManage/BillListManage";

export const CONTRACT_KINDS = ["renter", "company", "merchant"] as const;
export type ContractKind = (typeof CONTRACT_KINDS)[number];

/** Where each kind of contract is listed, and what opens it. */
export const CONTRACT_LISTS: Record<ContractKind, { title: string; path: string; need: Need }> = {
  renter: { title: "租客合同", path: RENTERS, need: "9.query" },
  company: { title: "企业合同", path: "/contract/CompanyContractPage", need: "11.query" },
  merchant: { title: "商户合同", path: "/contract/merchantContractTable", need: "107.query" },
};

export const contractKinds = (may: (need: Need) => boolean): ContractKind[] =>
  CONTRACT_KINDS.filter((kind) => may(CONTRACT_LISTS[kind].need));

/** The occupancies in the order of the legend, and the colour of each one's tile. */
export const LEGEND: readonly (readonly [Occupancy, tile: string])[] = [
  ["occupied", "occupied"],
  ["expiring", "expiring"],
  ["leaving", "leaving"],
  ["holdingOver", "holding"],
  ["toMoveIn", "tomovein"],
  ["reserved", "reserved"],
  ["vacant", "vacant"],
];

/** Days after which a room that waits for cleaning is late. */
export const DIRTY_DAYS = 2;

type Todo = {
  title: string;
  need: Need;
  path: string;
  /** The filter of the list that has exactly this count. */
  query: (today: Day) => Record<string, string | number>;
  /** Behind the count, when nothing is late. */
  note?: string;
  /** Belongs to no store: the stores that are chosen make no difference. */
  storeless?: true;
};

/** What can wait for somebody, in the order in which it is shown. */
export const TODOS = {
  approvals: { title: "待我审批", need: "login", path: WORKBENCH, query: () => ({ tab: "examine" }) },
  returned: {
    title: "被驳回待修改",
    need: "login",
    path: WORKBENCH,
    query: () => ({ tab: "examine", box: "returned" }),
  },
  overdueBills: {
    title: "逾期账单",
    need: "26.query",
    path: BILLS,
    query: () => ({ tab: "overdue", direction: "receivable" }),
  },
  expiring: {
    title: "即将到期合同",
    need: "9.query",
    path: RENTERS,
    query: () => ({ tab: "ending" }),
    note: `${ENDING_DAYS} 天内`,
  },
  expiringCompany: {
    title: "即将到期企业合同",
    need: "11.query",
    path: CONTRACT_LISTS.company.path,
    query: () => ({ tab: "ending" }),
    note: `${ENDING_DAYS} 天内`,
  },
  expiringMerchant: {
    title: "即将到期商户合同",
    need: "107.query",
    path: CONTRACT_LISTS.merchant.path,
    query: () => ({ tab: "ending" }),
    note: `${ENDING_DAYS} 天内`,
  },
  holdingOver: { title: "到期未退", need: "3.query", path: BOARD, query: () => ({ occ: "holdingOver" }) },
  reservationsToday: {
    title: "今日预订",
    need: "15.query",
    path: BOOKING,
    query: () => ({ tab: "reservation", today: "1" }),
  },
  lapsedReservations: {
    title: "过期预订待处理",
    need: "15.query",
    path: BOOKING,
    query: () => ({ tab: "reservation", state: "lapsed", kept: "1" }),
  },
  viewings: {
    title: "今日看房",
    need: "15.query",
    path: BOOKING,
    query: () => ({ tab: "viewing", view: "list", today: "1" }),
  },
  leads: {
    title: "今日待跟进",
    need: "15.query",
    path: BOOKING,
    query: () => ({ tab: "mine", follow: "due" }),
  },
  moveIns: {
    title: "今日入住",
    need: "9.query",
    path: RENTERS,
    query: (today) => ({ flag: "toMoveIn", startFrom: today, startTo: today }),
  },
  leavings: {
    title: "今日退房",
    need: "72.query",
    path: "/contract/SettleRoomApplicationPage",
    query: (today) => ({ unsettled: "true", leaveFrom: today, leaveTo: today }),
  },
  signing: { title: "待签署合同", need: "9.query", path: RENTERS, query: () => ({ tab: "signing" }) },
  dirty: { title: "待保洁房间", need: "3.query", path: BOARD, query: () => ({ cond: "dirty" }) },
  claims: {
    title: "待认领流水",
    need: "97.query",
    path: "/accountManage/CorporateFlow",
    query: () => ({ tab: "unclaimed" }),
    storeless: true,
  },
  refunds: {
    title: "待付款退款",
    need: ["108.query", "244.query"],
    path: "/accountManage/RefundManage",
    query: () => ({ tab: "toPay" }),
  },
} as const satisfies Record<string, Todo>;

export type TodoKey = keyof typeof TODOS;

export const TODO_KEYS = Object.keys(TODOS) as [TodoKey, ...TodoKey[]];

export const todoOf = (key: TodoKey): Todo => TODOS[key];

/** The Monday of a day's week: 1970-01-01 was a Thursday. */
export const mondayOf = (day: Day): Day => addDays(day, -((dayNumber(day) + 3) % 7));

/** The cards of the workbench, each in its column. Announcements come from their own domain. */
export const CARDS = {
  todo: { title: "待办", column: "main" },
  figures: { title: "今日数据", column: "main" },
  pictures: { title: "近 30 天与今日房态", column: "main" },
  approvals: { title: "待我审批", column: "side" },
  news: { title: "公告", column: "side" },
  quick: { title: "快捷操作与常用功能", column: "side" },
  week: { title: "本周", column: "side" },
} as const;
export type CardKey = keyof typeof CARDS;
export const CARD_KEYS = Object.keys(CARDS) as CardKey[];
export type Column = "main" | "side";

/** What one person wants to see: cards that are off, figures that are hidden, cards in an order of their own. */
export type Arrangement = {
  cards: Partial<Record<CardKey, boolean>>;
  figures: readonly string[];
  order?: readonly CardKey[];
};
export const EVERYTHING: Arrangement = { cards: {}, figures: [] };

/** Figures that stand on the workbench at once. */
export const MOST_FIGURES = 8;

/** The cards of a column in a person's order; what came with a later version stands at the end. */
export function columnOf({ order = [] }: Arrangement, column: Column): CardKey[] {
  const known = order.filter((key) => key in CARDS);
  return [...new Set([...known, ...CARD_KEYS])].filter((key) => CARDS[key].column === column);
}

export const isOn = ({ cards }: Arrangement, key: CardKey): boolean => cards[key] !== false;
