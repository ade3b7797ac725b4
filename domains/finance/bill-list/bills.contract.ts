import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { roomLabel } from "../../../platform/kernel/names.ts";
import { extraColumns, idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { BILL_SOURCE, BILL_STATUS, DIRECTION, PARTY_KIND } from "../bill/bill.rules.ts";
import { SUBJECTS } from "../subject/subject.contract.ts";

const bills = callsAt("/billing/api/v3/bill");

/** For the filters of lists of bills and of contracts: buildings in scope, by store and place. */
export const buildingOptions = call({
  method: "GET",
  path: "/billing/api/v3/building/options",
  summary: "楼栋选项",
  needs: ["26.query", "9.query"],
  query: z.object({
    villageIds: idList,
    ids: idList,
    keyword: z.string().trim().max(50).optional(),
    pageSize: z.coerce.number().int().min(1).max(200).default(50),
  }),
  reply: z.array(z.object({ id: f.id, name: f.text("楼栋"), villageId: f.id, villageName: f.text("门店") })),
});

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

export type BillTag = "approving" | "plan" | "disputed" | "writtenOff" | "invoiced" | "partInvoiced";
export const BILL_TAGS: Words<BillTag> = {
  approving: ["审批中", "blue"],
  plan: ["未出账", "grey"],
  disputed: ["争议", "purple"],
  writtenOff: ["已核销", "grey"],
  invoiced: ["已开票", "grey"],
  partInvoiced: ["部分开票", "grey"],
};

const FILTER_TAGS = {
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

/** What it waits for, for whom and since when. `opens` says whether the reader may open the approval. */
export const frozenBill = z.object({
  examineId: f.id,
  examineNo: z.string(),
  title: z.string(),
  node: z.string(),
  waitingFor: z.string(),
  since: z.string(),
  opens: z.boolean(),
  /** Submitted by the reader. */
  mine: z.boolean(),
  version: z.number().int(),
});

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
  frozen: frozenBill.nullable(),
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
    tab: z.enum(BILL_TABS).optional(),
    /** ?overdue=1 is the tab 逾期. */
    overdue: z.enum(["0", "1"]).optional(),
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
  title: "账单",
  needs: "26.export",
  list: listBills,
  filters: { tab: "页签" },
});
