import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { RECIPIENT_STATES } from "../../customer/push/push.rules.ts";

const REMINDED_BY = {
  hand: ["人工催缴", "grey"],
  link: ["付款链接", "grey"],
  rule: ["自动提醒", "grey"],
} as const;

/** How the customer of a bill was asked for it: by hand, by a link, by a rule. */
export const billReminders = callsAt("/billing/api/v3/bill", "bill").get(
  "/:id/reminders",
  "账单催缴记录",
  "26.get",
  {
    reply: z.object({
      /** The contract whose letter may be printed: it has late bills. */
      letterOf: f.id.nullable(),
      list: z.array(
        z.object({
          at: f.instant("时间"),
          by: f.status("方式", REMINDED_BY),
          text: f.text("内容"),
          who: f.person("操作人"),
          state: f.status("结果", RECIPIENT_STATES).nullable(),
        }),
      ),
    }),
  },
);
