import { sql, type RawBuilder } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { canonicalNumber } from "../../../platform/kernel/certificate.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { REMIND_DAYS } from "../../party/paper/paper.rules.ts";
import { STAGE } from "../renter/renter.queries.ts";
import type { FirmKind } from "./words.rules.ts";

/** What both lists can be filtered by; each kind's contract offers those that it knows. */
export type FirmFilter = {
  stage?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  arrears?: "yes" | "no" | undefined;
  keyword?: string | undefined;
  industry?: string | undefined;
  ownerId?: number | undefined;
  credit?: "over" | undefined;
  category?: string | undefined;
  subject?: readonly string[] | undefined;
  papers?: "due" | undefined;
};

/** Contracts and bills stay with the record they were written for; a merged one is found under the one kept. */
const root = sql`coalesce(x.merged_into_id, x.id)`;

/** What the rooms of `contract c` cost a month as it stands now, after the steps so far; else what they were let for. */
export const RENT = sql`coalesce(c.current_rent,
  (select sum(q.monthly_rent) from contract_room_brief q where q.contract_id = c.id and q.leave_date is null), 0)`;

const leasesOf = (villages: readonly number[]) => sql`(
  select ${root} root, bool_or(c.in_force) living, bool_or(c.is_over) past,
    min(c.end_date) filter (where c.in_force) end_date,
    (sum(${RENT}) filter (where c.in_force))::bigint rent
  from contract_brief c join firm x on x.id = c.party_id
  where c.village_id = ${anyOf(villages)} and (c.in_force or c.is_over) group by 1)`;

const owedOf = (villages: readonly number[], today: string) => sql`(
  select ${root} root, sum(b.outstanding)::bigint fen
  from bill b join firm x on x.id = b.party_id
  where b.village_id = ${anyOf(villages)} and ${isLateMoney(today)} group by 1)`;

const blackHit = sql`select b.level from black_list b where b.active and b.enterprise_id = p.enterprise_id
  and (b.cert_no_hash = x.number_hash or (p.phone <> '' and b.phone = p.phone))`;
/** The worst live entry that names the credit code, the certificate or the main contact's phone. */
export const BLACK_LEVEL = sql<
  "none" | "warn" | "forbid"
>`coalesce((select min(level) from (${blackHit}) h), 'none')`;

/** What of a company's limit is used: everything issued and still open, in whatever village. */
export const creditUsed = sql`coalesce((select sum(b.outstanding) from bill b
  where b.party_id in (select p.id union all select y.id from firm y where y.merged_into_id = p.id)
    and b.direction = 'receivable' and b.outstanding > 0 and b.issued_at is not null), 0)::bigint`;

function keyword(read: Read, text: string): RawBuilder<unknown> {
  const found = [sql`p.name ilike ${containing(text)}`, sql`s.brand ilike ${containing(text)}`];
  const contacts = [sql`t.name ilike ${containing(text)}`];
  if (/^[A-Za-z]+$/.test(text)) found.push(sql`p.pinyin like ${`${text.toLowerCase()}%`}`);
  if (/^[\d-]{7,20}$/.test(text)) contacts.push(sql`t.phone = ${text}`);
  if (/^\d{4}$/.test(text)) contacts.push(sql`right(t.phone, 4) = ${text}`);
  const number = canonicalNumber(text);
  if (/^[A-Z0-9]{6,18}$/.test(number)) found.push(sql`x.number_hash = ${read.cipher.hash(number)}`);
  found.push(sql`p.id in (select t.party_id from party_contact t where ${sql.join(contacts, sql` or `)})`);
  return sql`(${sql.join(found, sql` or `)})`;
}

/** `from … where …` of the firms that a filter names, as p, x, k (company), s (merchant), l (leases) and o (what is owed). */
export function firmsWhere(
  read: Read,
  kind: FirmKind,
  villages: readonly number[],
  f: FirmFilter,
  sortedBy?: string,
): RawBuilder<unknown> {
  const conditions = [
    sql`p.kind = ${kind} and x.merged_into_id is null`,
    sql`exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(villages)})`,
    ...(f.stage?.length ? [sql`${STAGE} = any(${f.stage as string[]}::text[])`] : []),
    ...(f.tags?.length ? [sql`x.tags && ${f.tags as string[]}::text[]`] : []),
    ...(f.arrears ? [f.arrears === "yes" ? sql`o.fen > 0` : sql`o.fen is null`] : []),
    ...(f.industry ? [sql`k.industry = ${f.industry}`] : []),
    ...(f.ownerId ? [sql`k.owner_id = ${f.ownerId}`] : []),
    ...(f.credit ? [sql`${creditUsed} > k.credit_limit`] : []),
    ...(f.category ? [sql`s.category = ${f.category}`] : []),
    ...(f.subject?.length ? [sql`s.subject = any(${f.subject as string[]}::text[])`] : []),
    ...(f.papers
      ? [
          sql`exists (select 1 from party_paper w where w.party_id = p.id and w.end_day <= ${addDays(read.today, REMIND_DAYS)}::date)`,
        ]
      : []),
    ...(f.keyword ? [keyword(read, f.keyword)] : []),
  ];
  // each join costs a pass over the villages' contracts or open bills, so it stands only where something asks for it
  const leases = f.stage?.length || sortedBy === "endDate" || sortedBy === "monthlyRent";
  const owed = f.arrears || sortedBy === "arrears";
  return sql`from party p join firm x on x.id = p.id left join company k on k.id = p.id left join merchant s on s.id = p.id
    ${leases ? sql`left join ${leasesOf(villages)} l on l.root = p.id` : sql``}
    ${owed ? sql`left join ${owedOf(villages, read.today)} o on o.root = p.id` : sql``}
    where ${sql.join(conditions, sql` and `)}`;
}
