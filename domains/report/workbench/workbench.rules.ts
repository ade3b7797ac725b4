import { addDays, dayNumber, type Day } from "../../../platform/kernel/day.ts";
import type { Need } from "../../../platform/kernel/call.ts";
import { WORKBENCH } from "../../approval/examine/engine.rules.ts";
import { ENDING_DAYS } from "../../contract/contract/contract.rules.ts";
import type { Occupancy } from "../../listing/status/status.rules.ts";

const BILLS = "/accountManage/BillListManage";
const BOARD = "/configuration/apartment";
const BOOKING = "/configuration/BookingManagement";
const RENTERS = "/contract/RenterContractPage";

export type ContractKind = "renter" | "company" | "merchant";

/** Where each kind of contract is listed, and what opens it. */
export const CONTRACT_LISTS: Record<ContractKind, { path: string; need: Need }> = {
  renter: { path: RENTERS, need: "9.query" },
  company: { path: "/contract/CompanyContractPage", need: "11.query" },
  merchant: { path: "/contract/merchantContractTable", need: "107.query" },
};

/** The kinds of contract that somebody may see. */
export const contractKinds = (may: (need: Need) => boolean): ContractKind[] =>
  (Object.keys(CONTRACT_LISTS) as ContractKind[]).filter((kind) => may(CONTRACT_LISTS[kind].need));

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
};

/** What can wait for somebody, in the order in which it is shown. */
export const TODOS = {
  approvals: {
    title: "待我审批",
    need: "login",
    path: WORKBENCH,
    query: () => ({ tab: "examine" }),
  },
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
  signing: { title: "待签署合同", need: "9.query", path: RENTERS, query: () => ({ tab: "signing" }) },
  dirty: { title: "待保洁房间", need: "3.query", path: BOARD, query: () => ({ cond: "dirty" }) },
} as const satisfies Record<string, Todo>;
export type TodoKey = keyof typeof TODOS;
export const TODO_KEYS = Object.keys(TODOS) as [TodoKey, ...TodoKey[]];
export const todoOf = (key: TodoKey): Todo => TODOS[key];

type FigureKind = "money" | "count" | "rate";
type Figure = {
  title: string;
  kind: FigureKind;
  need: Need;
  help: string;
  /** The page that has the records behind it, and its filter of that day. */
  path?: string;
  query?: (day: Day) => Record<string, string>;
};

/** Figures of a day, each with its formula in words. */
export const FIGURES = {
  collected: {
    title: "今日实收",
    kind: "money",
    need: ["99.query", "102.query"],
    path: "/report/dailyCollectionReport",
    query: (day) => ({ from: day, to: day }),
    help: "今日确认的收款减今日冲销，退款不计；与日收款报表合计一致",
  },
  newContracts: {
    title: "今日新签",
    kind: "count",
    need: ["9.query", "11.query", "107.query"],
    path: RENTERS,
    query: (day) => ({ signedFrom: day, signedTo: day, source: "new" }),
    help: "今日签署的新合同份数，续租、换房和期初导入不计",
  },
  movedIn: {
    title: "今日入住",
    kind: "count",
    need: ["9.query", "11.query", "107.query"],
    help: "今日办理交房入住的合同份数",
  },
  occupancyRate: {
    title: "今日出租率",
    kind: "rate",
    need: ["3.query", "79.query"],
    path: BOARD,
    query: () => ({ villageId: "0" }),
    help: "在租间数 ÷ 可租间数；维修、停用、自用的房间不计入可租",
  },
  vacant: {
    title: "空置间数",
    kind: "count",
    need: ["3.query", "79.query"],
    path: BOARD,
    query: () => ({ empty: "1" }),
    help: "可租间数减在租间数，已预订和待入住在租约开始前计为空置",
  },
  arrears: {
    title: "欠费余额",
    kind: "money",
    need: ["114.query", "26.query"],
    path: "/report/owingReport",
    help: "已出账、应收日已过仍未收的金额；与欠费报表合计一致",
  },
  newLeads: {
    title: "今日新增客源",
    kind: "count",
    need: "15.query",
    path: BOOKING,
    query: (day) => ({ tab: "all", createdFrom: day, createdTo: day }),
    help: "今日登记的客源数；没有查看全部客源的权限时只计自己的和公海的",
  },
} as const satisfies Record<string, Figure>;
export type FigureKey = keyof typeof FIGURES;
export const FIGURE_KEYS = Object.keys(FIGURES) as [FigureKey, ...FigureKey[]];
export const figureOf = (key: FigureKey): Figure => FIGURES[key];

/** The Monday of a day's week: 1970-01-01 was a Thursday. */
export const mondayOf = (day: Day): Day => addDays(day, -((dayNumber(day) + 3) % 7));
