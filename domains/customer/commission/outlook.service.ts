import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { wordOf } from "../../system/dic/dic.service.ts";
import { OWN_LEASE, agentRefusal } from "../agent/agent.rules.ts";
import { agentFor } from "../agent/agent.service.ts";
import { COMMISSIONS, agencyOver } from "../agent/earned.queries.ts";
import type { Base, CommissionState, Tier } from "../commission-rule/commission.rules.ts";
import { OWN, RULE } from "./arise.service.ts";
import { LEFT, STATE, TENANCY } from "./commission.queries.ts";

type Party = { agentId: number; villageId: number; partyId: number | null };

/** Whether a lead or a reservation of the party in the store names the agent: he brought it, also when he works no more. */
async function hasBrought(read: Pick<Read, "tx">, { agentId, villageId, partyId }: Party): Promise<boolean> {
  const { rows } = await sql<{ brought: boolean }>`
    select exists (select 1 from reservation v where v.agent_id = ${agentId} and v.party_id = p.id and v.village_id = ${villageId})
      or exists (select 1 from lead l where l.agent_id = ${agentId} and ${villageId}::bigint = any(l.village_ids)
        and (p.id in (l.renter_id, l.company_id, l.merchant_id) or l.phone = p.phone)) brought
    from party p where p.id = ${partyId}`.execute(read.tx);
  return rows[0]?.brought ?? false;
}

/** Refuses who may not be the agent of a contract: he serves its store and is at work, or has brought the party before. */
export async function checkAgent(
  act: Act,
  agentId: number | null | undefined,
  of: { enterpriseId: number; villageId: number; partyId: number | null; kept: number | null },
): Promise<void> {
  if (!agentId || agentId === of.kept) return;
  const { enterpriseId, villageId, partyId } = of;
  const party = partyId ? await aRow(act, "party", ["phone"], { id: partyId }) : undefined;
  const kept = (await hasBrought(act, { agentId, villageId, partyId })) ? agentId : null;
  await agentFor(act, agentId, { enterpriseId, villageId, phone: party?.phone, kept });
}

/** Where the tenant of a lead came from and who brought it, as a contract takes it over. */
export async function broughtBy(
  read: Pick<Read, "tx" | "who">,
  leadId: number | null,
): Promise<{ channel: string; agentId: number | null }> {
  const lead = leadId ? await aRow(read, "lead", ["source", "agentId"], { id: leadId }) : undefined;
  if (!lead) return { channel: "", agentId: null };
  return { channel: await wordOf(read, "customer", "source", lead.source), agentId: lead.agentId };
}

export type Outlook = {
  agentId: number;
  name: string;
  agencyName: string;
  /** Why the contract earns nothing; null where it does. */
  why: string | null;
  rule: { name: string; base: Base; tiers: Tier[]; cap: Fen | null; payAfterDays: number } | null;
};

/** By which rule a contract that was signed today would earn something for its agent; null for one of another store. */
export async function outlookOf(
  read: Read,
  of: Party & { source: string; previousId: number | null },
): Promise<Outlook | null> {
  const { agentId, villageId, partyId, source, previousId } = of;
  type Row = { rule: (NonNullable<Outlook["rule"]> & { renewals: boolean }) | null; own: boolean } & {
    name: string;
    agencyName: string;
    phone: string;
    state: string;
    agencyState: string | null;
    agencyOver: boolean;
    dropped: boolean;
  };
  const { rows } = await sql<Row>`
    select a.name, coalesce(g.name, '独立经纪人') "agencyName", a.phone, a.state, g.state "agencyState",
      ${agencyOver(read.today)} "agencyOver", coalesce(${OWN}, false) own,
      exists (select 1 from commission m where m.contract_id in ${TENANCY(sql`${previousId}::bigint`)} and m.agent_id = a.id
        and m.kind <> 'claw' and m.state = 'void') dropped,
      case when r.id is not null then json_build_object('name', r.name, 'base', r.base, 'tiers', r.tiers, 'cap', r.cap,
        'payAfterDays', r.pay_after_days, 'renewals', r.renewals) end rule
    from agent a left join agency g on g.id = a.agency_id left join party p on p.id = ${partyId}::bigint
      left join renter n on n.id = p.id left join ${RULE(sql`${read.today}::date`)}
    where a.id = ${agentId} and a.enterprise_id = (select enterprise_id from village where id = ${villageId})
      and (${villageId}::bigint = any(a.village_ids) or a.village_ids && ${read.who.villages as number[]}::bigint[])`.execute(
    read.tx,
  );
  const row = rows[0];
  if (!row) return null;
  const brought = await hasBrought(read, of);
  const why =
    (brought || source !== "new" ? undefined : agentRefusal(row, undefined)) ??
    (row.own
      ? OWN_LEASE
      : source === "changeRoom"
        ? "换房不产生佣金"
        : !row.rule
          ? `${read.today} 没有生效的佣金规则`
          : source === "renewal" && !row.rule.renewals
            ? `佣金规则“${row.rule.name}”不含续租`
            : row.dropped
              ? "原合同的佣金已作废，续租不产生佣金"
              : null);
  const { name, agencyName } = row;
  if (!row.rule) return { agentId, name, agencyName, why, rule: null };
  const { renewals: _, ...rule } = row.rule;
  return { agentId, name, agencyName, why, rule };
}

/** What a contract has earned for an agent, whatever was taken back of it; null for who may not see commissions. */
export async function commissionOf(read: Read, contractId: number) {
  if (!read.who.permits.has("115.query")) return null;
  const { rows } = await sql<{ id: number; number: string; amount: Fen; left: Fen; state: CommissionState }>`
    select c.id, c.number, c.amount, ${LEFT} "left", ${STATE} state from ${COMMISSIONS}
    where c.contract_id = ${contractId} and c.kind <> 'claw' order by c.id limit 1`.execute(read.tx);
  return rows[0] ?? null;
}
