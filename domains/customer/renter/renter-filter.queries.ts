import { sql, type RawBuilder } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import type { RenterFilter } from "./renter.contract.ts";

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
