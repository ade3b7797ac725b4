import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { checked, secret } from "../../../platform/kernel/field.ts";
import { companyName } from "../../../platform/kernel/texts/names.ts";
import { identity } from "../operator/operator.contract.ts";
const setup = callsAt("/system/api/v3/login/setup", "enterprise");
const token = secret(z.string().regex(/^[\w-]{43}$/, "链接无效或已过期"));

/** Whether a set-up link still opens. */
export const checkSetup = setup.get("", "检查初始化链接", "public", {
  perMinute: 30,
  query: z.object({ token: secret(z.string().max(100)) }),
  reply: z.object({ open: z.boolean() }),
});

/** Makes the first enterprise and its super administrator. Works once, with the link that the first start printed. */
export const setUp = setup.post("", "初始化系统", "public", {
  perMinute: 10,
  body: z.object({
    token,
    enterpriseName: checked("企业名称", companyName, { keepSpaces: true }),
    ...identity,
  }),
  reply: z.object({ account: z.string() }),
});
