import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { ACCOUNT_KIND, ACCOUNTS, ENTERPRISES } from "../account/account.contract.ts";
import { HOLDER } from "../account/account.rules.ts";
import { payment } from "../flow/receive.contract.ts";
import { refundFrom } from "../refund/refund.contract.ts";
import { DAY_STATE, NOTED, RESOLUTION, RESULT } from "./reconcile.rules.ts";

const items = callsAt("/billing/api/v3/reconcile", "reconcile");
const anId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

export const calendarFilter = {
  month: filter.by(f.monthInput("月份").optional(), { kind: "month", title: "月份" }),
  kind: filter.choices("账户类型", ACCOUNT_KIND),
  enterpriseId: filter.record("企业", ENTERPRISES),
  holder: filter.choice("持有方", HOLDER),
};
const dayCell = z.object({
  day: z.string(),
  state: z.enum(Object.keys(DAY_STATE) as ["none", "different", "balanced"]),
  /** Differences that nobody has explained. */
  open: z.number().int(),
  ours: z.number(),
  theirs: z.number(),
});
export const calendar = items.get("/calendar", "对账日历", "25.query", {
  query: z.object(calendarFilter),
  reply: z.object({
    month: z.string(),
    days: z.number().int(),
    accounts: z.array(
      z.object({
        id: f.id,
        name: z.string(),
        kind: z.enum(Object.keys(ACCOUNT_KIND) as [keyof typeof ACCOUNT_KIND]),
        holderName: z.string(),
        /** Statements come through the claims of company transfers. */
        claimed: z.boolean(),
        days: z.array(dayCell),
      }),
    ),
    /** Days with a difference, and what they come to. */
    openDays: z.number().int(),
    diff: z.number(),
  }),
});
export type Calendar = z.output<typeof calendar.reply>;

const ofDay = {
  merchantAccountId: filter.by(anId.optional(), { kind: "record", title: "账户", source: ACCOUNTS }),
  ...filter.between("dayFrom", "dayTo", f.dayInput("日期").optional(), { kind: "days", title: "日期" }),
};
export const reconcileFilter = {
  ...ofDay,
  result: filter.choice("结果", RESULT),
  open: filter.by(z.enum(["true", "false"]).optional(), { kind: "flag", title: "只看未处理" }),
  keyword: filter.keyword("流水号、渠道单号、商户订单号"),
};
export const reconcileRow = z.object({
  id: f.id,
  result: f.status("结果", RESULT),
  day: f.day("日期"),
  accountName: f.text("账户"),
  accountKind: z.enum(Object.keys(ACCOUNT_KIND) as [keyof typeof ACCOUNT_KIND]),
  /** The store that holds the account; nothing for head office. */
  holderVillageId: f.id.nullable(),
  flowId: f.id.nullable(),
  flowNo: f.link("系统流水号").nullable(),
  channelTradeNo: f.text("渠道单号").nullable(),
  outTradeNo: f.text("商户订单号").nullable(),
  paidAt: f.instant("系统时间").nullable(),
  occurredAt: f.instant("渠道时间").nullable(),
  direction: z.enum(["in", "out"]),
  ours: f.money("系统金额").nullable(),
  theirs: f.money("渠道金额").nullable(),
  diff: f.money("差额"),
  fee: f.money("手续费").nullable(),
  feeFixed: f.money("手续费更正"),
  counter: f.text("对方"),
  summary: f.text("摘要"),
  resolution: f.status("处理", RESOLUTION).nullable(),
  note: f.text("说明"),
  resolver: f.person("处理人").nullable(),
  byHand: f.flag("手工匹配"),
  raw: z.array(z.string()).nullable(),
  /** Its place in the statement. */
  lineNo: z.number().int().nullable(),
  /** Who paid what a channel has given back, where that is known. */
  payerId: f.id.nullable(),
  /** The refund that it pays once that is approved. */
  refundId: f.id.nullable(),
  refundNo: f.link("退款单号").nullable(),
  /** The flow that records it and waits to be confirmed. */
  recordNo: f.link("补录流水").nullable(),
  version: f.version,
});
export type ReconcileFilter = {
  [K in keyof typeof reconcileFilter]: z.output<(typeof reconcileFilter)[K]>;
};
export type ReconcileRow = z.output<typeof reconcileRow>;
export const listReconcile = items.get("", "对账明细", "25.query", {
  query: pageQuery("day", "diff").extend(reconcileFilter),
  reply: pageReply(
    reconcileRow,
    z.object({
      ours: z.number(),
      theirs: z.number(),
      diff: z.number(),
      fee: z.number(),
      /** How many movements each side has, and what the difference is made of. */
      hereCount: z.number().int(),
      thereCount: z.number().int(),
      onlyHere: z.number(),
      onlyThere: z.number(),
      amountDiffers: z.number(),
    }),
  ),
});
/** How many records of each result, and what their differences come to. */
export const countReconcile = items.get("/count", "对账结果笔数", "25.query", {
  query: z.object(ofDay),
  reply: z.object({
    all: z.number().int(),
    ...Object.fromEntries(Object.keys(RESULT).map((key) => [key, z.number().int()])),
    diff: z.object({ onlyHere: z.number(), onlyThere: z.number(), amountDiffers: z.number() }),
  }),
});
export const exportReconcile = exportOf({
  type: "reconcile",
  title: "对账明细",
  needs: "25.export",
  list: listReconcile,
});

/** Compares once more what an account took on some days; as often as one likes. */
export const runReconcile = items.post("/run", "重新对账", "25.import", {
  body: z.object({ merchantAccountId: f.pick("账户"), from: f.dayInput("起"), to: f.dayInput("止") }),
  reply: z.object({ open: z.number().int() }),
  timeout: 300_000,
});
const note = f.reason("说明");
const resolution = f.choice("处理", NOTED);
export const resolveItem = items.put("/:id/resolve", "处理差异", "#2501", {
  body: z.object({ resolution, note, version: f.version }),
  reply: z.object({ id: f.id }),
});
/** Money of a bank's line that a channel has settled (E29). */
export const settleItem = items.put("/:id/settle", "登记渠道结算", "#2501", {
  money: true,
  body: z.object({ merchantAccountId: f.pick("渠道账户"), note, version: f.version }),
  reply: z.object({ id: f.id }),
});
/** A refund of the channel that nobody had applied for here. */
export const refundItem = items.post("/:id/refund", "登记退款", "#2501", {
  money: true,
  body: z.object({ partyId: f.pick("客户"), ...refundFrom, note, version: f.version }),
  reply: z.object({ id: f.id, refundNo: z.string(), waiting: z.string().nullable() }),
});
/** A payment that only the statement knows, recorded with what its line says; a second person confirms it. */
export const recordItem = items.post("/:id/record", "补录渠道流水", "#2501", {
  money: true,
  body: z.object({
    villageId: f.pick("门店"),
    /** Whose money came in, or which cost was paid. */
    partyId: f.pick("客户").optional(),
    billId: f.pick("应付账单").optional(),
    channelTradeNo: payment.channelTradeNo,
    payerName: payment.payerName,
    remark: payment.remark,
    fileIds: payment.fileIds,
    version: f.version,
  }),
  reply: z.object({ id: f.id, flowNo: z.string(), waiting: z.string().nullable() }),
});
/** Refunds of an amount that somebody pays through the bank. */
export const payableRefunds = items.get("/refunds", "可按流水确认的退款", "#2501", {
  query: z.object({
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    amount: z.coerce.number().int().positive(),
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(z.object({ id: f.id, refundNo: z.string(), payeeName: f.person("收款人") })),
});
export const refundsOf = (amount: number): filter.Source => ({
  call: payableRefunds,
  query: { amount },
  option: (r: { id: number; refundNo: string; payeeName: string }) => ({
    value: r.id,
    label: `${r.refundNo} ${r.payeeName}`,
  }),
});
/** A refund that the bank's line shows as paid: the line is its slip. */
export const payItem = items.post("/:id/pay", "按银行流水确认退款", "#2501", {
  money: true,
  body: z.object({ refundId: f.pick("退款单"), note, version: f.version }),
  reply: z.object({ flowNo: z.string() }),
});
/** All open differences of one result that the list shows, as many and as much as was seen. */
export const resolveShown = items.put("/resolveShown", "批量处理差异（按筛选）", "#2501", {
  body: z.object({
    filter: z.object({
      merchantAccountId: f.pick("账户"),
      dayFrom: f.dayInput("日期").optional(),
      dayTo: f.dayInput("日期").optional(),
      result: f.choice("结果", RESULT),
      keyword: f.remark("关键字", 50).optional(),
    }),
    count: z.number().int().min(1, "没有未处理的差异"),
    diff: z.number().int(),
    resolution,
    note,
  }),
  timeout: 300_000,
  reply: z.object({ count: z.number().int() }),
});
export const resolveItems = items.put("/resolveBatch", "批量处理差异", "#2501", {
  body: z.object({ ids: f.ids().min(1).max(200, "一次最多处理200条"), resolution, note }),
  reply: z.object({ count: z.number().int() }),
});
export const reopenItem = items.put("/:id/reopen", "重新打开差异", "#2501", {
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id }),
});
export const matchItems = items.post("/match", "手工匹配", "#2501", {
  body: z.object({ hereId: f.pick("系统记录"), thereId: f.pick("渠道记录"), note }),
  reply: z.object({ id: f.id }),
});
export const unmatchItem = items.delete("/:id/match", "取消匹配", "#2501", {
  params: oneRecord,
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});
