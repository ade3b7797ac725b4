import { sql } from "kysely";
import { addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";
import { lessorStopped } from "./lessor.contract.ts";
import { REMIND_DAYS } from "./lessor.rules.ts";
import { noteLessor } from "./request.service.ts";

/** Whom a lessor concerns: who registered it, and who may set its seals. */
const concerned = (lessor: string) =>
  sql.raw(`(select coalesce(array_agg(distinct o.id), '{}') from operator o
    where o.state = 'active' and o.enterprise_id = ${lessor}.enterprise_id and (o.id = ${lessor}.created_by
      or exists (select from seal s where s.lessor_id = ${lessor}.id and o.id = any(s.operator_ids))))`);

type Ending = { id: number; name: string; authTo: string; to: number[] };

/** Once for each end of an authorisation, 30 days before it. */
export async function remindEnding(act: Act): Promise<number> {
  const last = addDays(act.today, REMIND_DAYS);
  const { rows } = await sql<Ending>`
    update lessor l set reminded_of = l.auth_to
    where l.auth_state = 'authorised' and l.auth_to between ${act.today}::date and ${last}::date
      and l.reminded_of is distinct from l.auth_to
    returning l.id, l.name, l.auth_to "authTo", ${concerned("l")} "to"`.execute(act.tx);
  for (const { id, name, authTo, to } of rows)
    await tell(act, {
      to,
      type: 3,
      title: `${name}的签署授权还有 ${daysBetween(act.today, authTo)} 天到期`,
      content: `${name}的电子签署授权将于 ${authTo} 到期，到期后不能盖章，请提前在合同配置中重新发起授权。`,
      bizType: "lessor",
      bizId: id,
      once: `lessor.ending.${id}.${authTo}`,
    });
  return rows.length;
}

/** The day after its last one an authorisation has expired. */
export async function expire(act: Act): Promise<number> {
  const { rows } = await sql<{ id: number; name: string; authTo: string }>`
    update lessor set auth_state = 'expired', version = version + 1, updated_at = ${act.now.toISOString()}
    where auth_state = 'authorised' and auth_to < ${act.today}::date
    returning id, name, auth_to "authTo"`.execute(act.tx);
  for (const lessor of rows) {
    const why = `签署授权已于 ${lessor.authTo} 到期`;
    await noteLessor(act, lessor, "授权到期", why);
    await act.emit(lessorStopped, { lessorId: lessor.id, why: `企业${why}` });
  }
  return rows.length;
}

export default [
  job({ name: "lessors.expire", title: "企业授权到期", cron: "5 0 * * *", work: expire }),
  job({ name: "lessors.ending", title: "企业授权到期提醒", cron: "15 8 * * *", work: remindEnding }),
];
