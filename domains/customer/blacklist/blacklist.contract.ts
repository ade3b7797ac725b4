import { z } from "zod";
import type { Permit } from "../../../platform/kernel/call.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { BLACK } from "./blacklist.rules.ts";

/** Asked by whoever is about to reserve, sign or register: is this certificate or phone on the list? */
export const checkBlackList = callsAt("/customer/api/v3/blackList/check").get(
  "",
  "检查黑名单",
  [
    ...["16.query", "16.add", "16.edit", "9.add", "11.add", "107.add", "15.add", "15.edit", "170.query"],
    ...["113.query", "113.add", "113.edit", "106.query", "106.add", "106.edit"],
  ] as Permit[],
  {
    perMinute: 120,
    query: z.object({
      certNo: f.secret(z.string().trim().max(18, "证件号格式不正确"), "certificate").optional(),
      phone: f.secret(z.string().trim().max(15, "手机格式不正确！"), "phone").optional(),
      partyId: z.coerce.number().pipe(f.id).optional(),
    }),
    reply: z.object({
      level: f.status("黑名单", BLACK),
      reason: f.text("原因").nullable(),
      source: f.text("来源").nullable(),
    }),
  },
);
