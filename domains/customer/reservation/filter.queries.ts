import { sql, type RawBuilder } from "kysely";
import { beginning, containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { ReservationFilter } from "./reservation.contract.ts";

function keyword(text: string): RawBuilder<unknown> {
  const party = [sql`p.name ilike ${containing(text)}`];
  if (/^[A-Za-z]+$/.test(text)) party.push(sql`p.pinyin like ${`${text.toLowerCase()}%`}`);
  if (/^\d{11,15}$/.test(text)) party.push(sql`p.phone = ${text}`);
  if (/^\d{4}$/.test(text)) party.push(sql`right(p.phone, 4) = ${text}`);
  return sql`(r.number ilike ${beginning(text)}
    or exists (select 1 from party p where p.id = r.party_id and (${sql.join(party, sql` or `)}))
    or exists (select 1 from room m where m.id = r.room_id and m.full_name ilike ${containing(text)}))`;
}

const within = (column: RawBuilder<unknown>, from: string | undefined, to: string | undefined) => [
  ...(from ? [sql`${column} >= ${from}::date`] : []),
  ...(to ? [sql`${column} <= ${to}::date`] : []),
];

/** Begin or end today and still stand: the workbench counts these and the list opens them. */
const today = (read: Read) =>
  sql`reservation_keeps(r.state) and (r.move_in_day = ${read.today}::date or r.hold_until = ${read.today}::date)`;
/** Lapsed with money that somebody must decide about. */
const kept = sql`r.state = 'lapsed' and exists (select 1 from earnest_balance h where h.bill_id = r.bill_id and h.held > 0)`;

/** `from reservation r where …` of what a filter names. */
export function reservationsWhere(read: Read, f: Partial<ReservationFilter>): RawBuilder<unknown> {
  const conditions = [
    sql`r.village_id = any(${villagesOf(read.who, f.villageIds) as number[]}::bigint[])`,
    ...(f.state?.length ? [sql`r.state = any(${f.state as string[]}::text[])`] : []),
    ...(f.earnestKind ? [sql`r.earnest_kind = ${f.earnestKind}`] : []),
    ...(f.partyKind?.length
      ? [
          sql`exists (select 1 from party p where p.id = r.party_id and p.kind = any(${f.partyKind as string[]}::text[]))`,
        ]
      : []),
    ...(f.ownerId ? [sql`r.owner_id = ${f.ownerId}`] : []),
    ...(f.leadId ? [sql`r.lead_id = ${f.leadId}`] : []),
    ...within(sql`r.move_in_day`, f.moveInFrom, f.moveInTo),
    ...within(sql`r.hold_until`, f.holdFrom, f.holdTo),
    ...(f.today ? [today(read)] : []),
    ...(f.kept ? [kept] : []),
    ...(f.keyword ? [keyword(f.keyword)] : []),
  ];
  return sql`from reservation r where ${sql.join(conditions, sql` and `)}`;
}
