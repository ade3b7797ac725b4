import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { pageEnd, plannedAnew } from "../../../platform/server/database/prepared.ts";
import { owedOf } from "../commission/owed.queries.ts";
import type { listAgencies } from "./agency.contract.ts";
import type { Enabled } from "./agent.rules.ts";

type Query = z.output<typeof listAgencies.query>;
type Raw = {
  id: number;
  name: string;
  contact: string;
  phone: string;
  villageNames: string;
  ruleId: number;
  ruleName: string;
  fromDay: string;
  toDay: string | null;
  agents: number;
  owed: number;
  paid: number;
  state: Enabled;
  version: number;
};

function where(read: Read, q: Query): RawBuilder<unknown> {
  const text = containing(q.keyword ?? "");
  const all = [
    sql`a.village_ids && ${villagesOf(read.who, q.villageIds) as number[]}::bigint[]`,
    ...(q.state ? [sql`a.state = ${q.state}`] : []),
    ...(q.ruleId ? [sql`a.rule_id = ${q.ruleId}`] : []),
    ...(q.ids?.length ? [sql`a.id = any(${q.ids}::bigint[])`] : []),
    ...(q.keyword
      ? [
          sql`(a.name ilike ${text} or a.contact ilike ${text} or a.phone = ${q.keyword}
            or a.pinyin like ${text.toLowerCase()})`,
        ]
      : []),
  ];
  return sql.join(all, sql` and `);
}

const FROM = sql`agency a join commission_rule r on r.id = a.rule_id`;
const earned = (villages: readonly number[]) =>
  sql`cross join lateral (${owedOf(sql`c.agency_id = a.id`, villages)}) m`;
const agents = (read: Read) => sql`cross join lateral (select count(*)::int agents from agent x
  where x.agency_id = a.id and x.village_ids && ${read.who.villages as number[]}::bigint[]) n`;

const columns = (read: Read) => sql`a.id, a.name, a.contact, a.phone,
  (select coalesce(string_agg(v.name, '、' order by v.id), '') from village v
    where v.id = any(a.village_ids) and v.id = ${anyOf(read.who.villages)}) "villageNames",
  r.id "ruleId", r.name "ruleName", a.from_day "fromDay", a.to_day "toDay", n.agents, m.owed, m.paid, a.state, a.version`;

const shown = (row: Raw) => ({ ...row, phone: maskPhone(row.phone) });
const SORTS = { createdAt: sql`a.created_at`, name: sql`a.name`, owed: sql`m.owed`, paid: sql`m.paid` };

export async function agencyList(read: Read, query: Query) {
  const filter = where(read, query);
  const villages = villagesOf(read.who, query.villageIds);
  const order = sql.raw(query.order ?? "desc");
  const by = query.sort ?? "createdAt";
  const money = by === "owed" || by === "paid" ? earned(villages) : sql``;
  const page = sql<Raw>`${plannedAnew}
    with page as (select a.id, row_number() over (order by ${SORTS[by]} ${order}, a.id desc) place
      from ${FROM} ${money} where ${filter} order by place ${pageEnd(query)})
    select ${columns(read)} from page join ${FROM} on a.id = page.id ${agents(read)} ${earned(villages)}
    order by page.place`;
  const totals = sql<{ total: number; owed: number; paid: number }>`
    select count(*)::int total, coalesce(sum(m.owed), 0)::bigint owed, coalesce(sum(m.paid), 0)::bigint paid
    from ${FROM} ${earned(villages)} where ${filter}`;
  const list = query.want === "totals" ? [] : (await page.execute(read.tx)).rows.map(shown);
  if (query.want === "rows") return { list, total: null, sums: null };
  const { total, ...sums } = (await totals.execute(read.tx)).rows[0]!;
  return { list, total, sums };
}

/** The record when it may be seen: one of its villages is in scope. */
export async function seenAgency(read: Read, id: number, lock = false) {
  const row = await read.tx
    .selectFrom("agency")
    .selectAll()
    .where("id", "=", id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row || !row.villageIds.some((v) => read.who.villages.includes(v))) throw notFound();
  return row;
}

export async function agencyDetail(read: Read, id: number) {
  const record = await seenAgency(read, id);
  const { rows } = await sql<Raw>`
    select ${columns(read)} from ${FROM} ${agents(read)} ${earned(read.who.villages)} where a.id = ${id}`.execute(
    read.tx,
  );
  const files = await read.tx
    .selectFrom("storedFile")
    .select(["id", "name", "type", "size"])
    .where("id", "=", anyOf(record.fileIds))
    .orderBy("id")
    .execute();
  const { creditCode, bankHolder, bankName, bankBranch, bankNoMasked } = record;
  return {
    ...shown(rows[0]!),
    creditCode,
    villageIds: record.villageIds.filter((v) => read.who.villages.includes(v)),
    bankHolder,
    bankName,
    bankBranch,
    bankNo: bankNoMasked,
    files,
  };
}
