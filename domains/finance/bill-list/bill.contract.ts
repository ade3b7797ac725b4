import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { frozenShape } from "../../approval/examine/examine.contract.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { type LineKind, BILL_SOURCE, BILL_STATUS, DIRECTION, PARTY_KIND } from "../bill/bill.rules.ts";
import { entryShown, momentShown } from "../journal/entry.contract.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { roomLabel } from "../../../platform/kernel/texts/names.ts";
import { extraColumns, idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { SUBJECTS } from "../subject/subject.contract.ts";

const bills = callsAt("/billing/api/v3/bill");

/** For the filters of lists of bills and of contracts: buildings in scope, by store and place. */
export const buildingOptions = callsAt("/billing/api/v3/building/options").get(
  "",
  "楼栋选项",
  ["26.query", "9.query"],
  {
    query: z.object({
      villageIds: idList,
      ids: idList,
      keyword: z.string().trim().max(50).optional(),
      pageSize: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.array(
      z.object({ id: f.id, name: f.text("楼栋"), villageId: f.id, villageName: f.text("门店") }),
    ),
  },
);

export const BUILDINGS: Source = {
  call: buildingOptions,
  option: (b: { id: number; name: string; villageName: string }) => ({
    value: b.id,
    label: b.name,
    note: b.villageName,
  }),
};

/** Rooms of one store or of all, by what is typed. */
export const ROOMS: Source = {
  call: roomOptions,
  query: { limit: 20 },
  option: (r: { id: number; fullName: string }) => ({ value: r.id, label: roomLabel(r.fullName) }),
};

export const BILL_TABS = ["open", "overdue", "month", "plan", "paid", "void", "all"] as const;
export type BillTab = (typeof BILL_TABS)[number];
export const BILL_TAB: Record<BillTab, string> = {
  open: "待收",
  overdue: "逾期",
  month: "本月应收",
  plan: "未出账",
  paid: "已付",
  void: "作废",
  all: "全部",
};

export type BillTag =
  | "approving"
  | "settling"
  | "plan"
  | "disputed"
  | "writtenOff"
  | "invoiced"
  | "partInvoiced";
export const BILL_TAGS: Words<BillTag> = {
  approving: ["审批中", "blue"],
  settling: ["结算中", "blue"],
  plan: ["未出账", "grey"],
  disputed: ["争议", "purple"],
  writtenOff: ["已核销", "grey"],
  invoiced: ["已开票", "grey"],
  partInvoiced: ["部分开票", "grey"],
};

const FILTER_TAGS = {
  overdue: ["逾期", "red"],
  approving: ["审批中", "blue"],
  disputed: ["争议", "purple"],
  writtenOff: ["已核销", "grey"],
  uninvoiced: ["未开票", "grey"],
} as const satisfies Words;

const day = f.dayInput("日期").optional();
const fen = z.coerce.number().int().optional();

/** What every reading of the bill list is filtered by. */
export const billFilter = {
  villageIds: filter.villages(),
  buildingIds: filter.records("楼栋", BUILDINGS),
  roomIds: filter.records("房间", ROOMS),
  partyId: z.coerce.number().int().positive().optional(),
  contractId: z.coerce.number().int().positive().optional(),
  partyKind: filter.choices("客户类型", PARTY_KIND),
  subjectIds: filter.records("费用", SUBJECTS),
  status: filter.choices("状态", BILL_STATUS),
  tag: filter.choices("标记", FILTER_TAGS),
  source: filter.choices("来源", BILL_SOURCE),
  direction: filter.choice("方向", DIRECTION),
  ...filter.between("dueFrom", "dueTo", day, { kind: "days", title: "应收日" }),
  ...filter.between("periodFrom", "periodTo", day, { kind: "days", title: "计费期" }),
  ...filter.between("amountFrom", "amountTo", fen, { kind: "money", title: "应收金额" }),
  keyword: filter.keyword("账单号、客户、手机号、房间、合同号"),
};

export const billRow = z.object({
  id: f.id,
  billNo: f.link("账单号"),
  villageId: f.id,
  villageName: f.text("门店"),
  roomId: f.id.nullable(),
  roomName: f.room("房间").nullable(),
  partyId: f.id,
  partyKind: f.status("客户类型", PARTY_KIND),
  partyName: f.person("客户"),
  contractId: f.id.nullable(),
  contractNo: f.link("合同号").nullable(),
  title: f.text("账单名称"),
  subjects: f.text("费用"),
  periodStart: f.day("计费期起").nullable(),
  periodEnd: f.day("计费期止").nullable(),
  dueDate: f.day("应收日"),
  daysOverdue: f.number("逾期天数").nullable(),
  amount: f.money("应收金额"),
  adjusted: f.money("减免调整"),
  settled: f.money("已收", { help: "含押金抵扣" }),
  writtenOff: f.money("核销"),
  outstanding: f.money("未收"),
  lateFee: f.money("预计滞纳金", { help: "按今天试算，尚未入账" }).nullable(),
  status: f.status("状态", BILL_STATUS),
  tags: f.tags("标记", BILL_TAGS),
  invoiced: f.money("已开票"),
  issueDate: f.day("出账日"),
  direction: f.status("方向", DIRECTION),
  source: f.status("来源", BILL_SOURCE),
  /** The approval that it waits for, if any. */
  frozen: frozenShape.nullable(),
  version: z.number().int(),
});
export type BillRow = z.output<typeof billRow>;

const sums = z.object({
  amount: z.number(),
  adjusted: z.number(),
  settled: z.number(),
  writtenOff: z.number(),
  outstanding: z.number(),
  invoiced: z.number(),
});

export const listBills = bills.get("", "账单列表", "26.query", {
  query: pageQuery("dueDate", "amount", "outstanding", "daysOverdue").extend({
    ...billFilter,
    tab: filter.tab(z.enum(BILL_TABS).optional(), BILL_TAB),
    /** ?overdue=1 is the tab 逾期. */
    overdue: filter.tab(z.enum(["0", "1"]).optional(), { 1: BILL_TAB.overdue, 0: BILL_TAB.all }),
    also: extraColumns("lateFee"),
  }),
  reply: pageReply(billRow, sums),
});

export const countBills = bills.get("/count", "各页签账单笔数", "26.query", {
  query: z.object(billFilter),
  reply: z.object({
    open: z.number().int(),
    overdue: z.number().int(),
    month: z.number().int(),
    plan: z.number().int(),
    paid: z.number().int(),
    void: z.number().int(),
    all: z.number().int(),
  }),
});
export type BillFilter = z.output<typeof countBills.query>;

export const exportBills = exportOf({
  type: "bill",
  title: "账单管理",
  needs: "26.export",
  list: listBills,
});

export const LINE_KIND: Words<LineKind> = {
  normal: ["费用", "grey"],
  adjust: ["调整", "grey"],
  trim: ["缩短租期", "grey"],
  lateFee: ["滞纳金", "grey"],
};
export const ALLOCATION_KIND = {
  money: ["收款", "grey"],
  deposit: ["押金抵扣", "grey"],
  earnest: ["定金转入", "grey"],
  writeOff: ["核销", "grey"],
} as const satisfies Words;

const said = z.tuple([z.string(), z.string()]);

export const billLine = z.object({
  id: f.id,
  feeSubjectId: f.id,
  subject: f.text("费用"),
  subjectKind: z.string(),
  kind: f.status("类别", LINE_KIND),
  roomName: f.room("房间").nullable(),
  periodStart: f.day("计费期起").nullable(),
  periodEnd: f.day("计费期止").nullable(),
  /** Nothing where the amount is no price times a number. */
  priced: f.text("单价×数量"),
  taxWord: f.text("税率"),
  tax: f.money("税额"),
  amount: f.money("金额"),
  adjusted: f.money("减免调整"),
  settled: f.money("已收"),
  writtenOff: f.money("核销"),
  outstanding: f.money("未收"),
  adjustsLineId: f.id.nullable(),
  reason: f.text("原因"),
  createdAt: f.instant("时间"),
  operator: f.person("操作人"),
  said: z.array(said),
});

const allocation = z.object({
  id: f.id,
  date: f.day("日期"),
  kind: f.status("方式", ALLOCATION_KIND),
  flowId: f.id.nullable(),
  flowNo: f.link("流水号").nullable(),
  channel: f.status("渠道", CHANNELS).nullable(),
  paidOn: f.day("支付日").nullable(),
  subject: f.text("费用"),
  amount: f.money("金额"),
  undoesId: f.id.nullable(),
  undone: f.money("已撤销"),
  operator: f.person("经办人"),
});

const segment = z.object({
  from: f.day("起"),
  to: f.day("止"),
  because: f.text("分段原因"),
  principal: f.money("欠款本金"),
  days: f.number("天数"),
  rate: f.text("日利率"),
  fee: f.money("滞纳金"),
});

export const billDetail = billRow.extend({
  lateFee: f.money("预计滞纳金", { help: "按今天试算，尚未入账" }),
  partyPhone: f.phone("手机"),
  issuedAt: f.instant("出账时间").nullable(),
  graceDays: f.number("宽限期", { unit: "天" }),
  lateFeeRate: f.text("滞纳金日利率"),
  lateFeeCap: f.percent("滞纳金上限"),
  disputedFrom: f.day("争议起").nullable(),
  disputedTo: f.day("争议止").nullable(),
  remark: f.text("备注"),
  voidReason: f.text("作废原因").nullable(),
  voidedAt: f.instant("作废时间").nullable(),
  createdAt: f.instant("生成时间"),
  creator: f.person("生成人"),
  /** Days overdue after which it may be written off, from the village's settings. */
  writeOffMinDays: z.number().int(),
  today: z.string(),
  lines: z.array(billLine),
  allocations: z.array(allocation),
  late: z.object({
    segments: z.array(segment),
    days: f.number("天数"),
    total: f.money("滞纳金合计"),
    frozen: f.money("已入账"),
    expected: f.money("未入账"),
    capped: f.flag("已到上限"),
  }),
  entries: z.array(entryShown),
  log: z.array(momentShown),
});

export const getBill = bills.get("/:id", "账单详情", "26.get", { reply: billDetail });

export const explainBill = bills.get("/:id/explain", "重算账单", "26.get", {
  reply: z.object({
    at: f.instant("重算时间"),
    lines: z.array(
      z.object({
        id: f.id,
        said: z.array(said),
        amount: f.money("账单金额"),
        /** null: typed in by hand, nothing to work out. */
        again: f.money("重算金额").nullable(),
        diff: f.money("相差"),
      }),
    ),
  }),
});
