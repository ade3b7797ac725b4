import { type RawBuilder, sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { OWN_LEASE } from "../agent/agent.rules.ts";
import { earnedBy, monthsOf, type Base, type Tier } from "../commission-rule/commission.rules.ts";
import { noteCommission, tellOwner } from "./claw.service.ts";
import { TENANCY } from "./commission.queries.ts";

type Brought = {
  contractId: number;
  contractNo: string;
  enterpriseId: number;
  villageId: number;
  kind: "first" | "renewal";
  start: string;
  end: string;
  signedOn: string;
  monthRent: Fen;
  totalRent: Fen;
  agentId: number;
  agentName: string;
  agencyId: number | null;
  ownerId: number | null;
  own: boolean;
  ruleId: number | null;
  ruleName: string;
  base: Base;
  tiers: Tier[];
  cap: Fen | null;
  payAfterDays: number;
  renewals: boolean;
};

/** Agent a is the party p itself, by phone or, of renter n, by certificate. */
export const OWN = sql<boolean>`(a.phone = p.phone or coalesce(a.cert_no_hash = n.cert_no_hash, false))`;

/** The version r of the rule of agent a or its agency g that is in force on a day. */
export const RULE = (
  day: RawBuilder<unknown>,
) => sql`commission_rule r on r.series_id = coalesce(a.rule_id, g.rule_id)
  and r.from_day <= ${day} and (r.to_day is null or r.to_day >= ${day})`;

/**
 * What contracts that came into force earn for those who brought the customer: the agent whom the contract names, else
 * the one of the reservation or the lead that became it, or, for a renewal, of the contract before it. Whoever comes
 * first gets it, so one contract earns once. Another room for the same tenant earns nothing, nor does a renewal whose
 * commission before was void. The version of the rule is that of the day of signing. Run again it makes none twice.
 */
export async function ariseCommissions(act: Act, contractIds: readonly number[]): Promise<number> {
  if (!contractIds.length) return 0;
  const { rows } = await sql<Brought>`
    select c.id "contractId", c.contract_no "contractNo", c.enterprise_id "enterpriseId", c.village_id "villageId",
      who.kind, c.start_date "start", c.end_date "end", c.signed_on "signedOn", coalesce(c.monthly_rent, 0) "monthRent",
      (select coalesce(sum(l.amount), 0)::bigint from bill b join bill_line l on l.bill_id = b.id
        join fee_subject s on s.id = l.fee_subject_id
        where b.contract_id = c.id and b.voided_at is null and s.code = 'rent') "totalRent",
      a.id "agentId", a.name "agentName", a.agency_id "agencyId", coalesce(who.owner_id, c.manager_operator_id) "ownerId",
      ${OWN} own,
      r.id "ruleId", coalesce(r.name, '') "ruleName", r.base, r.tiers, r.cap, r.pay_after_days "payAfterDays", r.renewals
    from contract_brief c join party p on p.id = c.party_id left join renter n on n.id = p.id
    cross join lateral (
      (select case c.source when 'renewal' then 'renewal' else 'first' end kind, c.agent_id,
          (select l.owner_id from lead l where l.contract_id = c.id order by l.id limit 1) owner_id
        where c.agent_id is not null)
      union all
      (select 'first', v.agent_id, v.owner_id from reservation v
        where c.source = 'new' and v.contract_id = c.id and v.agent_id is not null order by v.id limit 1)
      union all
      (select 'first', l.agent_id, l.owner_id from lead l
        where c.source = 'new' and l.contract_id = c.id and l.agent_id is not null order by l.id limit 1)
      union all
      (select 'renewal', m.agent_id, m.owner_id from commission m
        where c.source = 'renewal' and m.contract_id in ${TENANCY(sql`c.previous_id`)} and m.kind <> 'claw' and m.state <> 'void'
        order by m.id limit 1)
      limit 1) who
    join agent a on a.id = who.agent_id left join agency g on g.id = a.agency_id
    left join ${RULE(sql`c.signed_on`)}
    where c.id = any(${contractIds as number[]}::bigint[]) and c.signed_on is not null and c.state <> 'voided'
      and c.source <> 'changeRoom'
      and not exists (select 1 from commission m where m.contract_id in ${TENANCY(sql`c.previous_id`)} and m.agent_id = a.id
        and m.kind <> 'claw' and m.state = 'void' and c.source = 'renewal')
      and not exists (select 1 from commission m where m.contract_id = c.id and m.kind = who.kind)
    order by c.id`.execute(act.tx);
  let made = 0;
  for (const row of rows) if (await arise(act, row)) made++;
  return made;
}

/** Whoever looks for the commission of a contract finds out why there is none. */
const none = (act: Act, of: Brought, why: string) =>
  act.note({
    kind: "agent",
    recordId: of.agentId,
    number: of.agentName,
    villageId: of.villageId,
    action: "未产生佣金",
    summary: `合同 ${of.contractNo}：${why}`,
  });

async function arise(act: Act, of: Brought): Promise<boolean> {
  if (of.kind === "renewal" && (of.ruleId === null || !of.renewals)) return false;
  if (of.own) return (await none(act, of, OWN_LEASE), false);
  if (of.ruleId === null) return (await none(act, of, `签约日 ${of.signedOn} 没有生效的佣金规则`), false);
  const { base, amount, explain } = earnedBy(
    { name: of.ruleName, base: of.base, tiers: of.tiers, cap: of.cap },
    { months: monthsOf(of.start, of.end), monthRent: of.monthRent, totalRent: of.totalRent },
  );
  const [number] = await act.numbers("YJ");
  const row = await act.tx
    .insertInto("commission")
    .values({
      number: number!,
      enterpriseId: of.enterpriseId,
      villageId: of.villageId,
      contractId: of.contractId,
      kind: of.kind,
      agentId: of.agentId,
      agencyId: of.agencyId,
      ruleId: of.ruleId,
      signedOn: of.signedOn,
      base,
      amount,
      explain: JSON.stringify(explain),
      payableFrom: addDays(of.signedOn, of.payAfterDays),
      ownerId: of.ownerId,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    // two runs at once: the database lets one of them in
    .onConflict((oc) =>
      oc
        .columns(["contractId", "kind"])
        .where(sql<boolean>`kind <> 'claw'`)
        .doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  if (!row) return false;
  const noted = { id: row.id, number: number!, villageId: of.villageId };
  const summary = `合同 ${of.contractNo} 产生经纪人${of.agentName}的佣金 ${yuan(amount)} 元（${explain.formula}）`;
  await noteCommission(act, noted, "产生", summary);
  await tellOwner(
    act,
    { ...noted, ownerId: of.ownerId },
    `佣金待结算：${of.agentName}`,
    summary,
    `commission.owed.${row.id}`,
  );
  return true;
}
