import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";

/** A voucher as a record's drawer shows it. */
export const entryShown = z.object({
  id: f.id,
  entryNo: f.text("凭证号"),
  event: z.string(),
  eventName: f.text("事项"),
  date: f.day("记账日"),
  businessDate: f.day("业务日期"),
  lines: z.array(
    z.object({
      villageName: f.text("门店"),
      account: f.text("科目"),
      accountName: f.text("科目名称"),
      subject: f.text("费用").nullable(),
      debit: f.money("借方"),
      credit: f.money("贷方"),
    }),
  ),
});
export type EntryShown = z.output<typeof entryShown>;

/** One line of a record's business log. */
export const momentShown = z.object({
  id: f.id,
  at: f.instant("时间"),
  who: f.person("操作人"),
  action: f.text("动作"),
  summary: f.text("说明"),
});
export type MomentShown = z.output<typeof momentShown>;
