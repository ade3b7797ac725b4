import { sql } from "kysely";
import { addDays, daysBetween } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import { ENDING_DAYS } from "./contract.rules.ts";

type Ending = {
  id: number;
  contractNo: string;
  endDate: string;
  villageId: number;
  villageName: string;
  party: string | null;
  keeper: number;
};

/** Contracts in their last days that nobody has renewed, with who looks after each: its keeper, else the store's manager. */
const endingSoon = async ({ tx, today }: Act): Promise<Ending[]> => {
  const { rows } = await sql<Ending>`
    select c.id, c.contract_no as "contractNo", c.end_date as "endDate", c.village_id as "villageId",
      v.name as "villageName", c.party_snapshot ->> 'name' as party,
      coalesce(k.id, v.manager_id) as keeper
    from contract c join village v on v.id = c.village_id
    left join operator k on k.id = c.manager_operator_id and k.state = 'active'
    where c.state = 'effective' and c.next_id is null
      and c.end_date between ${today}::date and ${addDays(today, ENDING_DAYS)}::date
      and not exists (select 1 from message m where m.once_key = 'contract.ending.' || c.id || '.' || c.end_date)
    order by c.end_date, c.id`.execute(tx);
  return rows;
};

/** Once for each contract and last day: a renewed term is told of anew. */
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
      once: `contract.ending.${c.id}.${c.endDate}`,
    });
  }
  return ending.length;
}

export default [
  job({ name: "contracts.ending", title: "合同到期提醒", cron: "10 8 * * *", work: tellEnding }),
];
