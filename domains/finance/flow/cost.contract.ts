import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { whyNotPeriod } from "../bill/make.rules.ts";
import { payment } from "./receive.contract.ts";

const flows = callsAt("/billing/api/v3/flow", "flow");

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
  reply: z.object({ billId: f.id, billNo: z.string(), id: f.id.nullable(), flowNo: z.string() }),
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
  reply: z.object({ billId: f.id, billNo: z.string(), id: f.id, flowNo: z.string() }),
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
