import { z } from "zod";
import { bankCard } from "../../../platform/kernel/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import { optional } from "../../../platform/kernel/validators.ts";
import { paidAt, tradeNo } from "../flow/receive.contract.ts";
import { refunds } from "./refund.contract.ts";
import { REFUND_SOURCE, ROUTES } from "./refund.rules.ts";

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

const from = {
  source: f.choice("来源", APPLIED),
  sourceId: f.pick("来源单据"),
  villageId: f.pick("门店"),
};

/** What a refund would take, and by which ways it can go back. */
export const refundRoutes = refunds.get("/routes", "退款方式试算", "108.add", {
  query: z.object({
    source: z.enum(["prepaid", "deposit", "earnest"]),
    sourceId: z.coerce.number().pipe(f.id),
    villageId: z.coerce.number().pipe(f.id),
    amount: z.coerce.number().int().min(0).max(9_999_999_999),
  }),
  reply: z.object({
    held: f.money("在管余额"),
    available: f.money("可退余额"),
    route: f.status("建议方式", ROUTES),
    why: z.string(),
    routes: z.array(z.object({ route: z.enum(["channel", "bank", "cash"]), why: z.string() })),
    parts: z.array(
      z.object({
        flowNo: f.text("原流水"),
        channel: z.string(),
        paidOn: f.day("支付日"),
        amount: f.money("金额"),
      }),
    ),
    hash: z.string(),
  }),
});

export const applyForRefund = refunds.post("", "申请退款", "108.add", {
  money: true,
  body: z.object({
    partyId: f.pick("客户"),
    ...from,
    amount: f.amount("退款金额"),
    reason: f.reason(),
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
    items: z
      .array(z.object({ id: f.id, version: f.version }))
      .min(1, "请选择退款")
      .max(200, "一次最多200笔")
      .refine(
        f.distinct((item: { id: number }) => item.id),
        "同一退款不能重复选择",
      ),
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
  reply: z.null(),
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

/** A file for the bank with whole account numbers; what stands in it waits for its confirmation. */
export const payoutFile = refunds.post("/payoutFile", "导出付款文件", "#24401", {
  body: z.object({
    items: z
      .array(z.object({ id: f.id, version: f.version }))
      .min(1, "请选择退款")
      .max(500, "一次最多500笔")
      .refine(
        f.distinct((item: { id: number }) => item.id),
        "同一退款不能重复选择",
      ),
  }),
});

/** The whole account number, for whoever pays; the look is logged. */
export const revealAccount = refunds.post("/:id/account", "查看收款账号", "#24401", {
  reply: z.object({ account: f.wholeNumber("收款账号") }),
});
