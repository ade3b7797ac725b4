import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { addToMonth, firstOf, monthOf } from "../../../platform/kernel/day.ts";
import { containing } from "../../../platform/kernel/like.ts";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf, wholeScope } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { seenIn } from "../record/seen.queries.ts";
import type { RenterFilter, listRenters, renterRow } from "./renter.contract.ts";

/** Contracts, bills and balances stay with the record they were written for; a merged one is found under the one kept. */
const root = sql`coalesce(x.merged_into_id, x.id)`;

export const leasesOf = (villages: readonly number[]) => sql`(
  select ${root} root, bool_or(c.in_force) living, bool_or(c.is_over) past,
    max(c.end_date) filter (where c.in_force) end_date
  from contract_brief c join renter x on x.id = c.party_id
  where c.village_id = ${anyOf(villages)} and (c.in_force or c.is_over) group by 1)`;

export const owedOf = (villages: readonly number[], today: string) => sql`(
  select ${root} root, sum(b.outstanding)::bigint fen
  from bill b join renter x on x.id = b.party_id
  where b.village_id = ${anyOf(villages)} and ${isLateMoney(today)} group by 1)`;

/** 意向 no lease yet, 在住 one in force, 历史 had one. */
export const STAGE = sql<
  "prospect" | "living" | "former"
>`case when l.living then 'living' when l.past then 'former' else 'prospect' end`;

const blackHit = sql`select b.level from black_list b where b.active and b.enterprise_id = p.enterprise_id
  and (b.cert_no_hash = r.cert_no_hash or (p.phone <> '' and b.phone = p.phone))`;
/** The worst live entry that names the certificate or the phone; a level of none is no entry. */
export const BLACK_LEVEL = sql<
  "none" | "warn" | "forbid"
>`coalesce((select min(level) from (${blackHit}) h), 'none')`;

function keyword(read: Read, villages: readonly number[], text: string): RawBuilder<unknown> {
  const found = [sql`p.name ilike ${containing(text)}`];
  if (/^[A-Za-z]+$/.test(text)) found.push(sql`p.pinyin like ${`${text.toLowerCase()}%`}`);
  if (/^\d{11,15}$/.test(text)) found.push(sql`p.phone = ${text}`);
  if (/^\d{4}$/.test(text)) found.push(sql`right(p.phone, 4) = ${text}`);
  if (/^[A-Za-z0-9]{6,18}$/.test(text)) found.push(sql`r.cert_no_hash = ${read.cipher.hash(text)}`);
  found.push(sql`p.id in (select ${root} from contract_brief c join renter x on x.id = c.party_id
    where c.village_id = ${anyOf(villages)} and c.in_force and c.room_names ilike ${containing(text)})`);
  return sql`(${sql.join(found, sql` or `)})`;
}

/** `from … where …` of the renters that a filter names, as p, r, l (leases) and o (what is owed). */
export function rentersWhere(
  read: Read,
  villages: readonly number[],
  f: RenterFilter,
  sortedBy?: string,
): RawBuilder<unknown> {
  const any = (column: RawBuilder<unknown>, list: readonly string[] | undefined) =>
    list?.length ? [sql`${column} = any(${list as string[]}::text[])`] : [];
  const conditions = [
    sql`p.kind = 'renter' and r.merged_into_id is null`,
    sql`exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(villages)})`,
    ...any(STAGE, f.stage),
    ...any(sql`r.source`, f.source),
    ...any(sql`r.verify`, f.verify),
    ...any(BLACK_LEVEL, f.black),
    ...(f.tags?.length ? [sql`r.tags && ${f.tags}::text[]`] : []),
    ...(f.arrears ? [f.arrears === "yes" ? sql`o.fen > 0` : sql`o.fen is null`] : []),
    ...(f.birthMonth ? [sql`extract(month from r.birthday) = ${f.birthMonth}`] : []),
    ...(f.createdFrom ? [sql`p.created_at >= ${f.createdFrom}::date`] : []),
    ...(f.createdTo ? [sql`p.created_at < ${f.createdTo}::date + 1`] : []),
    ...(f.keyword ? [keyword(read, villages, f.keyword)] : []),
  ];
  // Each join costs a pass over the villages' contracts or open bills, so it stands only where something asks for it.
  const leases = f.stage?.length || sortedBy === "endDate";
  const owed = f.arrears || sortedBy === "arrears";
  return sql`from party p join renter r on r.id = p.id
    ${leases ? sql`left join ${leasesOf(villages)} l on l.root = p.id` : sql``}
    ${owed ? sql`left join ${owedOf(villages, read.today)} o on o.root = p.id` : sql``}
    where ${sql.join(conditions, sql` and `)}`;
}

type RenterRow = z.input<typeof renterRow>;

/** What the dictionary calls a renter's source, also when it is not offered any more. */
const SOURCE_NAME = sql<string>`coalesce((select d.name from dic_item d where d.enterprise_id = p.enterprise_id
  and d.kind = 'customer' and d.group_key = 'source' and d.code = r.source), r.source)`;

/** Masked as screens show it. */
export const shown = (row: RenterRow): RenterRow => ({ ...row, phone: maskPhone(row.phone) });

/** Rows of the renters that `w(id, place)` names, with what is owed, prepaid and held in the villages given. */
export function rowsOf(read: Read, villages: readonly number[], w: RawBuilder<unknown>) {
  const v = anyOf(villages);
  return sql<RenterRow>`
    select p.id, p.name, p.phone, p.version, p.created_at "createdAt", r.cert_type "certType", r.cert_no_masked "certNo", r.gender,
      r.tags, r.verify, r.source, ${SOURCE_NAME} "sourceName", h.name "homeVillageName", ${STAGE} stage, ${BLACK_LEVEL} black,
      now.room_id "roomId", now.room_names "roomName", now.id "contractId", now.end_date "endDate",
      coalesce((select sum(b.outstanding) from bill b where b.party_id = any(a.ids) and b.village_id = ${v} and ${isLateMoney(read.today)}), 0)::bigint arrears,
      coalesce((select sum(b.balance) from party_balance b where b.party_id = any(a.ids) and b.village_id = ${v}), 0)::bigint prepaid,
      coalesce((select sum(d.held) from deposit_balance d join contract_brief c on c.id = d.contract_id
        where c.party_id = any(a.ids) and d.village_id = ${v}), 0)::bigint deposit
    from ${w} w(id, place)
    join party p on p.id = w.id join renter r on r.id = p.id join village h on h.id = r.home_village_id
    cross join lateral (select array(select p.id union all select x.id from renter x where x.merged_into_id = p.id) ids) a
    cross join lateral (select bool_or(c.in_force) living, bool_or(c.is_over) past
      from contract_brief c where c.party_id = any(a.ids) and c.village_id = ${v}) l
    left join lateral (select c.id, c.room_names, c.end_date,
        (select k.room_id from contract_room_brief k where k.contract_id = c.id order by k.role desc, k.room_id limit 1) room_id
      from contract_brief c where c.party_id = any(a.ids) and c.village_id = ${v} and c.in_force
      order by (c.start_date <= ${read.today}::date) desc, c.start_date desc, c.id desc limit 1) now on true
    order by w.place`;
}

/** Rows of these renters, in this order. */
export async function renterRows(
  read: Read,
  villages: readonly number[],
  ids: readonly number[],
): Promise<RenterRow[]> {
  if (!ids.length) return [];
  const these = sql`unnest(${ids as number[]}::bigint[]) with ordinality`;
  const { rows } = await rowsOf(read, villages, these).execute(read.tx);
  return rows.map(shown);
}

type ListQuery = z.output<typeof listRenters.query>;

const SORTS = {
  createdAt: sql`p.created_at`,
  name: sql`p.name collate "zh-x-icu"`,
  endDate: sql`l.end_date`,
  arrears: sql`o.fen`,
} as const;

export async function renterList(read: Read, query: ListQuery) {
  const villages = villagesOf(read.who, query.villageIds);
  const [list, totals] = await Promise.all([
    query.want === "totals" ? [] : page(read, villages, query),
    query.want === "rows" ? undefined : totalsOf(read, villages, query),
  ]);
  return { list, total: totals?.total ?? null, sums: totals?.sums ?? null };
}

const orderOf = (query: ListQuery) => {
  const by = query.sort ?? "createdAt";
  const order = query.order ?? (by === "name" ? "asc" : "desc");
  // everybody was entered at some time: without a word on nulls the index gives the first page at once
  if (by === "createdAt")
    return { by, order: sql`order by p.created_at ${sql.raw(order)}, p.id ${sql.raw(order)}` };
  return { by, order: sql`order by ${SORTS[by]} ${sql.raw(order)} nulls last, p.id desc` };
};

async function page(read: Read, villages: readonly number[], query: ListQuery) {
  const { by, order } = orderOf(query);
  const { rows } = await sql<{ id: number }>`
    select p.id ${rentersWhere(read, villages, query, by)}
    ${order} ${pageEnd(query)}`.execute(read.tx);
  return renterRows(
    read,
    villages,
    rows.map((r) => r.id),
  );
}

/** Everything a filter names, in its order: for exports, which read it through a cursor. */
export function everyRenter(read: Read, query: ListQuery) {
  const villages = villagesOf(read.who, query.villageIds);
  const { by, order } = orderOf(query);
  const these = sql`(select p.id, row_number() over (${order}) ${rentersWhere(read, villages, query, by)})`;
  return { compile: () => rowsOf(read, villages, these).compile(read.tx) };
}

type Totals = { total: number; arrears: number; prepaid: number; deposit: number };

/** Every renter of these villages: what is theirs is found by what it belongs to, without gathering them all first. */
const everybody = (read: Read, villages: readonly number[]) => {
  const v = anyOf(villages);
  const theirs = sql`exists (select 1 from party p where p.id = b.party_id and p.kind = 'renter')`;
  return sql<Totals>`select
    (select count(*) from renter r
      where exists (select 1 from party_village v where v.party_id = r.id and v.village_id = ${v})
      and r.id not in (select id from renter where merged_into_id is not null)) total,
    (select coalesce(sum(b.outstanding), 0)::bigint from bill b
      where b.village_id = ${v} and ${isLateMoney(read.today)} and ${theirs}) arrears,
    (select coalesce(sum(b.balance), 0)::bigint from party_balance b
      where b.village_id = ${v} and b.balance <> 0 and ${theirs}) prepaid,
    (select coalesce(sum(d.held), 0)::bigint from deposit_balance d where d.village_id = ${v} and d.held <> 0
      and d.contract_id not in (select id from contract_brief where kind in ('company', 'merchant'))) deposit`;
};

/** Counts and sums over the whole filter. Money is that of the villages filtered, however many a renter deals with. */
async function totalsOf(read: Read, villages: readonly number[], query: ListQuery) {
  const { total, ...sums } = (await totalling(read, villages, query).execute(read.tx)).rows[0]!;
  return { total, sums };
}

function totalling(read: Read, villages: readonly number[], query: ListQuery) {
  if (wholeScope(query)) return everybody(read, villages);
  const v = anyOf(villages);
  return sql<Totals>`
    with f as materialized (select p.id ${rentersWhere(read, villages, query)}),
    whole as (select f.id root, f.id from f union all select x.merged_into_id, x.id from renter x where x.merged_into_id in (select id from f))
    select (select count(*) from f) total,
      (select coalesce(sum(o.fen), 0)::bigint from ${owedOf(villages, read.today)} o where o.root in (select id from f)) arrears,
      (select coalesce(sum(b.balance), 0)::bigint from party_balance b join whole w on w.id = b.party_id
        where b.village_id = ${v} and b.balance <> 0) prepaid,
      (select coalesce(sum(d.held), 0)::bigint from deposit_balance d join contract_brief c on c.id = d.contract_id
        join whole w on w.id = c.party_id where d.village_id = ${v} and d.held <> 0) deposit`;
}

/** Counts by stage and newcomers of the last twelve months. */
export async function stripOf(read: Read, wanted: readonly number[] | undefined) {
  const villages = villagesOf(read.who, wanted);
  const mine = sql`p.kind = 'renter' and r.merged_into_id is null
    and exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(villages)})`;
  const first = addToMonth(monthOf(read.today), -11);
  const [stages, months] = await Promise.all([
    sql<{ stage: "prospect" | "living" | "former"; count: number }>`
      select ${STAGE} stage, count(*) count from party p join renter r on r.id = p.id
      left join ${leasesOf(villages)} l on l.root = p.id where ${mine} group by 1`.execute(read.tx),
    sql<{ month: string; count: number }>`
      select to_char(p.created_at, 'YYYY-MM') as month, count(*) count from party p join renter r on r.id = p.id
      where ${mine} and p.created_at >= ${firstOf(first)}::date group by 1`.execute(read.tx),
  ]);
  const stageOf = new Map(stages.rows.map((r) => [r.stage, r.count]));
  const monthly = new Map(months.rows.map((r) => [r.month, r.count]));
  return {
    stages: (["living", "prospect", "former"] as const).map((stage) => ({
      stage,
      count: stageOf.get(stage) ?? 0,
    })),
    months: Array.from({ length: 12 }, (_, i) => {
      const month = addToMonth(first, i);
      return { month, count: monthly.get(month) ?? 0 };
    }),
  };
}

/** The record when one of its villages is in scope; one that was merged away is not there any more. */
export async function seenRenter(read: Read, id: number) {
  const row = await read.tx
    .selectFrom("renter")
    .innerJoin("party", "party.id", "renter.id")
    .selectAll("renter")
    .select(["party.name", "party.phone", "party.version", "party.createdAt"])
    .where("renter.id", "=", id)
    .where("renter.mergedIntoId", "is", null)
    .where(seenIn(read, "renter.id"))
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
