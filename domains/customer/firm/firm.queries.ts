import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { seenIn } from "../record/seen.queries.ts";
import { firmsWhere, RENT, type FirmFilter } from "./firm-filter.queries.ts";
import { firmRows, firmRowsOf, HELD, lastTurnover } from "./firm-row.queries.ts";
import type { FirmKind } from "./words.rules.ts";

type ListQuery = FirmFilter & {
  villageIds?: number[] | undefined;
  sort?: "createdAt" | "name" | "endDate" | "monthlyRent" | "arrears" | undefined;
  order?: "asc" | "desc" | undefined;
  pageNo: number;
  pageSize: number;
  want: "both" | "rows" | "totals";
};

const SORTS = {
  createdAt: sql`p.created_at`,
  name: sql`p.name collate "zh-x-icu"`,
  endDate: sql`l.end_date`,
  monthlyRent: sql`l.rent`,
  arrears: sql`o.fen`,
} as const;

const orderOf = (query: ListQuery) => {
  const by = query.sort ?? "createdAt";
  const order = query.order ?? (by === "name" || by === "endDate" ? "asc" : "desc");
  return { by, order: sql`order by ${SORTS[by]} ${sql.raw(order)} nulls last, p.id desc` };
};

export async function firmList(read: Read, kind: FirmKind, query: ListQuery) {
  const villages = villagesOf(read.who, query.villageIds);
  const [list, totals] = await Promise.all([
    query.want === "totals" ? [] : page(read, kind, villages, query),
    query.want === "rows" ? undefined : totalsOf(read, kind, villages, query),
  ]);
  return { list, total: totals?.total ?? null, sums: totals?.sums ?? null };
}

async function page(read: Read, kind: FirmKind, villages: readonly number[], query: ListQuery) {
  const { by, order } = orderOf(query);
  const { rows } = await sql<{ id: number }>`
    select p.id ${firmsWhere(read, kind, villages, query, by)} ${order} ${pageEnd(query)}`.execute(read.tx);
  return firmRows(
    read,
    villages,
    rows.map((r) => r.id),
  );
}

/** Everything a filter names, in its order: for exports, which read it through a cursor. */
export function everyFirm(read: Read, kind: FirmKind, query: ListQuery) {
  const villages = villagesOf(read.who, query.villageIds);
  const { by, order } = orderOf(query);
  const these = sql`(select p.id, row_number() over (${order}) ${firmsWhere(read, kind, villages, query, by)})`;
  return { compile: () => firmRowsOf(read, villages, these).compile(read.tx) };
}

/** Counts and sums over the whole filter, of the villages filtered. */
async function totalsOf(read: Read, kind: FirmKind, villages: readonly number[], query: ListQuery) {
  const v = anyOf(villages);
  const { rows } = await sql<{
    total: number;
    rooms: number;
    monthlyRent: number;
    area: number;
    turnover: number;
    arrears: number;
  }>`
    with f as materialized (select p.id ${firmsWhere(read, kind, villages, query)}),
    whole as (select id from f union all select y.id from firm y where y.merged_into_id in (select id from f))
    select (select count(*) from f)::int total, h.rooms, h.area,
      ${kind === "merchant" ? lastTurnover(read, sql`(select id from whole)`, v) : sql`0::bigint`} turnover,
      (select coalesce(sum(${RENT}), 0)::bigint from contract_brief c
        where c.party_id in (select id from whole) and c.village_id = ${v} and c.in_force) "monthlyRent",
      (select coalesce(sum(b.outstanding), 0)::bigint from bill b
        where b.party_id in (select id from whole) and b.village_id = ${v} and ${isLateMoney(read.today)}) arrears
    from (select count(*)::int rooms, coalesce(sum(r.area), 0)::float8 area
      from contract_brief c join contract_room_brief k on k.contract_id = c.id join room r on r.id = k.room_id
      where c.party_id in (select id from whole) and c.village_id = ${v} and ${HELD}) h`.execute(read.tx);
  const { total, ...sums } = rows[0]!;
  return { total, sums };
}

/** Floor area that each 业态 holds. */
export async function areaByCategory(read: Read, wanted: readonly number[] | undefined) {
  const v = anyOf(villagesOf(read.who, wanted));
  const { rows } = await sql<{ category: string; area: number; count: number }>`
    select s.category, coalesce(sum(h.area), 0)::float8 area, count(*)::int count
    from merchant s join firm x on x.id = s.id
    cross join lateral (select sum(r.area) area from contract_brief c join contract_room_brief k on k.contract_id = c.id
      join room r on r.id = k.room_id
      where c.party_id in (select x.id union all select y.id from firm y where y.merged_into_id = x.id)
        and c.village_id = ${v} and ${HELD}) h
    where x.merged_into_id is null
      and exists (select 1 from party_village w where w.party_id = s.id and w.village_id = ${v})
    group by 1 order by 2 desc, 1`.execute(read.tx);
  return rows;
}

/** The record when one of its villages is in scope; one that was merged away is not there any more. */
export async function seenFirm(read: Read, kind: FirmKind, id: number) {
  const row = await read.tx
    .selectFrom("firm")
    .innerJoin("party", "party.id", "firm.id")
    .leftJoin("company", "company.id", "firm.id")
    .leftJoin("merchant", "merchant.id", "firm.id")
    .selectAll("firm")
    .select(["party.name", "party.phone", "party.version"])
    .select([
      "company.industry",
      "company.scale",
      "company.ownerId",
      "company.creditDays",
      "company.creditLimit",
    ])
    .select(["merchant.brand", "merchant.category", "merchant.subject", "merchant.legalName"])
    .where("firm.id", "=", id)
    .where("firm.kind", "=", kind)
    .where("firm.mergedIntoId", "is", null)
    .where(seenIn(read, "firm.id"))
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
export type SeenFirm = Awaited<ReturnType<typeof seenFirm>>;

/** Every record of one firm: the one kept and those merged into it. */
export async function wholeFirm(read: Read, id: number): Promise<number[]> {
  const aliases = await read.tx.selectFrom("firm").select("id").where("mergedIntoId", "=", id).execute();
  return [id, ...aliases.map((a) => a.id)];
}
