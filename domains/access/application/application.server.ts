import { sql } from "kysely";
import type { Reply } from "../../../platform/kernel/call.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { amongWords, is, keyword, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf, serveList } from "../../../platform/server/lists/list.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { useSmsCode } from "../sms/sms.service.ts";
import {
  enableApplication,
  listApplications,
  refuseApplication,
  register,
  registerResult,
} from "./application.contract.ts";
import { agreedText, type ApplicationState } from "./application.rules.ts";
import { apply, enableApplied, needsPlatform, refuseApplied } from "./application.service.ts";

type Shown = Reply<typeof listApplications>["list"][number];
type Row = Omit<Shown, "agreed"> & { userVersion: number | null; privacyVersion: number | null };

const applications = listOf(listApplications, {
  id: "a.id",
  from: sql`register_application a`,
  scope: (read) => {
    needsPlatform(read);
    return sql`true`;
  },
  where: {
    state: amongWords("a.state"),
    keyword: keyword(phrase("a.number", "a.company_name", "a.real_name", "a.account"), is("a.phone")),
  },
  sort: { createdAt: "a.created_at" },
  order: "createdAt",
  columns: sql<Row>`a.id, a.number, a.company_name "companyName", a.account, a.state, a.reason,
    a.real_name "realName", a.phone, a.created_at "createdAt", coalesce(d.real_name, '') "decidedBy",
    a.decided_at "decidedAt", a.user_version "userVersion", a.privacy_version "privacyVersion", a.version`,
  join: sql`join register_application a on a.id = page.id left join operator d on d.id = a.decided_by`,
  rows: (rows) =>
    rows.map(({ userVersion, privacyVersion, ...row }) => ({
      ...row,
      phone: maskPhone(row.phone),
      agreed: agreedText(userVersion, privacyVersion),
    })),
});

const CODE_TYPE = 1;

export default [
  serveList(applications),

  serve(enableApplication, async (act, { params, body }) => {
    await enableApplied(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(refuseApplication, async (act, { params, body }) => {
    await refuseApplied(act, params.id, body.version, body.reason);
    return { id: params.id };
  }),
  serve(register, async (act, { body: { code, agreed: _, ...applied } }) => {
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
      .executeTakeFirstOrThrow(notFound);
    return { ...row, state: row.state as ApplicationState };
  }),
];
