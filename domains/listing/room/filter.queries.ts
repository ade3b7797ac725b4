import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { columnSql, is, type Column } from "../../../platform/server/lists/conditions.ts";
import { wholeScope } from "../../../platform/server/pipeline/scope.ts";
import type { placeFilter } from "../apartment/list.contract.ts";

/** The price of a room today; before its first day, the one it begins with. */
export const priceToday = (read: Read, room: RawBuilder<unknown>) => sql`
  select p.list_price, p.lowest_price, p.unit from room_price p where p.room_id = ${room}
  order by p.effective_day <= ${read.today} desc,
    case when p.effective_day <= ${read.today} then p.effective_day end desc, p.effective_day limit 1`;

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
