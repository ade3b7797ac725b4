import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { AGENTS } from "../../customer/agent/agent.contract.ts";
import { BUILDINGS } from "../../finance/bill-list/bill.contract.ts";
import { ACTIVITIES } from "../activity/activity.contract.ts";
import { MOVE_IN_RULES } from "../config/config.rules.ts";
import { HELD, PHASES, STATES, type State } from "./contract.rules.ts";
import { TEMPLATES } from "../template/template.contract.ts";
import { CONTRACT_KINDS, KIND_WORDS, ofAnyKind } from "../terms/kind.rules.ts";

const base = "/contract/api/v3/contract";
export const contracts = callsAt(base, "contract");
export const TABS = [
  "all",
  "draft",
  "approving",
  "signing",
  "toStart",
  "living",
  "ending",
  "expired",
  "leaving",
  "ended",
  "voided",
] as const;
export type ContractTab = (typeof TABS)[number];
export const TAB_WORDS: Record<ContractTab, string> = {
  all: "全部",
  draft: "草稿",
  approving: "审批中",
  signing: "待签署",
  toStart: "待生效",
  living: "在租",
  ending: "即将到期",
  expired: "到期未退",
  leaving: "退租中",
  ended: "已结束",
  voided: "作废",
};

export const FLAGS = {
  approving: ["待审批", "blue"],
  signing: ["签约中", "gold"],
  toMoveIn: ["待入住", "cyan"],
  owing: ["欠费", "red"],
  unsettled: ["到期未结账", "orange"],
  leaving: ["退租中", "purple"],
} as const satisfies f.Words;
export const SOURCES = {
  new: ["新签", "grey"],
  renewal: ["续租", "grey"],
  changeRoom: ["换房", "grey"],
  changeTenant: ["转租", "grey"],
  import: ["导入", "grey"],
} as const satisfies f.Words;
export const SIGN_MODES = {
  offline: ["线下", "grey"],
  electronic: ["电子", "grey"],
} as const satisfies f.Words;
export const CYCLE_WORDS = {
  "1": ["月付", "grey"],
  "2": ["两月付", "grey"],
  "3": ["季付", "grey"],
  "6": ["半年付", "grey"],
  "12": ["年付", "grey"],
  "0": ["一次性付清", "grey"],
} as const satisfies f.Words;

/** What the moves look at, so that the console greys out by the same table as the server. */
export const factsShape = z.object({
  today: z.string(),
  start: z.string().nullable(),
  handoverOn: z.string().nullable(),
  submitted: z.boolean(),
  received: z.number().int(),
  invoiced: z.number().int(),
  firstOpen: z.number().int(),
  depositOpen: z.number().int(),
  moveInRule: z.enum(Object.keys(MOVE_IN_RULES) as [keyof typeof MOVE_IN_RULES]),
  roomHeld: z.object({ why: z.enum(HELD), room: z.string() }).nullable(),
  mayOverride: z.boolean(),
  mayWithdraw: z.boolean(),
  frozen: z.enum(["mine", "others"]).nullable(),
});

export const contractRow = z.object({
  id: f.id,
  kind: z.enum(CONTRACT_KINDS),
  version: f.version,
  contractNo: f.link("合同号"),
  villageId: f.id,
  villageName: f.text("门店"),
  roomId: f.id.nullable(),
  roomNames: f.room("房间"),
  partyId: f.id.nullable(),
  partyName: f.person("租客"),
  partyPhone: f.phone("手机号"),
  startDate: f.day("起租日").nullable(),
  endDate: f.day("到期日").nullable(),
  /** Days to the end while rent runs, counted from today; negative once it has passed. */
  daysLeft: f.number("剩余天数").nullable(),
  /** From so many days before its end on it may be renewed. */
  windowDays: f.number("可续租期", { unit: "天" }),
  payText: f.text("付款方式"),
  currentRent: f.money("月租金").nullable(),
  netRent: f.money("折后月租").nullable(),
  depositHeld: f.money("押金在管"),
  depositAmount: f.money("约定押金").nullable(),
  nextDueOn: f.day("下次应收").nullable(),
  nextDueFen: f.money("下次应收金额").nullable(),
  overdue: f.money("欠费", { help: "已出账且过了应收日的未收金额" }),
  phase: f.status("状态", PHASES),
  state: z.enum(Object.keys(STATES) as [State]),
  flags: f.tags("标记", FLAGS),
  signMode: f.status("签署", SIGN_MODES),
  source: f.status("来源", SOURCES),
  signerName: f.person("签约人"),
  managerName: f.person("管家"),
  channel: f.text("渠道"),
  agentId: f.id.nullable(),
  agentName: f.text("经纪人"),
  /** Empty: the customer's usual one. */
  invoiceTitle: f.text("开票抬头"),
  signedOn: f.day("签约日").nullable(),
  updatedAt: f.instant("更新时间"),
  facts: factsShape,
});
export type ContractRow = z.input<typeof contractRow>;

/** Whether a company is billed for all rooms at once. */
export const BILLING_WORDS = {
  false: ["统一账单", "grey"],
  true: ["按房间账单", "grey"],
} as const satisfies f.Words;

/** Everything a list of contracts can be narrowed by; counts, charts and export take the same. */
export const contractFilter = z.object({
  kind: filter.by(z.enum(CONTRACT_KINDS).default("renter"), {
    kind: "choice",
    title: "合同",
    words: KIND_WORDS,
  }),
  villageIds: filter.villages(),
  /** Just these, such as the picked ones. */
  ids: idList,
  buildingId: filter.by(z.coerce.number().int().positive().optional(), {
    kind: "record",
    title: "楼栋",
    source: BUILDINGS,
  }),
  roomId: z.coerce.number().int().positive().optional(),
  partyId: z.coerce.number().int().positive().optional(),
  /** Those that an enquiry has become. */
  leadId: z.coerce.number().int().positive().optional(),
  keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
    kind: "keyword",
    title: "合同号、租客、手机号、房间",
  }),
  ...filter.between("startFrom", "startTo", f.dayInput("起租日").optional(), {
    kind: "days",
    title: "起租日",
  }),
  ...filter.between("endFrom", "endTo", f.dayInput("到期日").optional(), { kind: "days", title: "到期日" }),
  ...filter.between("signedFrom", "signedTo", f.dayInput("签约日").optional(), {
    kind: "days",
    title: "签约日",
  }),
  cycle: filter.choice("付款方式", CYCLE_WORDS),
  source: filter.choice("来源", SOURCES),
  /** Contracts that name an offer, drafts too. */
  activityId: filter.record("优惠活动", ACTIVITIES),
  templateId: filter.record("合同模板", TEMPLATES),
  flag: filter.choice("标记", FLAGS),
  managerId: filter.by(z.coerce.number().int().positive().optional(), {
    kind: "record",
    title: "管家",
    source: PEOPLE,
  }),
  signerId: filter.by(z.coerce.number().int().positive().optional(), {
    kind: "record",
    title: "签约人",
    source: PEOPLE,
  }),
  agentId: filter.record("经纪人", AGENTS),
  signMode: filter.choice("签署方式", SIGN_MODES),
  ...filter.between("roomsFrom", "roomsTo", z.coerce.number().int().min(0).max(9999).optional(), {
    kind: "range",
    title: "房间数",
    unit: "间",
  }),
  /** One bill a period for all rooms, or one for each room. */
  billPerRoom: filter.choice("结算方式", BILLING_WORDS),
  /** Late money, or none. */
  owing: filter.by(z.enum(["true", "false"]).optional(), { kind: "flag", title: "是否欠费" }),
  voided: filter.by(z.enum(["true", "false"]).optional(), { kind: "flag", title: "是否作废" }),
});
export type ContractFilter = z.output<typeof contractFilter>;

/** The query of a list of contracts of whatever kind. */
export const contractQuery = pageQuery("startDate", "endDate", "currentRent", "overdue", "signedOn").extend({
  ...contractFilter.shape,
  tab: filter.tab(z.enum(TABS).default("all"), TAB_WORDS),
});
export const contractSums = z.object({
  rooms: f.number("房间数"),
  currentRent: f.money("月租金"),
  depositHeld: f.money("押金在管"),
  overdue: f.money("欠费"),
});

export const listContracts = contracts.get("", "合同列表", ofAnyKind("query"), {
  query: contractQuery,
  reply: pageReply(contractRow, contractSums),
});

export const exportContracts = exportOf({
  type: "contract",
  title: "租客合同",
  needs: "9.export",
  list: listContracts,
});

/** The papers of signed contracts: as they were signed where they were kept, else printed anew. */
export const packPapers = exportOf({
  type: "contractPapers",
  title: "合同文件",
  needs: ofAnyKind("get"),
  list: listContracts,
  path: `${base}/papers`,
  packed: "zip",
  most: 200,
});

export const countContracts = contracts.get("/count", "合同分类数量", ofAnyKind("query"), {
  query: contractFilter,
  reply: z.object(
    Object.fromEntries(TABS.map((tab) => [tab, z.number().int()])) as Record<ContractTab, z.ZodNumber>,
  ),
});

export const expiryChart = contracts.get("/expiryChart", "到期与签约趋势", ofAnyKind("query"), {
  query: contractFilter,
  reply: z.object({
    /** Contracts in force by the month of their last day: this month and eleven more. */
    ending: z.array(z.object({ month: f.month("月份"), count: f.number("份"), rent: f.money("月租金") })),
    /** The last twelve months. */
    trend: z.array(z.object({ month: f.month("月份"), signed: f.number("签约"), left: f.number("退租") })),
  }),
});

/** Each contract for itself: what stands in the way of one leaves the others. */
export const changeKeeper = contracts.put("/manager", "更换合同管家", ofAnyKind("edit"), {
  body: z.object({
    ids: z.array(f.id).min(1, "请选择合同").max(200, "一次最多处理200份"),
    managerId: f.pick("管家"),
  }),
  reply: z.object({
    changed: z.number().int(),
    rows: z.array(
      z.object({
        id: f.id,
        contractNo: f.text("合同号"),
        partyName: f.text("客户"),
        before: f.text("原管家"),
        /** Null: done. */
        refusal: z.string().nullable(),
      }),
    ),
  }),
});

const contractOption = z.object({
  id: f.id,
  contractNo: f.text("合同号"),
  partyName: f.text("租客"),
  roomNames: f.room("房间"),
  phase: f.status("状态", PHASES),
  startDate: f.day("起租日").nullable(),
  endDate: f.day("到期日").nullable(),
});

/** For pickers of other screens. */
export const contractOptions = contracts.get(
  "/options",
  "合同选项",
  [...ofAnyKind("query"), "26.query", "102.query", "72.query", "96.query"],
  {
    query: z.object({
      keyword: z.string().trim().max(50).optional(),
      ids: idList,
      villageId: z.coerce.number().int().positive().optional(),
      roomId: z.coerce.number().int().positive().optional(),
      partyId: z.coerce.number().int().positive().optional(),
      state: z.enum(Object.keys(STATES) as [State]).optional(),
      pageSize: z.coerce.number().int().min(1).max(200).default(20),
    }),
    reply: z.array(contractOption),
  },
);
export const CONTRACTS: filter.Source = {
  call: contractOptions,
  option: (c: z.infer<typeof contractOption>) => ({
    value: c.id,
    label: `${c.contractNo} ${c.partyName}`,
    note: `${c.roomNames} · ${PHASES[c.phase][0]} · 至 ${c.endDate ?? ""}`,
  }),
};
