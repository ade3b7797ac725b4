import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { useSmsCode } from "../sms/sms.service.ts";
import { register, registerResult } from "./application.contract.ts";
import type { ApplicationState } from "./application.rules.ts";
import { apply } from "./application.service.ts";

const CODE_TYPE = 1;

export default [
  serve(register, async (act, { body: { code, ...applied } }) => {
    if (!(await brandOf(act.settings.BRAND)).allowRegister) throw new Refusal("closed", "暂未开放注册", 403);
    await useSmsCode(act, applied.phone, CODE_TYPE, code);
    return apply(act, applied);
  }),

  serve(registerResult, async (act, { body: { phone, code } }) => {
    await useSmsCode(act, phone, CODE_TYPE, code);
    const row = await act.tx
      .selectFrom("registerApplication")
      .selectAll()
      .where("phone", "=", phone)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (!row) throw notFound();
    return { ...row, state: row.state as ApplicationState };
  }),
];
