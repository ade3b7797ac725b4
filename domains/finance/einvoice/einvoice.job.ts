import { sql } from "kysely";
import { addDays, type Day, daysBetween } from "../../../platform/kernel/day.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { whoHoldsAll } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";

/** So many days before a certificate ends people are told, each time once. */
const BEFORE = [1, 7, 30] as const;

type Ending = { kind: "account" | "einvoice"; id: number; name: string; day: Day; villageIds: number[] };

/** Tells whoever may set keys of receiving accounts and of e-invoice configurations whose certificate ends. */
export async function tellExpiring(act: Act): Promise<number> {
  const ofAll = sql`array(select v.id from village v where v.enterprise_id = x.enterprise_id order by v.id)`;
  const ending = sql`x.enabled and x.cert_expires_on between ${act.today} and ${addDays(act.today, 30)}`;
  const { rows } = await sql<Ending>`
    select 'account' kind, x.id, x.name, x.cert_expires_on "day",
      case when x.holder_village_id is null then ${ofAll} else array[x.holder_village_id] end "villageIds"
    from merchant_account x where ${ending}
    union all
    select 'einvoice', x.id, e.name || '电子发票', x.cert_expires_on, ${ofAll}
    from einvoice_config x join enterprise e on e.id = x.enterprise_id where ${ending}
    order by 1, 2`.execute(act.tx);
  for (const { kind, id, name, day, villageIds } of rows) {
    const left = daysBetween(act.today, day);
    await tell(act, {
      to: await whoHoldsAll(act, "#10101", villageIds),
      type: 2,
      title: `${name}的证书${left ? `还有 ${left} 天` : "今天"}到期`,
      content: `${name}的证书 ${day} 到期，请及时更换密钥，到期后不能${kind === "account" ? "收款和退款" : "开票"}。`,
      bizType: kind,
      bizId: id,
      once: `certificate.${kind}.${id}.${day}.${BEFORE.find((days) => left <= days)}`,
    });
  }
  return rows.length;
}

export default [
  job({ name: "certificateExpiry", title: "证书到期提醒", cron: "0 9 * * *", work: tellExpiring }),
];
