import { sql } from "kysely";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";

type Ending = { id: number; name: string; lessorName: string; day: string; operatorIds: number[] };

/** Tells the holders of a seal once, 30 days before its imported certificate ends. */
export async function remindCertificates(act: Act): Promise<number> {
  const { rows } = await sql<Ending>`
    update seal s set reminded_of = c.valid_to::date
    from seal_certificate c, lessor l
    where c.id = s.certificate_id and l.id = s.lessor_id and s.enabled
      and c.valid_to between ${act.now.toISOString()} and ${act.now.toISOString()}::timestamptz + interval '30 days'
      and s.reminded_of is distinct from c.valid_to::date
    returning s.id, s.name, l.name "lessorName", c.valid_to::date "day", s.operator_ids "operatorIds"`.execute(
    act.tx,
  );
  for (const { id, name, lessorName, day, operatorIds } of rows)
    await tell(act, {
      to: operatorIds,
      type: 3,
      title: `印章「${name}」的证书将于 ${day} 到期`,
      content: `${lessorName}的印章「${name}」所用证书将于 ${day} 到期，到期后不能盖章，请导入新证书或改用系统证书。`,
      bizType: "seal",
      bizId: id,
      once: `seal.certificate.${id}.${day}`,
    });
  return rows.length;
}

export default [
  job({
    name: "seals.certificates",
    title: "印章证书到期提醒",
    cron: "20 8 * * *",
    work: remindCertificates,
  }),
];
