import { sql } from "kysely";
import { type Day, addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { ACT_KIND_WORDS, type ActKind } from "../act/act.rules.ts";
import { TOLD_DAYS } from "./self.rules.ts";
import { tellStore } from "./self.service.ts";

type Waiting = {
  id: number;
  actNo: string;
  kind: ActKind;
  contractId: number;
  villageId: number;
  partyName: string;
  roomNames: string;
  requestedOn: Day;
  effectiveOn: Day;
  days: number;
};

/** Requests near the day that was wished for, which nobody has taken up or refused; of days that were missed the last counts. */
export async function tellWaiting(act: Act): Promise<number> {
  const { today } = act;
  const { rows } = await sql<Waiting>`
    select a.id, a.act_no "actNo", a.kind, a.contract_id "contractId", a.village_id "villageId", c.party_name "partyName",
      c.room_names "roomNames", a.requested_on "requestedOn", a.effective_on "effectiveOn", t.days
    from contract_act a join contract c on c.id = a.contract_id
    join lateral (select min(day) days from unnest(${[...TOLD_DAYS]}::int[]) day where day >= a.effective_on - ${today}::date) t on true
    where a.state = 'requested' and a.requested_on < ${today}::date
      and a.effective_on <= ${addDays(today, Math.max(...TOLD_DAYS))}::date
      and not exists (select from message m where m.once_key = 'contract.waiting.' || a.id || '.' || t.days)
    order by a.effective_on, a.id`.execute(act.tx);
  for (const { id, actNo, kind, days, requestedOn, effectiveOn, ...of } of rows) {
    const left = daysBetween(today, effectiveOn);
    const when = left > 0 ? `距 ${effectiveOn} 还有 ${left} 天` : `${effectiveOn} 已到`;
    const word = ACT_KIND_WORDS[kind][0];
    await tellStore(
      act,
      { ...of, id: of.contractId },
      {
        title: `${word}申请 ${actNo} 待受理，${when}`,
        content: `${of.partyName}于 ${requestedOn} 提交了${word}申请 ${actNo}，${when}，请受理或驳回。`,
        once: `contract.waiting.${id}.${days}`,
        request: { id, kind },
      },
    );
  }
  return rows.length;
}

export default [
  job({ name: "contracts.waiting", title: "待受理申请提醒", cron: "15 8 * * *", work: tellWaiting }),
];
