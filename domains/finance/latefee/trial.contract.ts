import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { amount, day, dayInput, flag, money, number, text } from "../../../platform/kernel/field.ts";
import { lateFeeFields } from "../setting/late-terms.rules.ts";

export const trialSegment = z.object({
  from: day("起"),
  to: day("止"),
  because: text("分段原因"),
  principal: money("欠款本金"),
  days: number("天数"),
  fee: money("滞纳金"),
});

/** What a late fee would be, without a bill: to try terms out before they are set. */
export const lateFeeTrial = callsAt("/billing/api/v3/billingSetting/lateFeeTrial").post(
  "",
  "滞纳金试算",
  "252.query",
  {
    effect: "read",
    body: lateFeeFields.extend({
      principal: amount("本金"),
      dueDate: dayInput("应收日"),
      payments: z.array(z.object({ day: dayInput("收款日"), amount: amount("收款金额") })).max(20),
      /** Works out to this day; without one to the last payment, or to today while something is open. */
      until: dayInput("计算到").optional(),
    }),
    reply: z.object({
      segments: z.array(trialSegment),
      days: number("天数"),
      total: money("滞纳金"),
      capped: flag("已到上限"),
      /** The first day that counts. */
      firstDay: day("起算日"),
      until: day("计算到"),
      open: money("未收本金"),
    }),
  },
);
