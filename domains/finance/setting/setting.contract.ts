import type { Reply } from "../../../platform/kernel/call.ts";
import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { lateFeeFields } from "./late-terms.rules.ts";
import { billingFields, SETTING_KEYS, SETTING_ORIGINS } from "./setting.rules.ts";

const settings = callsAt("/billing/api/v3/billingSetting", "billingSetting");

/** Without a village: the defaults of the operator's enterprise. */
const query = z.object({ villageId: z.coerce.number().int().positive().optional() });
const key = z.enum(SETTING_KEYS);
const origin = f.status("来源", SETTING_ORIGINS);
const scope = f.status("范围", { village: ["门店", "grey"], enterprise: ["企业", "grey"] });
const changes = z.array(z.object({ title: f.text("项目"), from: f.text("原值"), to: f.text("新值") }));

export const billingChange = z.object({
  id: f.id,
  effectiveDate: f.day("生效日期"),
  /** Not in force yet. */
  coming: f.flag("待生效"),
  scope,
  changes,
  who: f.person("修改人"),
  at: f.instant("修改时间"),
});

export const comingSetting = z.object({
  effectiveDate: f.day("生效日期"),
  scope,
  changes: z.array(z.object({ key, title: f.text("项目"), from: f.text("原值"), to: f.text("新值") })),
});

export const readBillingSetting = settings.get("", "账务设置", "252.query", {
  query,
  reply: z.object({
    villageId: f.id.nullable(),
    /** Counts the changes of this owner; 0 = none yet. */
    version: z.number().int(),
    today: f.day("今天"),
    /** Whether this operator may change these: the enterprise's belong to who manages all its villages. */
    editable: f.flag("可修改"),
    values: billingFields,
    origins: z.record(key, origin),
    /** What a village has where it follows: the enterprise's values in force. */
    general: billingFields,
    /** What will be different on later days, after everything that was decided for them. */
    coming: z.array(comingSetting),
    terms: lateFeeFields.extend({ origin }),
  }),
});

/** Only fields that are to change; `follow` gives fields back to the enterprise, or to the product's default. */
export const writeBillingSetting = settings.put("", "修改账务设置", "252.edit", {
  query,
  body: billingFields.partial().extend({
    follow: z.array(key).max(SETTING_KEYS.length).default([]),
    effectiveDate: f.dayInput("生效日期"),
    version: f.versionOrNone,
  }),
  reply: z.object({ id: f.id, version: z.number().int() }),
});

export const billingSettingHistory = settings.get("/history", "账务设置修改记录", "252.query", {
  query,
  reply: z.array(billingChange),
});

export type Setting = Reply<typeof readBillingSetting>;

/** Settings under the pen: every value as it would be, which fields are given back or newly taken, and from when. */
export const editing = billingFields.extend({
  follow: z.array(key),
  taken: z.array(key),
  effectiveDate: f.dayInput("生效日期"),
});
export type Editing = z.output<typeof editing>;
