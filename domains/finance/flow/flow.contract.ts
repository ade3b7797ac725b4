import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply, idList } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { ACCOUNTS } from "../account/account.contract.ts";
import { CHANNELS, NUMBERED } from "../account/channel.rules.ts";
import { keyOf } from "../allocation/allocation.rules.ts";
import { entryShown, momentShown } from "../journal/entry.contract.ts";
import { PAYERS } from "../payer/payer.contract.ts";
import { FLOW_DIRECTION, FLOW_KIND, FLOW_STATE, RECONCILE_STATE } from "./flow.rules.ts";
import { paidAt, payment, receiptPreview } from "./receive.contract.ts";
import { whyNotPeriod } from "../bill/make.rules.ts";

const flows = callsAt("/billing/api/v3/flow", "flow");

const day = f.dayInput("日期").optional();
const fen = z.coerce.number().int().optional();

export const FLOW_TABS = ["all", "pending", "rest", "reversed"] as const;
export type FlowTab = (typeof FLOW_TABS)[number];
export const FLOW_TAB: Record<FlowTab, string> = {
  all: "全部",
  pending: "待确认",
  rest: "未分配",
  reversed: "已冲销",
};

export const flowFilter = {
  villageIds: filter.villages(),
  direction: filter.choice("方向", FLOW_DIRECTION),
  channel: filter.choices("渠道", CHANNELS),
  accountIds: filter.records("账户", ACCOUNTS),
  state: filter.choices("状态", FLOW_STATE),
  kind: filter.choices("用途", FLOW_KIND),
  reconcile: filter.choices("对账", RECONCILE_STATE),
  partyId: filter.by(z.coerce.number().int().positive().optional(), {
    kind: "record",
    title: "客户",
    source: PAYERS,
  }),
  /** Flows that paid bills of this contract. */
  contractId: z.coerce.number().int().positive().optional(),
  ...filter.between("paidFrom", "paidTo", day, { kind: "days", title: "支付时间" }),
  ...filter.between("amountFrom", "amountTo", fen, { kind: "money", title: "金额" }),
  /** Only what has money left. */
  unallocated: filter.by(z.enum(["true", "false"]).optional(), { kind: "flag", title: "有未分配" }),
  keyword: filter.keyword("流水号、客户、房间、渠道流水号、备注"),
};

export const flowRow = z.object({
  id: f.id,
  flowNo: f.link("流水号"),
  paidAt: f.instant("支付时间"),
  direction: f.status("方向", FLOW_DIRECTION),
  kind: f.status("用途", FLOW_KIND),
  channel: f.status("渠道", CHANNELS),
  merchantAccountId: f.id,
  accountName: f.text("账户"),
  villageId: f.id,
  villageName: f.text("门店"),
  partyId: f.id.nullable(),
  partyKind: z.string().nullable(),
  partyName: f.person("客户").nullable(),
  roomId: f.id.nullable(),
  roomName: f.room("房间").nullable(),
  payerName: f.text("付款人"),
  amount: f.money("金额"),
  amountIn: f.money("收入").nullable(),
  amountOut: f.money("支出").nullable(),
  fee: f.money("手续费"),
  allocated: f.money("已分配"),
  refunded: f.money("已退款"),
  unallocated: f.money("未分配", { help: "已确认的收款中还没有用于账单的部分，即预存款" }),
  state: f.status("状态", FLOW_STATE),
  reconcileState: f.status("对账", RECONCILE_STATE),
  channelTradeNo: f.text("渠道流水号").nullable(),
  remark: f.text("备注"),
  submissionId: f.id.nullable(),
  submissionNo: f.link("缴款单").nullable(),
  submissionState: z.string().nullable(),
  creator: f.person("经办人"),
  createdBy: f.id.nullable(),
  /** Waits for approval. */
  frozen: z.boolean(),
  version: z.number().int(),
});
export type FlowRow = z.output<typeof flowRow>;

export const listFlows = flows.get("", "收支流水列表", "102.query", {
  query: pageQuery("paidAt", "amount").extend({
    ...flowFilter,
    tab: filter.tab(z.enum(FLOW_TABS).optional(), FLOW_TAB),
  }),
  reply: pageReply(
    flowRow,
    z.object({ amountIn: z.number(), amountOut: z.number(), fee: z.number(), unallocated: z.number() }),
  ),
});
export type FlowFilter = Omit<
  z.output<typeof listFlows.query>,
  "pageNo" | "pageSize" | "sort" | "order" | "want"
>;

/** What waits, whenever it was paid; so a filter of days does not count. */
export const countFlows = flows.get("/count", "待办流水笔数", "102.query", {
  query: z.object({ villageIds: flowFilter.villageIds }),
  reply: z.object({ pending: z.number().int(), rest: z.number().int() }),
});

export const exportFlows = exportOf({
  type: "flow",
  title: "收支流水",
  needs: "102.export",
  list: listFlows,
  filters: { contractId: "合同" },
});

const allocated = z.object({
  id: f.id,
  date: f.day("日期"),
  billId: f.id,
  billNo: f.link("账单号"),
  subject: f.text("费用"),
  dueDate: f.day("应收日"),
  periodStart: f.day("计费期起").nullable(),
  periodEnd: f.day("计费期止").nullable(),
  amount: f.money("金额"),
  undoesId: f.id.nullable(),
  undone: f.money("已撤销"),
  operator: f.person("经办人"),
});

export const flowDetail = flowRow.extend({
  partyPhone: f.phone("手机").nullable(),
  paidOn: f.day("业务日期"),
  outTradeNo: f.text("商户订单号"),
  payerAccount: f.bankCardNo("付款账号"),
  confirmedAt: f.instant("确认时间").nullable(),
  confirmer: f.person("确认人").nullable(),
  reversedAt: f.instant("冲销时间").nullable(),
  reverseReason: f.text("冲销或驳回原因").nullable(),
  createdAt: f.instant("录入时间"),
  today: z.string(),
  files: z.array(z.object({ id: f.id, name: z.string(), type: z.string(), size: z.number() })),
  allocations: z.array(allocated),
  entries: z.array(entryShown),
  log: z.array(momentShown),
});

export const getFlow = flows.get("/:id", "流水详情", "102.get", { reply: flowDetail });

/** As PDF, in the words of the store's template; the domain that keeps the templates answers it. */
export const flowReceipt = flows.get("/:id/receipt", "打印收据", "102.get", {
  // the first print fixes its words
  effect: "write",
  target: "flow",
  timeout: 120_000,
  perMinute: 120,
});

/** Money has reached bills. */
export const billPaid = event("bill.paid", z.object({ billIds: z.array(f.id), contractIds: z.array(f.id) }));

/** A flow is booked that a line of a statement has told of: the line is compared anew. */
export const flowTold = event("flow.told", z.object({ lineId: f.id }));

/** A flow is reversed: no line of a statement is its pair any more. */
export const flowReversed = event("flow.reversed", z.object({ id: f.id }));

const done = z.object({ id: f.id, state: z.string() });

/**
 * A movement that was missed: booked for a past moment and confirmed by somebody else. Money in belongs to a customer;
 * money out pays a cost that is booked.
 */
export const addFlow = flows.post("", "补录流水", "102.add", {
  money: true,
  body: z
    .object({
      villageId: f.pick("门店"),
      direction: f.choice("方向", FLOW_DIRECTION).default("in"),
      partyId: f.pick("客户").optional(),
      billId: f.pick("应付账单").optional(),
      roomId: f.pick("房间").nullable().optional(),
      amount: f.amount("金额"),
      ...payment,
      paidAt,
      fileIds: z.array(f.id).min(1, "请上传附件").max(9, "附件最多9个").meta({ title: "附件", kind: "file" }),
    })
    .superRefine((flow, ctx) => {
      const missing = (path: string, message: string) =>
        ctx.addIssue({ code: "custom", path: [path], message, input: flow });
      if (flow.direction === "in" && !flow.partyId) missing("partyId", "请选择客户");
      if (flow.direction === "out" && !flow.billId) missing("billId", "请选择应付账单");
      if (NUMBERED.includes(flow.channel) && !flow.channelTradeNo)
        missing("channelTradeNo", "请输入渠道流水号");
    }),
  reply: z.object({ id: f.id, flowNo: z.string(), waiting: z.string().nullable() }),
});

export const previewConfirm = flows.get("/:id/confirm", "试算待确认流水", "#10201", {
  reply: receiptPreview,
});

export const confirmFlow = flows.put("/:id/confirm", "确认流水到账", "#10201", {
  money: true,
  body: z.object({ previewHash: f.token().optional() }),
  reply: done,
});

export const confirmBatch = flows.put("/confirmBatch", "批量确认流水到账", "#10201", {
  money: true,
  body: z.object({ ids: f.ids().min(1, "请选择流水").max(200, "一次最多处理200笔") }),
  reply: z.object({ count: z.number().int() }),
});

export const rejectFlow = flows.put("/:id/reject", "驳回流水", "#10201", {
  body: z.object({ reason: f.reason() }),
  reply: done,
});

export const allocateFlow = flows.post("/:id/allocate", "分配流水", "#10203", {
  money: true,
  body: z.object({
    wants: z
      .array(z.object({ billId: f.id, lineId: f.id.nullable(), amount: f.amount("本次") }))
      .min(1, "请填写本次分配金额")
      .max(500, "一次最多选择500项费用")
      .refine(f.distinct(keyOf), "同一费用不能重复填写"),
  }),
  reply: done,
});

export const undoAllocation = flows.delete("/:id/allocation/:allocationId", "撤销分配", "#10203", {
  money: true,
  params: oneRecord.extend({ allocationId: z.coerce.number().pipe(f.id) }),
  reply: done,
});

export const reverseFlow = flows.post("/:id/reverse", "冲销流水", "#10202", {
  money: true,
  body: z.object({ reason: f.reason(), version: f.version }),
  reply: done.extend({ waiting: z.string().nullable() }),
});

/** With the number of the approval that the payment waits for, if any. */
const paidReply = z.object({
  billId: f.id,
  billNo: z.string(),
  id: f.id,
  flowNo: z.string(),
  waiting: z.string().nullable(),
});
const vouchers = z.array(f.id).max(9, "凭证最多9个").meta({ title: "凭证", kind: "file" });

export const costFlow = flows.post("/cost", "登记支出", "102.add", {
  money: true,
  body: z
    .object({
      villageId: f.pick("门店"),
      payeeName: f.input("供应商/收款人", 2, 60),
      feeSubjectId: f.pick("成本科目"),
      periodStart: f.dayInput("归属期起"),
      periodEnd: f.dayInput("归属期止"),
      amount: f.amount("金额"),
      paid: f.flag("是否已付"),
      /** Not paid yet: due on this day. */
      dueDate: f.dayInput("应付日").optional(),
      /** Paid: how, and with which papers. */
      ...payment,
      channel: payment.channel.optional(),
      merchantAccountId: payment.merchantAccountId.optional(),
      fileIds: vouchers.default([]),
    })
    .superRefine((cost, ctx) => {
      const wrong = (path: string, message: string) =>
        ctx.addIssue({ code: "custom", path: [path], message, input: cost });
      const period = whyNotPeriod(cost.periodStart, cost.periodEnd, "归属期");
      if (period) wrong("periodEnd", period);
      if (!cost.paid && !cost.dueDate) wrong("dueDate", "请选择应付日");
      if (!cost.paid) return;
      if (!cost.channel) wrong("channel", "请选择渠道");
      if (!cost.merchantAccountId) wrong("merchantAccountId", "请选择账户");
      if (!cost.fileIds.length) wrong("fileIds", "请上传凭证");
    }),
  reply: paidReply.extend({ id: f.id.nullable() }),
});

/** Pays a cost that was booked before. */
export const payFlow = flows.post("/pay", "支付应付账单", "102.add", {
  money: true,
  body: z.object({
    billId: f.pick("应付账单"),
    amount: f.amount("金额"),
    ...payment,
    fileIds: vouchers.min(1, "请上传凭证"),
  }),
  reply: paidReply,
});

/** Costs that are booked and not paid, for the picker. */
export const payables = flows.get("/payable", "未付应付账单选项", "102.add", {
  query: z.object({
    villageIds: idList,
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      billNo: f.link("账单号"),
      villageId: f.id,
      payeeName: f.person("收款人"),
      title: f.text("费用"),
      dueDate: f.day("应付日"),
      outstanding: f.money("未付"),
    }),
  ),
});

/** A bill that the company owes is paid. */
export const costPaid = event("cost.paid", z.object({ billId: f.id }));
