import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { DAY_KIND } from "./workday.rules.ts";

const days = callsAt("/billing/api/v3/workday", "billingSetting");

export const specialDay = z.object({
  id: f.id,
  day: f.day("日期"),
  kind: f.status("安排", DAY_KIND),
  name: f.text("名称"),
  who: f.person("登记人"),
  version: f.version,
});

/** The enterprise's days that are no ordinary ones, the latest first. */
export const specialDays = days.get("", "工作日历", "252.query", {
  reply: z.object({ days: z.array(specialDay), editable: f.flag("可修改") }),
});

export const addSpecialDays = days.post("", "登记放假或调休", "252.edit", {
  body: z.object({
    from: f.dayInput("开始日期"),
    to: f.dayInput("结束日期"),
    kind: f.choice("安排", DAY_KIND),
    name: f.remark("名称", 30).default(""),
  }),
  reply: z.object({ count: z.number().int() }),
});

export const deleteSpecialDay = days.delete("/:id", "删除放假或调休", "252.edit", {
  params: oneRecord,
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});
