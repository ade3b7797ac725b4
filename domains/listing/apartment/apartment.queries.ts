import { sql } from "kysely";
import type { z } from "zod";
import {
  type Column,
  columnSql,
  from,
  is,
  keyword,
  part,
  to,
} from "../../../platform/server/lists/conditions.ts";
import { listOf, type FilterOf, type List } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf, wholeScope } from "../../../platform/server/pipeline/scope.ts";
import { priceToday } from "../room/room.queries.ts";
import { layoutText, wordOf, type RentMode } from "../room/words.rules.ts";
import { storeKeeper } from "../status/overview.queries.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";
import { apartments, type apartmentRow, type placeFilter } from "./list.contract.ts";

/** Filters that lists by flat and by room share, over `apartment a`. */
export const ofFlat = {
  buildingId: is("a.building_id"),
  unitId: is("a.unit_id"),
  floorId: is("a.floor_id"),
  bedrooms: is("a.bedrooms"),
  source: is("a.source"),
  decoration: is("a.decoration"),
  layoutTag: (tag: string) => sql`a.layout_tags @> array[${tag}]`,
  buildingKind: (kind: string) => sql`a.building_id in (select id from building where kind = ${kind})`,
};

/** What is there today, what was taken out of stock, or both, by the day it went. */
export const inStock =
  (gone: Column) =>
  (stock: z.output<typeof placeFilter.stock>, { today }: Read) => {
    const day = columnSql(gone);
    if (stock === "all") return undefined;
    return stock === "retired" ? sql`${day} <= ${today}` : sql`(${day} is null or ${day} > ${today})`;
  };

/** "滨江店·3栋·1单元·1203" of a flat, over v, b, u and a. */
export const flatName = sql<string>`concat_ws('·', coalesce(nullif(v.short_name, ''), v.name),
  nullif(b.community_name, ''), b.name, u.name, a.name)`;

/** Whose a flat is, in words, over v and a. */
export const sourceName = sql<string>`coalesce((select d.name from dic_item d where d.enterprise_id = v.enterprise_id
  and d.kind = 'house' and d.group_key = 'source' and d.code = a.source), a.source)`;

/** What a flat or room still lacks, in the order in which people fill it in. */
export const missingOf = (row: { pictures: number; listPrice: number | null; productId?: number | null }) =>
  [
    row.pictures ? "" : "图片",
    row.listPrice === null ? "标价" : "",
    row.productId === null ? "产品" : "",
  ].filter(Boolean);

/** Share of what is there, of `of` things that should be. The area is always there. */
export const completeOf = (missing: readonly string[], of: number): number => (of - missing.length) / of;

/** Whole stores are asked for, as when a list opens: rooms that are in stock is what it opens with. */
export const wholeStores = ({ stock, ...q }: { stock?: unknown }): boolean =>
  (stock === undefined || stock === "in") && wholeScope(q);

/** Sums of some stores together; square metres to the hundredth. */
export const addedUp = <T extends Record<string, number>>(stores: Iterable<T>, none: T): T => {
  const sums: Record<string, number> = { ...none };
  for (const store of stores)
    for (const [key, value] of Object.entries(store))
      sums[key] = Math.round((sums[key]! + value) * 100) / 100;
  return sums as T;
};

type Filter = Partial<FilterOf<typeof apartments>>;
type Shown = z.input<typeof apartmentRow>;
type Row = Omit<Shown, "layout" | "missing" | "complete" | "occupancyText"> & {
  bedrooms: number;
  halls: number;
  baths: number;
  states: string[] | null;
};

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
const bySums = (q: Filter) => q.priceFrom !== undefined || q.priceTo !== undefined || q.incomplete === "1";

const FLATS = sql`apartment a
  join village v on v.id = a.village_id join building b on b.id = a.building_id left join unit u on u.id = a.unit_id`;

const SUMS = sql<Omit<typeof NONE, "total">>`coalesce(sum(a.gross_area), 0)::float8 "grossArea",
  coalesce(sum(s.rooms), 0)::bigint rooms, coalesce(sum(s.list_price), 0)::bigint "listPrice"`;

/** Flats with the status of their rooms today. */
export const apartmentList: List<typeof apartments> = listOf(apartments, {
  id: "a.id",
  from: (read, q) => sql`${FLATS} ${bySums(q) ? summed(read) : sql``}`,
  village: "a.village_id",
  where: {
    ...ofFlat,
    orientation: is("a.orientation"),
    stock: inStock("a.retired_day"),
    rentMode: is("a.rent_mode"),
    areaFrom: from("a.gross_area"),
    areaTo: to("a.gross_area"),
    priceFrom: from("s.list_price"),
    priceTo: to("s.list_price"),
    incomplete: (wanted) =>
      wanted === "1" ? sql`(coalesce(s.pictures, 0) = 0 or s.list_price is null)` : undefined,
    keyword: keyword(part(flatName)),
  },
  sort: {
    place: { order: (way) => sql`a.village_id ${way}, a.place ${way}, a.id` },
    grossArea: "a.gross_area",
  },
  order: "place",
  inBatches: true,
  way: "asc",
  tie: sql`a.id`,
  columns: (
    read: Read,
  ) => sql<Row>`a.id, a.village_id "villageId", ${flatName} "fullName", a.rent_mode "rentMode",
    case when a.rent_mode_from > ${read.today} then a.rent_mode_from end "rentModeFrom", a.bedrooms, a.halls, a.baths,
    a.gross_area "grossArea", a.orientation, ${sourceName} source, a.head_lease_end "headLeaseEnd",
    s.list_price "listPrice", s.lowest_price "lowestPrice", s.rooms, coalesce(s.pictures, 0)::bigint pictures,
    a.retired_day "retiredDay", a.version, n.states, coalesce(n.let, 0) "letRooms", n.vacant_days "vacantDays"`,
  join: (read) => sql`join ${FLATS} on a.id = page.id ${summed(read)}
    left join (
      select r.apartment_id, array_agg(n.occupancy order by n.room_id) states, count(*) filter (where n.is_let) let,
        max(${read.today}::date - n.vacant_since) vacant_days
      from room_status_of(${read.today}, ${read.today},
        array(select distinct a.village_id from page join apartment a on a.id = page.id),
        array(select r.id from page join room r on r.apartment_id = page.id where r.is_leaf)) n
      join room r on r.id = n.room_id group by 1) n on n.apartment_id = a.id`,
  sums: { select: SUMS, join: (read, q) => (bySums(q) ? sql`` : summed(read)) },
  totals: (read, q) =>
    wholeStores(q)
      ? totalsOfStores(read, villagesOf(read.who, q.villageIds)).then((kept) => addedUp(kept.values(), NONE))
      : undefined,
  rows: (rows, read) => rows.map((row) => shown(row, read)),
});

function shown({ bedrooms, halls, baths, states, lowestPrice, ...row }: Row, { who }: Read): Shown {
  const missing = missingOf(row);
  return {
    ...row,
    ...(who.permits.has("#601") && { lowestPrice: lowestPrice ?? null }),
    rentMode: row.rentMode as RentMode,
    layout: layoutText({ bedrooms, halls, baths }),
    occupancyText: together(states ?? [], row.letRooms),
    missing,
    complete: completeOf(missing, 3),
  };
}

/** One word when all leaves agree, else how many of them are let. */
function together(states: readonly string[], letRooms: number): string {
  const [first] = states;
  if (first === undefined) return "";
  return states.every((state) => state === first)
    ? wordOf(OCCUPANCIES, first)
    : `部分在租 ${letRooms}/${states.length}`;
}

const NONE = { total: 0, grossArea: 0, rooms: 0, listPrice: 0 };
const totalsOfStores = storeKeeper<typeof NONE>(async (read, villages) => {
  const where = await apartmentList.condition(read, { villageIds: [...villages], stock: "in" });
  const { rows } = await sql<typeof NONE & { villageId: number }>`
    select a.village_id "villageId", count(*)::int total, ${SUMS} from ${FLATS} ${summed(read)}
    where ${where} group by 1`.execute(read.tx);
  return new Map(rows.map(({ villageId, ...totals }) => [villageId, totals]));
});
