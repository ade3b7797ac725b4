import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { all, lengthBetween, optional, serialNumber } from "../../../platform/kernel/validators.ts";
import { COUNTER_CHANNEL } from "../account/channel.rules.ts";
import { keyOf } from "../allocation/allocation.rules.ts";
import { openLine } from "../payer/payer.contract.ts";

const flows = callsAt("/billing/api/v3/flow", "flow");

const want = z.object({
  billId: f.id,
  /** null: the late fee that has grown and stands on no line yet. */
  lineId: f.id.nullable(),
  /** Without it: as far as the money goes. */
  amount: f.amount("本次").optional(),
});

export const paidAt = f.instantInput("支付时间", "请选择支付时间");

/** As the bank or the payment platform prints it. */
export const tradeNo = all(lengthBetween(1, 64, "渠道流水号最多64个字"), serialNumber);

/** How money came or went. */
export const payment = {
  channel: f.choice("渠道", COUNTER_CHANNEL),
  merchantAccountId: f.pick("账户"),
  /** Left out: now, by the server's clock. */
  paidAt: paidAt.optional(),
  payerName: f.remark("付款人", 60).default(""),
  channelTradeNo: f.checked("渠道流水号", optional(tradeNo), { max: 64 }).default(""),
  remark: f.remark().default(""),
  fileIds: z.array(f.id).max(9, "附件最多9个").default([]).meta({ title: "附件", kind: "file" }),
};

const trial = z.object({
  villageId: f.pick("门店"),
  partyId: f.pick("客户"),
  roomId: f.pick("房间").nullable().optional(),
  /** 0: nothing but prepaid money is used. */
  amount: f.amount("金额", 0),
  ...payment,
  /** Without an account the channel's fee is not known yet. */
  channel: payment.channel.optional(),
  merchantAccountId: payment.merchantAccountId.optional(),
  wants: z.array(want).max(500, "一次最多选择500项费用").refine(f.distinct(keyOf), "同一费用不能重复选择"),
  usePrepaid: z.boolean().default(false).meta({ title: "使用预存款", kind: "flag" }),
});

const receipt = trial
  .extend({
    previewHash: f.token(),
    /** Refuses money that no chosen line takes, until somebody has said that it goes to the prepaid balance. */
    exact: z.boolean().default(false),
  })
  .superRefine((r, ctx) => {
    const missing = (path: string, message: string) =>
      ctx.addIssue({ code: "custom", path: [path], message, input: r });
    if (r.amount > 0 && !r.channel) missing("channel", "请选择渠道");
    if (r.amount > 0 && !r.merchantAccountId) missing("merchantAccountId", "请选择账户");
    if (!r.amount && r.fileIds.length) missing("fileIds", "只使用预存款时没有流水，不能上传附件");
  });

/** What the counter's form is judged by; what is paid and the preview's hash are added when it is sent. */
export const counterInput = z.object({
  ...payment,
  /** Left out: what the chosen lines come to. */
  amount: f.amount("收款金额").optional(),
});
export type CounterInput = z.input<typeof counterInput>;

export const receiptPreview = z.object({
  rows: z.array(openLine.extend({ pay: f.money("本次") })),
  amount: f.money("金额"),
  fee: f.money("手续费"),
  paid: f.money("分配合计"),
  prepaidBefore: f.money("预存款"),
  prepaidUsed: f.money("使用预存款"),
  toPrepaid: f.money("转入预存款"),
  prepaidAfter: f.money("预存款余额"),
  /** The day it is booked on: the money's own, or the first open one when its month is locked. */
  postedOn: f.day("记账日"),
  frozen: z.array(z.object({ billId: f.id, billNo: z.string(), amount: z.number().int() })),
  issued: z.array(z.object({ billId: f.id, billNo: z.string() })),
  voided: z.array(z.object({ billId: f.id, billNo: z.string() })),
  hash: z.string(),
});
export type ReceiptPreview = z.output<typeof receiptPreview>;

export const previewFlow = flows.post("/preview", "试算收款分配", "102.add", {
  effect: "read",
  body: trial,
  reply: receiptPreview,
});

const booked = z.object({
  id: f.id.nullable(),
  flowNo: z.string(),
  state: z.enum(["pending", "confirmed"]),
  preview: receiptPreview,
});

export const receiveFlow = flows.post("/receive", "收款", "102.add", {
  money: true,
  body: receipt,
  reply: booked,
});

export const incomeFlow = flows.post("/income", "登记收入", "102.add", {
  money: true,
  body: z.object({
    villageId: f.pick("门店"),
    partyId: f.pick("客户").optional(),
    roomId: f.pick("房间").nullable().optional(),
    feeSubjectId: f.pick("费用科目"),
    periodStart: f.dayInput("计费期起"),
    periodEnd: f.dayInput("计费期止"),
    amount: f.amount("金额"),
    ...payment,
  }),
  reply: booked.extend({ billId: f.id, billNo: z.string() }),
});

/** The day on which money of a day is booked: its own, or the first open one when its month is locked. */
export const postingDay = flows.get("/postingDay", "入账日", "102.add", {
  query: z.object({
    villageId: z.coerce.number().pipe(f.id),
    day: f.dayInput("业务日期"),
    direction: z.enum(["in", "out"]).default("in"),
  }),
  reply: z.object({ day: f.day("记账日") }),
});
