import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { pageEnd, plannedAnew } from "../../../platform/server/database/prepared.ts";
import { owedOf } from "../commission/owed.queries.ts";
import type { AgentFilter, agentOptions, listAgents } from "./agent.contract.ts";
import type { Enabled } from "./agent.rules.ts";

const ids = (list: readonly number[]) => sql`${list as number[]}::bigint[]`;
const SORTS = ["deals", "leads", "viewings", "owed", "paid"] as const;

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

/** An agent is in scope when one of his villages is. */
export function agentsWhere(read: Read, f: AgentFilter): RawBuilder<unknown> {
  const all = [
    among(sql`a.village_ids`, villagesOf(read.who, f.villageIds)),
    ...(f.agencyId ? [sql`a.agency_id = ${f.agencyId}`] : []),
    ...(f.state ? [sql`a.state = ${f.state}`] : []),
    ...(f.ruleId ? [sql`coalesce(a.rule_id, g.rule_id) = ${f.ruleId}`] : []),
    ...(f.keyword ? [keyword(f.keyword)] : []),
  ];
  return sql.join(all, sql` and `);
}

/** A name by a part of it, a number whole or by its last four digits. */
function keyword(text: string): RawBuilder<unknown> {
  const found = [sql`a.name ilike ${containing(text)}`];
  if (/^[A-Za-z]+$/.test(text)) found.push(sql`a.pinyin like ${`${text.toLowerCase()}%`}`);
  if (/^\d{11}$/.test(text)) found.push(sql`a.phone = ${text}`);
  if (/^\d{4}$/.test(text)) found.push(sql`right(a.phone, 4) = ${text}`);
  return sql`(${sql.join(found, sql` or `)})`;
}

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

export async function agentList(read: Read, query: z.output<typeof listAgents.query>) {
  const where = agentsWhere(read, query);
  const by = query.sort ?? "deals";
  const order = sql.raw(query.order ?? "desc");
  const key = SORTS.find((s) => s === by);
  // all are put in order by one figure; the others are only reckoned for the page
  const [sorted, figure] =
    key === "owed" || key === "paid"
      ? [earned(read, query), sql.ref(`m.${key}`)]
      : key
        ? [broughtBy(read, query), sql`coalesce(${sql.ref(`n.${key}`)}, 0)`]
        : [sql``, sql`a.created_at`];
  // which agents stand on the page is no matter of their agency or rule, unless the filter names one
  const these = query.ruleId ? FROM : sql`agent a`;
  const page = async () => {
    const { rows } = await sql<{ id: number }>`${plannedAnew}
      select a.id from ${these} ${sorted} where ${where} order by ${figure} ${order}, a.id desc ${pageEnd(query)}`.execute(
      read.tx,
    );
    const found = await sql<Raw>`
      select ${columns(read)} from unnest(${ids(rows.map(({ id }) => id))}) with ordinality p(id, place)
      join ${FROM} on a.id = p.id ${figures(read, query)} order by p.place`.execute(read.tx);
    return found.rows.map(shown);
  };
  const totals = sql<{ total: number; leads: number; deals: number; owed: number; paid: number }>`
    select count(*)::int total, coalesce(sum(n.leads), 0)::int leads, coalesce(sum(n.deals), 0)::int deals,
      coalesce(sum(m.owed), 0)::bigint owed, coalesce(sum(m.paid), 0)::bigint paid
    from ${FROM} ${figures(read, query)} where ${where}`;
  const list = query.want === "totals" ? [] : await page();
  if (query.want === "rows") return { list, total: null, sums: null };
  const { total, ...sums } = (await totals.execute(read.tx)).rows[0]!;
  return { list, total, sums };
}

export async function agentRank(read: Read, filter: AgentFilter) {
  const { rows } = await sql<{ id: number; name: string; leads: number; deals: number }>`
    select a.id, a.name, n.leads, n.deals from ${FROM} ${figures(read, filter)}
    where ${agentsWhere(read, filter)} and n.leads > 0 order by n.deals desc, n.leads desc, a.id limit 10`.execute(
    read.tx,
  );
  return rows;
}

/** The record when it may be seen. */
export async function seenAgent(read: Read, id: number, lock = false) {
  const row = await read.tx
    .selectFrom("agent")
    .selectAll()
    .where("id", "=", id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row || !row.villageIds.some((v) => read.who.villages.includes(v))) throw notFound();
  return row;
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
        : sql`a.state = 'enabled' and coalesce(g.state, 'enabled') = 'enabled'`,
      ...(query.keyword ? [keyword(query.keyword)] : []),
    ],
    sql` and `,
  );
  const { rows } = await sql<{ id: number; name: string; phone: string; agencyName: string }>`
    select a.id, a.name, a.phone, coalesce(g.name, '独立经纪人') "agencyName"
    from agent a left join agency g on g.id = a.agency_id where ${where}
    order by a.name collate "zh-x-icu", a.id limit ${query.pageSize}`.execute(read.tx);
  return rows.map((row) => ({ ...row, phone: maskPhone(row.phone) }));
}
