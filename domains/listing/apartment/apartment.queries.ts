import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import {
  addedUp,
  completeOf,
  flatFilter,
  flatName,
  sourceName,
  inStock,
  keywordIn,
  missingOf,
  priceToday,
  wholeStores,
} from "../room/filter.queries.ts";
import { layoutText, wordOf, type RentMode } from "../room/words.rules.ts";
import { storeKeeper } from "../status/store-cache.queries.ts";
import { OCCUPANCIES } from "../status/words.rules.ts";
import { apartments, type apartmentRow } from "./list.contract.ts";

type Query = z.output<typeof apartments.query>;

/** The rooms of a flat: how many are let apart, and what they cost together or as a whole. */
const summed = (read: Read) => sql`
  left join lateral (
    select count(*) filter (where r.is_leaf) rooms, array_agg(r.id) filter (where r.is_leaf) leaves,
      sum(x.n) pictures,
      coalesce(max(p.list_price) filter (where not r.is_leaf), sum(p.list_price) filter (where r.is_leaf))::bigint list_price,
      coalesce(max(p.lowest_price) filter (where not r.is_leaf), sum(p.lowest_price) filter (where r.is_leaf))::bigint lowest_price
    from room r
    left join lateral (${priceToday(read, sql`r.id`)}) p on true
    left join lateral (select count(*) n from room_picture i where i.room_id = r.id) x on true
    where r.apartment_id = a.id and (not_retired(r.retired_day, ${read.today}) or a.retired_day is not null)
  ) s on true`;

/** Sums over rooms are only looked at where the filter asks for them. */
const bySums = (q: Query) => q.priceFrom !== undefined || q.priceTo !== undefined || q.incomplete === "1";

const matching = (read: Read, q: Query, withSums: boolean): RawBuilder<unknown> => sql`
  from apartment a
  join village v on v.id = a.village_id join building b on b.id = a.building_id left join unit u on u.id = a.unit_id
  ${withSums ? summed(read) : sql``}
  where ${flatFilter(read, q)}
    ${q.orientation ? sql`and a.orientation = ${q.orientation}` : sql``}
    ${inStock(read, q, sql`a.retired_day`)}
    ${q.rentMode ? sql`and a.rent_mode = ${q.rentMode}` : sql``}
    ${q.areaFrom === undefined ? sql`` : sql`and a.gross_area >= ${q.areaFrom}`}
    ${q.areaTo === undefined ? sql`` : sql`and a.gross_area <= ${q.areaTo}`}
    ${q.priceFrom === undefined ? sql`` : sql`and s.list_price >= ${q.priceFrom}`}
    ${q.priceTo === undefined ? sql`` : sql`and s.list_price <= ${q.priceTo}`}
    ${q.incomplete === "1" ? sql`and (coalesce(s.pictures, 0) = 0 or s.list_price is null)` : sql``}
    ${keywordIn(q, flatName)}`;

type Row = Omit<z.input<typeof apartmentRow>, "layout" | "missing" | "complete" | "occupancyText"> & {
  bedrooms: number;
  halls: number;
  baths: number;
  states: string[] | null;
};

export async function apartmentRows(read: Read, q: Query): Promise<z.input<typeof apartmentRow>[]> {
  const down = sql.raw(q.order === "desc" ? "desc" : "asc");
  const order =
    q.sort === "grossArea"
      ? sql`a.gross_area ${down}, a.id`
      : sql`a.village_id ${down}, a.place ${down}, a.id`;
  const { rows: page } = await sql<{ id: number }>`
    select a.id ${matching(read, q, bySums(q))} order by ${order}
    ${pageEnd(q)}`.execute(read.tx);
  return shown(
    read,
    page.map((row) => row.id),
  );
}

/** The rows of some flats, in the order of their ids, with their status of today. */
async function shown(read: Read, ids: number[]): Promise<z.input<typeof apartmentRow>[]> {
  const { rows } = await sql<Row>`
    with page as (
      select w.at, a.id, a.village_id "villageId", ${flatName} "fullName", a.rent_mode "rentMode",
        case when a.rent_mode_from > ${read.today} then a.rent_mode_from end "rentModeFrom", a.bedrooms, a.halls, a.baths,
        a.gross_area "grossArea", a.orientation, ${sourceName} source, a.head_lease_end "headLeaseEnd", s.list_price "listPrice",
        s.lowest_price "lowestPrice", s.rooms, s.leaves, coalesce(s.pictures, 0)::bigint pictures,
        a.retired_day "retiredDay", a.version
      from unnest(${ids}::bigint[]) with ordinality as w(id, at) join apartment a on a.id = w.id
      join village v on v.id = a.village_id join building b on b.id = a.building_id left join unit u on u.id = a.unit_id
      ${summed(read)}),
    now as (
      select * from room_status_of(${read.today}, ${read.today}, array(select distinct "villageId" from page),
        array(select unnest(leaves) from page)))
    select p.*, n.states, coalesce(n.let, 0) "letRooms", n.vacant_days "vacantDays"
    from page p left join lateral (
      select array_agg(s.occupancy order by s.room_id) states, count(*) filter (where s.is_let) let,
        max(${read.today}::date - s.vacant_since) vacant_days
      from now s where s.room_id = any (p.leaves)) n on true
    order by p.at`.execute(read.tx);
  const seesLowest = read.who.permits.has("#601");
  return rows.map(({ bedrooms, halls, baths, states, lowestPrice, ...row }) => {
    const missing = missingOf(row);
    return {
      ...row,
      ...(seesLowest && { lowestPrice: lowestPrice ?? null }),
      rentMode: row.rentMode as RentMode,
      layout: layoutText({ bedrooms, halls, baths }),
      occupancyText: together(states ?? [], row.letRooms),
      missing,
      complete: completeOf(missing, 3),
    };
  });
}

/** One word when all leaves agree, else how many of them are let. */
function together(states: readonly string[], letRooms: number): string {
  const [first] = states;
  if (first === undefined) return "";
  return states.every((state) => state === first)
    ? wordOf(OCCUPANCIES, first)
    : `部分在租 ${letRooms}/${states.length}`;
}

type Totals = { total: number; grossArea: number; rooms: number; listPrice: number };
const NONE: Totals = { total: 0, grossArea: 0, rooms: 0, listPrice: 0 };
const TOTALS = sql`count(*)::int total, coalesce(sum(a.gross_area), 0)::float8 "grossArea",
  coalesce(sum(s.rooms), 0)::bigint rooms, coalesce(sum(s.list_price), 0)::bigint "listPrice"`;

const totalsOfStores = storeKeeper<Totals>(async (read, villages) => {
  const whole = { ...apartments.query.parse({}), villageIds: [...villages] };
  const { rows } = await sql<Totals & { villageId: number }>`
    select a.village_id "villageId", ${TOTALS} ${matching(read, whole, true)} group by 1`.execute(read.tx);
  return new Map(rows.map(({ villageId, ...totals }) => [villageId, totals]));
});

export async function apartmentTotals(read: Read, q: Query): Promise<Totals> {
  if (wholeStores(q))
    return addedUp((await totalsOfStores(read, villagesOf(read.who, q.villageIds))).values(), NONE);
  const { rows } = await sql<Totals>`select ${TOTALS} ${matching(read, q, true)}`.execute(read.tx);
  return rows[0]!;
}
