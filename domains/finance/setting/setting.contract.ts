import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import {
  day,
  dayInput,
  flag,
  id,
  instant,
  person,
  status,
  text,
  versionOrNone,
} from "../../../platform/kernel/field.ts";
import { lateFeeFields } from "./late-terms.rules.ts";
import { billingFields, SETTING_KEYS, SETTING_ORIGINS } from "./setting.rules.ts";

const path = "/billing/api/v3/billingSetting";
/** Without a village: the defaults of the operator's enterprise. */
const query = z.object({ villageId: z.coerce.number().int().positive().optional() });
const key = z.enum(SETTING_KEYS);
const origin = status("来源", SETTING_ORIGINS);
const scope = status("范围", { village: ["门店", "grey"], enterprise: ["企业", "grey"] });
const changes = z.array(z.object({ title: text("项目"), from: text("原值"), to: text("新值") }));

export const billingChange = z.object({
  id,
  effectiveDate: day("生效日期"),
  /** Not in force yet. */
  coming: flag("待生效"),
  scope,
  changes,
  who: person("修改人"),
  at: instant("修改时间"),
});

export const comingSetting = z.object({
  effectiveDate: day("生效日期"),
  scope,
  changes: z.array(z.object({ key, title: text("项目"), from: text("原值"), to: text("新值") })),
});

export const readBillingSetting = call({
  method: "GET",
  path,
  summary: "账务设置",
  needs: "252.query",
  query,
  reply: z.object({
    villageId: id.nullable(),
    /** Counts the changes of this owner; 0 = none yet. */
    version: z.number().int(),
    today: day("今天"),
    /** Whether this operator may change these: the enterprise's belong to who manages all its villages. */
    editable: flag("可修改"),
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
export const writeBillingSetting = call({
  method: "PUT",
  path,
  summary: "修改账务设置",
  needs: "252.edit",
  target: "billingSetting",
  query,
  body: billingFields.partial().extend({
    follow: z.array(key).max(SETTING_KEYS.length).default([]),
    effectiveDate: dayInput("生效日期"),
    version: versionOrNone,
  }),
  reply: z.object({ id, version: z.number().int() }),
});

export const billingSettingHistory = call({
  method: "GET",
  path: `${path}/history`,
  summary: "账务设置修改记录",
  needs: "252.query",
  query,
  reply: z.array(billingChange),
});
