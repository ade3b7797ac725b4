import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { initials, is, keyword, phone, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { seenAgent } from "./agency.queries.ts";
import { agencyOver, owedOf } from "./earned.queries.ts";
import { listAgents, type AgentFilter, type agentOptions } from "./agent.contract.ts";
import type { Enabled } from "./agent.rules.ts";

const ids = (list: readonly number[]) => sql`${list as number[]}::bigint[]`;

type Raw = {
  id: number;
  name: string;
  phone: string;
  agencyId: number | null;
  agencyName: string;
  villageNames: string;
  ruleId: number;
  ruleName: string;
  leads: number;
  viewings: number;
  deals: number;
  rate: number | null;
  owed: number;
  paid: number;
  state: Enabled;
  version: number;
};

/**
 * One of the stores is among these. Said so that no index on the stores is read: for many stores it finds nearly
 * everything; and by the first store alone where that is enough, which is one look into a hash instead of two lists.
 */
const among = (column: RawBuilder<unknown>, villages: readonly number[]) =>
  sql`((${column})[1] = any(${ids(villages)}) or (${column} && ${ids(villages)}) is true)`;

/** A name by a part of it, a number whole or by its last four digits. */
const named = keyword(phrase("a.name"), initials("a.pinyin"), phone("a.phone"));

const FROM = sql`agent a left join agency g on g.id = a.agency_id
  join commission_rule r on r.id = coalesce(a.rule_id, g.rule_id)`;

/** What agents brought and earned: leads that came in the period and what became of them, commissions of all time. */
const figures = (read: Read, f: Pick<AgentFilter, "villageIds" | "from" | "to">) =>
  sql`${brought(read, f)} ${earned(read, f)}`;
const earned = (read: Read, f: Pick<AgentFilter, "villageIds">) =>
  sql`cross join lateral (${owedOf(sql`c.agent_id = a.id`, villagesOf(read.who, f.villageIds))}) m`;
const brought = (read: Read, f: Pick<AgentFilter, "villageIds" | "from" | "to">) =>
  sql`cross join lateral (select ${COUNTS} ${leadsOf(read, f)} and l.agent_id = a.id) n`;
/** The same of all agents at once, to put them in order by it. */
const broughtBy = (read: Read, f: Pick<AgentFilter, "villageIds" | "from" | "to">) =>
  sql`left join (select l.agent_id, ${COUNTS} ${leadsOf(read, f)} and l.agent_id is not null group by 1) n
    on n.agent_id = a.id`;
const COUNTS = sql`count(*)::int leads,
  (count(*) filter (where coalesce(l.viewed_at, l.reserved_at, l.signed_at) is not null))::int viewings,
  (count(*) filter (where l.signed_at is not null))::int deals`;
const leadsOf = (read: Read, f: Pick<AgentFilter, "villageIds" | "from" | "to">) => {
  const day = sql`(l.created_at at time zone ${read.settings.TIME_ZONE})::date`;
  return sql`from lead l where ${among(sql`l.village_ids`, villagesOf(read.who, f.villageIds))}
    ${f.from ? sql`and ${day} >= ${f.from}::date` : sql``} ${f.to ? sql`and ${day} <= ${f.to}::date` : sql``}`;
};

const columns = (
  read: Read,
) => sql`a.id, a.name, a.phone, a.agency_id "agencyId", coalesce(g.name, '') "agencyName",
  (select coalesce(string_agg(v.name, '、' order by v.id), '') from village v
    where v.id = any(a.village_ids) and v.id = ${anyOf(read.who.villages)}) "villageNames",
  r.id "ruleId", r.name "ruleName", n.leads, n.viewings, n.deals,
  case when n.leads > 0 then n.deals::float8 / n.leads end rate, m.owed, m.paid, a.state, a.version`;

const shown = (row: Raw) => ({ ...row, phone: maskPhone(row.phone) });

const bySum = (key: "owed" | "paid") => ({ by: sql.ref(`m.${key}`), join: earned });
const byCount = (key: "deals" | "leads" | "viewings") => ({
  by: sql`coalesce(${sql.ref(`n.${key}`)}, 0)`,
  join: broughtBy,
});

/** Agents; one is in scope when one of his villages is. All are put in order by one figure, the others are reckoned for the page. */
export const agents = listOf(listAgents, {
  id: "a.id",
  plannedAnew: true,
  // which agents stand on the page is no matter of their agency or rule, unless the filter names one
  from: (_: Read, asked) => (asked.ruleId ? FROM : sql`agent a`),
  scope: (read, { villageIds }) => among(sql`a.village_ids`, villagesOf(read.who, villageIds)),
  where: {
    agencyId: is("a.agency_id"),
    state: is("a.state"),
    ruleId: is(sql`coalesce(a.rule_id, g.rule_id)`),
    keyword: named,
    // of the leads that are counted, not of the agents
    from: () => undefined,
    to: () => undefined,
  },
  sort: {
    deals: byCount("deals"),
    leads: byCount("leads"),
    viewings: byCount("viewings"),
    owed: bySum("owed"),
    paid: bySum("paid"),
    createdAt: "a.created_at",
  },
  order: "deals",
  columns: (read: Read) => sql<Raw>`${columns(read)}`,
  join: (read: Read, asked) => sql`join ${FROM} on a.id = page.id ${figures(read, asked)}`,
  rows: (raws) => raws.map(shown),
  sums: {
    select: sql`coalesce(sum(n.leads), 0)::int leads, coalesce(sum(n.deals), 0)::int deals,
      coalesce(sum(m.owed), 0)::bigint owed, coalesce(sum(m.paid), 0)::bigint paid`,
    join: figures,
  },
});

export async function agentRank(read: Read, filter: AgentFilter) {
  const { rows } = await sql<{ id: number; name: string; leads: number; deals: number }>`
    select a.id, a.name, n.leads, n.deals from ${FROM} ${figures(read, filter)}
    where ${await agents.condition(read, filter)} and n.leads > 0 order by n.deals desc, n.leads desc, a.id limit 10`.execute(
    read.tx,
  );
  return rows;
}

export async function agentDetail(read: Read, id: number) {
  const record = await seenAgent(read, id);
  const { rows } = await sql<Raw & { createdAt: string; creatorName: string }>`
    select ${columns(read)}, a.created_at "createdAt", coalesce(o.real_name, '系统') "creatorName"
    from ${FROM} ${figures(read, {})} left join operator o on o.id = a.created_by where a.id = ${id}`.execute(
    read.tx,
  );
  return {
    ...rows[0]!,
    phone: maskPhone(record.phone),
    villageIds: record.villageIds.filter((v) => read.who.villages.includes(v)),
    ownRuleId: record.ruleId,
    certNo: record.certNoMasked,
    bankHolder: record.bankHolder,
    bankName: record.bankName,
    bankBranch: record.bankBranch,
    bankNo: record.bankNoMasked,
  };
}

export async function agentChoices(read: Read, query: z.output<typeof agentOptions.query>) {
  const where = sql.join(
    [
      sql`a.village_ids && ${ids(read.who.villages)}`,
      query.ids?.length
        ? sql`a.id = any(${query.ids}::bigint[])`
        : sql`a.state = 'enabled' and coalesce(g.state, 'enabled') = 'enabled' and not ${agencyOver(read.today)}`,
      // one that a record names already is shown wherever he works
      ...(query.villageId && !query.ids?.length
        ? [sql`${query.villageId}::bigint = any(a.village_ids)`]
        : []),
      ...(query.keyword ? [named(query.keyword)] : []),
    ],
    sql` and `,
  );
  const { rows } = await sql<{ id: number; name: string; phone: string; agencyName: string }>`
    select a.id, a.name, a.phone, coalesce(g.name, '独立经纪人') "agencyName"
    from agent a left join agency g on g.id = a.agency_id where ${where}
    order by a.name collate "zh-x-icu", a.id limit ${query.pageSize}`.execute(read.tx);
  return rows.map((row) => ({ ...row, phone: maskPhone(row.phone) }));
}
