import { sql } from "kysely";
import { addDays, daysBetween } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import { OPEN } from "../act/act.rules.ts";

/** So many days before the end its keeper hears of a contract; tenants hear by the enterprise's own rules of reminders. */
const TOLD_DAYS = [60, 30, 15, 7] as const;

type Ending = {
  id: number;
  contractNo: string;
  endDate: string;
  villageId: number;
  villageName: string;
  party: string | null;
  keeper: number;
  /** Which of the days it is told for. */
  days: number;
};

/**
 * Contracts in their last days that nobody has renewed, settles or knows to be given up, with who looks after each: its
 * keeper, else the store's manager. Of days that were missed the last counts.
 */
const endingSoon = async ({ tx, today }: Act): Promise<Ending[]> => {
  const { rows } = await sql<Ending>`
    select c.id, c.contract_no as "contractNo", c.end_date as "endDate", c.village_id as "villageId",
      v.name as "villageName", c.party_snapshot ->> 'name' as party,
      coalesce(k.id, v.manager_id) as keeper, t.days
    from contract c join village v on v.id = c.village_id
    join lateral (select min(day) days from unnest(${[...TOLD_DAYS]}::int[]) day where day >= c.end_date - ${today}::date) t on true
    left join operator k on k.id = c.manager_operator_id and k.state = 'active'
    where c.state = 'effective' and c.next_id is null
      and c.end_date between ${today}::date and ${addDays(today, Math.max(...TOLD_DAYS))}::date
      and not exists (select from contract_act a where a.contract_id = c.id
        and a.state in (${sql.join(OPEN.map((state) => sql.lit(state)))}))
      and not exists (select from renewal_follow f where f.contract_id = c.id and f.intent = 'leaving')
      and not exists (select 1 from message m
        where m.once_key = 'contract.ending.' || c.id || '.' || c.end_date || '.' || t.days)
    order by c.end_date, c.id`.execute(tx);
  return rows;
};

/** Once for each contract, last day and distance from it: a renewed term is told of anew. */
export async function tellEnding(act: Act): Promise<number> {
  const ending = await endingSoon(act);
  for (const c of ending) {
    const left = daysBetween(act.today, c.endDate);
    const when = left ? `还有 ${left} 天` : "今天";
    await tell(act, {
      to: [c.keeper],
      type: 3,
      title: `合同 ${c.contractNo} ${when}到期`,
      content: `${c.party ?? "客户"}的合同 ${c.contractNo} 将于 ${c.endDate} 到期，请联系客户确认续租或退房。`,
      bizType: "contract",
      bizId: c.id,
      villageId: c.villageId,
      facts: [
        ["门店", c.villageName],
        ["客户", c.party ?? "—"],
        ["到期日", c.endDate],
      ],
      once: `contract.ending.${c.id}.${c.endDate}.${c.days}`,
    });
  }
  return ending.length;
}

export default [
  job({ name: "contracts.ending", title: "合同到期提醒", cron: "10 8 * * *", work: tellEnding }),
];
