import { z } from "zod";
import type { Reply } from "../../../platform/kernel/call.ts";
import { dayInput } from "../../../platform/kernel/field.ts";
import type { readBillingSetting } from "./setting.contract.ts";
import { billingFields, SETTING_KEYS } from "./setting.rules.ts";

export type Setting = Reply<typeof readBillingSetting>;

const key = z.enum(SETTING_KEYS);
/** Settings under the pen: every value as it would be, which fields are given back or newly taken, and from when. */
export const editing = billingFields.extend({
  follow: z.array(key),
  taken: z.array(key),
  effectiveDate: dayInput("生效日期"),
});
export type Editing = z.output<typeof editing>;
