import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { COUNTER_CHANNEL } from "./flow.rules.ts";

const want = z.object({
  billId: f.id,
  /** null: the late fee that has grown and stands on no line yet. */
  lineId: f.id.nullable(),
  /** Without it: as far as the money goes. */
  amount: f.amount("本次").optional(),
});

/** How money came or went. */
export const payment = {
  channel: f.choice("渠道", COUNTER_CHANNEL),
  merchantAccountId: f.pick("账户"),
  paidAt: z.iso
    .datetime({ offset: true, error: "请选择支付时间" })
    .meta({ title: "支付时间", kind: "instant" }),
  payerName: z
    .string()
    .trim()
    .max(60, "付款人最多60个字")
    .default("")
    .meta({ title: "付款人", kind: "text", max: 60 }),
  channelTradeNo: z
    .string()
    .trim()
    .max(64, "渠道流水号最多64个字")
    .default("")
    .meta({ title: "渠道流水号", kind: "text", max: 64 }),
  remark: f.remark().default(""),
  fileIds: z.array(f.id).max(9, "附件最多9个").default([]),
};

const receipt = z.object({
  villageId: f.pick("门店"),
  partyId: f.pick("客户"),
  roomId: f.pick("房间").nullable().optional(),
  amount: f.amount("金额", 0),
  ...payment,
  // how the money comes: only where some comes, and in a preview it may still be open
  channel: payment.channel.optional(),
  merchantAccountId: payment.merchantAccountId.optional(),
  wants: z.array(want).max(500, "一次最多选择500项费用"),
  usePrepaid: z.boolean().default(false).meta({ title: "使用预存款", kind: "flag" }),
});

export const openLine = z.object({
  billId: f.id,
  billNo: f.link("账单号"),
  lineId: f.id.nullable(),
  title: f.text("账单名称"),
  subject: f.text("费用"),
  feeSubjectId: f.id,
  periodStart: f.day("计费期起").nullable(),
  periodEnd: f.day("计费期止").nullable(),
  dueDate: f.day("应收日"),
  amount: f.money("应收"),
  settled: f.money("已收"),
  owed: f.money("未收"),
  lateFee: f.flag("滞纳金"),
  issued: f.flag("已出账"),
  roomId: f.id.nullable(),
  villageId: f.id,
});

export const receiptPreview = z.object({
  rows: z.array(openLine.extend({ pay: f.money("本次") })),
  amount: f.money("金额"),
  fee: f.money("手续费"),
  paid: f.money("分配合计"),
  prepaidBefore: f.money("预存款"),
  prepaidUsed: f.money("使用预存款"),
  toPrepaid: f.money("转入预存款"),
  prepaidAfter: f.money("预存款余额"),
  frozen: z.array(z.object({ billId: f.id, billNo: z.string(), amount: z.number().int() })),
  issued: z.array(z.object({ billId: f.id, billNo: z.string() })),
  hash: z.string(),
});

export const previewFlow = call({
  method: "POST",
  path: "/billing/api/v3/flow/preview",
  summary: "试算收款分配",
  needs: "102.add",
  effect: "read",
  body: receipt,
  reply: receiptPreview,
});

const booked = z.object({
  id: f.id.nullable(),
  flowNo: z.string(),
  state: z.enum(["pending", "confirmed"]),
  preview: receiptPreview,
});

export const receiveFlow = call({
  method: "POST",
  path: "/billing/api/v3/flow/receive",
  summary: "收款",
  needs: "102.add",
  money: true,
  target: "flow",
  body: receipt.extend({ previewHash: z.string() }),
  reply: booked,
});

export const incomeFlow = call({
  method: "POST",
  path: "/billing/api/v3/flow/income",
  summary: "登记收入",
  needs: "102.add",
  money: true,
  target: "flow",
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

export const costFlow = call({
  method: "POST",
  path: "/billing/api/v3/flow/cost",
  summary: "登记支出",
  needs: "102.add",
  money: true,
  target: "flow",
  body: z.object({
    /** Pays a cost that was booked before; without it the cost is booked first. */
    billId: f.id.optional(),
    villageId: f.pick("门店"),
    payeeName: f.input("供应商/收款人", 2, 60),
    feeSubjectId: f.pick("成本科目"),
    periodStart: f.dayInput("归属期起"),
    periodEnd: f.dayInput("归属期止"),
    amount: f.amount("金额"),
    /** Not paid yet: due on this day. */
    dueDate: f.dayInput("应付日").optional(),
    payment: z.object(payment).optional(),
    remark: f.remark().default(""),
  }),
  reply: z.object({ billId: f.id, billNo: z.string(), id: f.id.nullable(), flowNo: z.string() }),
});

/** Everything a counter needs of one party: what it owes in scope, and what it has prepaid. */
export const openOfParty = call({
  method: "GET",
  path: "/billing/api/v3/party/:type/:id/open",
  summary: "客户未收费用",
  needs: "102.query",
  params: z.object({
    type: z.enum(["renter", "company", "merchant", "thirdParty", "supplier"]),
    id: z.coerce.number().pipe(f.id),
  }),
  query: z.object({
    villageId: z.coerce.number().pipe(f.id).optional(),
    /** The day the money came; the late fee is worked out for it. */
    asOf: z.iso.date().optional(),
  }),
  reply: z.object({
    partyId: f.id,
    partyName: f.person("客户"),
    partyPhone: f.phone("手机"),
    villages: z.array(
      z.object({
        villageId: f.id,
        villageName: f.text("门店"),
        prepaid: f.money("预存款"),
        lines: z.array(openLine),
      }),
    ),
  }),
});
