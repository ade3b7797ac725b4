import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { PAYERS } from "../payer/payer.contract.ts";
import { entryShown, momentShown } from "../journal/entry.contract.ts";
import { ATTEMPT_STATE, REFUND_SOURCE, REFUND_STATE, ROUTES, TAB_KEYS, TABS } from "./refund.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { bankCard } from "../../../platform/kernel/texts/contact.ts";
import { optional } from "../../../platform/kernel/validators.ts";
import { paidAt, tradeNo } from "../flow/receive.contract.ts";

export const refunds = callsAt("/billing/api/v3/refund", "refund");
const day = f.dayInput("日期").optional();
const fen = z.coerce.number().int().optional();
/** Whoever applies and whoever pays read the same records. */
export const READS = ["108.query", "244.query"] as const;

export const refundFilter = {
  villageIds: filter.villages(),
  source: filter.choices("来源", REFUND_SOURCE),
  route: filter.choices("方式", ROUTES),
  ...filter.between("appliedFrom", "appliedTo", day, { kind: "days", title: "申请日期" }),
  ...filter.between("paidFrom", "paidTo", day, { kind: "days", title: "支付日期" }),
  ...filter.between("amountFrom", "amountTo", fen, { kind: "money", title: "金额" }),
  partyId: filter.by(z.coerce.number().int().positive().optional(), {
    kind: "record",
    title: "客户",
    source: PAYERS,
  }),
};

export const refundRow = z.object({
  id: f.id,
  refundNo: f.link("退款单号"),
  source: f.status("来源", REFUND_SOURCE),
  sourceId: f.id,
  /** A reservation, a contract, or nothing that has a number. */
  sourceNo: f.link("来源单据").nullable(),
  reservationId: f.id.nullable(),
  contractId: f.id.nullable(),
  contractKind: z.string().nullable(),
  villageId: f.id,
  villageName: f.text("门店"),
  partyId: f.id,
  partyKind: z.string(),
  partyName: f.person("客户"),
  roomId: f.id.nullable(),
  roomName: f.room("房间").nullable(),
  amount: f.money("金额"),
  paid: f.money("已付"),
  route: f.status("方式", ROUTES),
  payeeName: f.person("收款人"),
  payeeBank: f.text("开户行"),
  payeeTail: f.text("账号"),
  reason: f.text("原因"),
  state: f.status("状态", REFUND_STATE),
  applicant: f.person("申请人"),
  createdAt: f.instant("申请时间"),
  paidAt: f.instant("支付时间").nullable(),
  failure: f.text("失败原因"),
  filedAt: f.instant("导出付款文件").nullable(),
  /** Waits for approval. */
  frozen: z.boolean(),
  version: f.version,
});
export type RefundRow = z.output<typeof refundRow>;

export const listRefunds = refunds.get("", "退款列表", READS, {
  query: pageQuery("createdAt", "amount", "paidAt").extend({
    ...refundFilter,
    tab: filter.tab(z.enum(TAB_KEYS).optional(), TABS),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "单号、客户、房间、收款人、账号后四位",
    }),
  }),
  reply: pageReply(
    refundRow,
    z.object({
      amount: f.money("金额"),
      approving: f.money("待审批"),
      toPay: f.money("待支付"),
      paying: f.money("支付中"),
      failed: f.money("失败"),
      paid: f.money("已退款"),
    }),
  ),
});
export type RefundQuery = z.output<typeof listRefunds.query>;
export type RefundFilter = Omit<RefundQuery, "pageNo" | "pageSize" | "sort" | "order" | "want">;

export const countRefunds = refunds.get("/count", "退款各状态笔数", READS, {
  query: listRefunds.query.omit({
    tab: true,
    pageNo: true,
    pageSize: true,
    sort: true,
    order: true,
    want: true,
  }),
  reply: z.record(z.string(), z.number()),
});

export const exportRefunds = exportOf({
  type: "refund",
  title: "退款管理",
  needs: ["108.export", "244.export"],
  list: listRefunds,
  personal: true,
});

const villageRow = z.object({
  id: f.id,
  villageName: f.link("门店"),
  applied: f.number("申请笔数", { unit: "笔" }),
  amount: f.money("申请金额"),
  approving: f.money("待审批"),
  toPay: f.money("待支付"),
  paying: f.money("支付中"),
  failed: f.money("失败"),
  paidCount: f.number("已退笔数", { unit: "笔" }),
  paid: f.money("已退款"),
  /** From the application to the payment. */
  days: f.number("平均用时", { unit: "天" }).nullable(),
  waiting: f.number("最久等待", { unit: "天" }).nullable(),
});

export type VillageRow = z.output<typeof villageRow>;

/** The same query, a row for each store. */
export const refundsByVillage = refunds.get("/byVillage", "门店退款列表", READS, {
  query: pageQuery("toPay", "amount", "paid").extend(refundFilter),
  reply: pageReply(villageRow, villageRow.omit({ id: true, villageName: true })),
});

export const exportRefundsByVillage = exportOf({
  type: "refundByVillage",
  title: "退款管理（门店）",
  needs: ["108.export", "244.export"],
  list: refundsByVillage,
});

export const getRefund = refunds.get("/:id", "退款详情", ["108.get", "244.get"], {
  target: "refund",
  reply: refundRow.extend({
    relation: f.text("与客户关系"),
    routeNote: f.text("方式说明"),
    approvedAt: f.instant("审批时间").nullable(),
    endReason: f.text("驳回或取消原因"),
    files: z.array(z.object({ id: f.id, name: z.string(), type: z.string(), size: z.number() })),
    parts: z.array(
      z.object({
        id: f.id,
        flowId: f.id.nullable(),
        flowNo: f.link("原流水"),
        paidOn: f.day("支付日").nullable(),
        amount: f.money("金额"),
      }),
    ),
    attempts: z.array(
      z.object({
        id: f.id,
        requestedAt: f.instant("提交时间"),
        route: f.status("方式", ROUTES),
        channelRefundNo: f.text("退款流水号"),
        accountName: f.text("账户"),
        amount: f.money("金额"),
        state: f.status("结果", ATTEMPT_STATE),
        message: f.text("说明"),
        flowId: f.id.nullable(),
        flowNo: f.link("付款流水").nullable(),
      }),
    ),
    entries: z.array(entryShown),
    log: z.array(momentShown),
  }),
});

/** An attempt to pay back is ready to be sent to its channel. */
export const refundSent = event("refund.sent", z.object({ id: f.id }));

/** A refund is paid or given up, or what was paid has come back. */
export const refundChanged = event("refund.changed", z.object({ id: f.id }));

/** A refund is booked that a line of a channel has told of: the line is compared anew. */
export const refundTold = event("refund.told", z.object({ lineId: f.id }));

const APPLIED = {
  prepaid: REFUND_SOURCE.prepaid,
  deposit: REFUND_SOURCE.deposit,
  earnest: REFUND_SOURCE.earnest,
};
const seen = z.object({ version: f.version });
const account = (value: string) => (bankCard(value) ? "请输入正确的银行账号" : undefined);

const payee = {
  payeeName: f.remark("收款人", 30).default(""),
  payeeBank: f.remark("开户行", 60).default(""),
  payeeAccount: f.checked("账号", optional(account), { max: 30, secrecy: "bank" }).default(""),
  relation: f.remark("与客户关系", 60).default(""),
  fileIds: z.array(f.id).max(9, "附件最多9个").default([]).meta({ title: "附件", kind: "file" }),
};

/** Money of a customer that can be asked back: every holding in the operator's villages. */
export const refundSources = refunds.get("/sources", "客户的可退款项", "108.add", {
  query: z.object({ partyId: z.coerce.number().pipe(f.id) }),
  reply: z.array(
    z.object({
      source: f.status("来源", APPLIED),
      sourceId: f.id,
      villageId: f.id,
      villageName: f.text("门店"),
      label: f.text("款项"),
      held: f.money("在管"),
      available: f.money("可退余额"),
    }),
  ),
});

/** Whose money, and which of it. */
export const refundFrom = {
  source: f.choice("来源", APPLIED),
  sourceId: f.pick("来源单据"),
  villageId: f.pick("门店"),
};

/** How much of each flow; without a flow it is money from before the take-over. */
const split = z
  .array(z.object({ flowId: f.id.nullable(), amount: f.amount("金额") }))
  .min(1, "请填写退回的款项")
  .max(100, "一次最多100笔收款")
  .refine(
    f.distinct((part: { flowId: number | null }) => part.flowId),
    "同一笔收款只能填写一次",
  )
  .meta({ title: "退回的款项", kind: "text" });
/** The same in the query of a preview: `flow:fen`, joined by dots; flow 0 is none. */
export const splitText = (parts: z.input<typeof split>): string =>
  parts.map(({ flowId, amount }) => `${flowId ?? 0}:${amount}`).join(".");
const typedSplit = f
  .token(3000)
  .transform((text) =>
    text.split(".").map((part) => {
      const [flow, fen] = part.split(":").map(Number);
      return { flowId: flow || null, amount: fen! };
    }),
  )
  .pipe(split);

/** What a refund would take, and by which ways it can go back. */
export const refundRoutes = refunds.get("/routes", "退款方式试算", "108.add", {
  query: z.object({
    source: z.enum(["prepaid", "deposit", "earnest"]),
    sourceId: z.coerce.number().pipe(f.id),
    villageId: z.coerce.number().pipe(f.id),
    amount: z.coerce.number().int().min(0).max(9_999_999_999),
    parts: typedSplit.optional(),
  }),
  reply: z.object({
    held: f.money("在管余额"),
    available: f.money("可退余额"),
    route: f.status("建议方式", ROUTES),
    why: z.string(),
    routes: z.array(z.object({ route: z.enum(["channel", "bank", "cash"]), why: z.string() })),
    /** Every flow behind it, the newest first. */
    shares: z.array(
      z.object({
        flowId: f.id.nullable(),
        flowNo: f.text("原流水"),
        channel: z.string(),
        paidOn: f.day("支付日").nullable(),
        available: f.money("可退"),
        /** What others that wait for approval want of that. */
        wanted: z.number(),
        amount: f.money("金额"),
      }),
    ),
    splitWhy: z.string(),
    hash: z.string(),
  }),
});

export const applyForRefund = refunds.post("", "申请退款", "108.add", {
  money: true,
  body: z.object({
    partyId: f.pick("客户"),
    ...refundFrom,
    amount: f.amount("退款金额"),
    reason: f.reason(),
    parts: split.optional(),
    route: f.choice("方式", ROUTES),
    ...payee,
    previewHash: f.token(),
  }),
  reply: z.object({ id: f.id, refundNo: z.string(), waiting: z.string().nullable() }),
});

export const cancelRefund = refunds.put("/:id/cancel", "取消退款", ["108.delete", "244.edit"], {
  money: true,
  body: seen.extend({ reason: f.reason() }),
  reply: z.null(),
});

export const payRefund = refunds.post("/:id/pay", "支付退款", "#24401", {
  money: true,
  body: seen,
  reply: z.null(),
});

/** Several that go back through their channels, each judged by itself. */
export const payRefunds = refunds.post("/pay", "批量支付退款", "#24401", {
  money: true,
  body: z.object({
    items: f.seenRecords("退款", "笔", 200),
  }),
  reply: z.object({ paid: z.number().int() }),
});

export const retryRefund = refunds.post("/:id/retry", "重试退款", "#24401", {
  money: true,
  body: seen,
  reply: z.null(),
});

export const rerouteRefund = refunds.post("/:id/reroute", "更换退款方式", "#24402", {
  money: true,
  body: seen.extend({ route: f.choice("方式", ROUTES), ...payee }),
  reply: z.object({ waiting: z.string().nullable() }),
});

export const confirmRefund = refunds.post("/:id/confirm", "确认退款已付", "#24401", {
  money: true,
  body: seen.extend({
    merchantAccountId: f.pick("付款账户"),
    paidAt: paidAt.optional(),
    channelTradeNo: f.checked("银行流水号", optional(tradeNo), { max: 64 }).default(""),
    remark: f.remark().default(""),
    fileIds: z.array(f.id).max(9, "附件最多9个").default([]).meta({ title: "付款凭证", kind: "file" }),
  }),
  reply: z.object({ flowNo: z.string() }),
});

export const returnRefund = refunds.post("/:id/returned", "登记退款被退回", "#24401", {
  money: true,
  body: seen.extend({ reason: f.reason("退回原因") }),
  reply: z.null(),
});

/** The bank did not carry out a payment of the file. */
export const failRefund = refunds.post("/:id/failed", "登记退款付款失败", "#24401", {
  money: true,
  body: seen.extend({ reason: f.reason("失败原因") }),
  reply: z.null(),
});

/** A file for the bank with whole account numbers; what stands in it waits for its confirmation. */
export const payoutFile = refunds.post("/payoutFile", "导出付款文件", "#24401", {
  body: z.object({
    items: f.seenRecords("退款", "笔", 500),
  }),
});

/** The whole account number, for whoever pays; the look is logged. */
export const revealAccount = refunds.post("/:id/account", "查看收款账号", "#24401", {
  reply: z.object({ account: f.wholeNumber("收款账号") }),
});
