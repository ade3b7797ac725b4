import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { PriceUnit } from "../room/words.rules.ts";
import { type PriceLine, histogram, percentOf, totalsOf } from "./change.rules.ts";
import { type Computed, hashOf, roomsOf } from "./compute.queries.ts";
import { type ProductGiven, priceIn, productLine, productMove } from "./given.rules.ts";

/** What typed prices do as things stand now, and how people name what they are for. */
export type Looked = Computed & {
  villageIds: number[];
  name: string;
  unit: PriceUnit;
  productName: string;
};

/** Of lines that were worked out; `also` is what else must not move until they are carried out. */
export const worked = (lines: PriceLine[], also: readonly unknown[]) => ({
  lines,
  products: [],
  totals: totalsOf(lines),
  histogram: histogram(lines),
  hash: hashOf(lines, also),
});

/** Every room that follows, however many: the product and its rooms move together or not at all. */
export async function ofProduct(
  read: Read,
  given: ProductGiven,
  day: Day,
  self: number | null,
): Promise<Looked> {
  const product = await read.tx
    .selectFrom("product")
    .select(["id", "name", "priceUnit", "villageIds"])
    .where("id", "=", given.productId)
    .executeTakeFirstOrThrow();
  const unit = product.priceUnit as PriceUnit;
  const { rows: following } = await sql<{ id: number }>`
    select id from room where product_id = ${product.id} and price_mode = 'follow'
      and village_id = ${anyOf(product.villageIds)} and not_retired(retired_day, ${day})`.execute(read.tx);
  const ids = following.map((room) => room.id);
  const rooms = ids.length
    ? await roomsOf(read, { roomIds: ids, self }, product.villageIds, day, ids.length)
    : [];
  const before = await pricesOn(read, product.id, day);
  const lines = rooms.map((room) => productLine(room, unit, priceIn(given, room.villageId)));
  const prices = [{ villageId: null, ...given }, ...given.villages].map((p) => ({
    villageId: p.villageId,
    list: p.listPrice,
    lowest: p.lowestPrice,
  }));
  const all = worked(lines, [before, prices]);
  return {
    ...all,
    products: [{ id: product.id, name: product.name, unit, rooms: lines.length, prices }],
    percent: Math.max(percentOf(all.totals), productMove(given, before)),
    villageIds: product.villageIds,
    name: product.name,
    productName: product.name,
    unit,
  };
}

/** The prices that a product has on a day, of all stores and of those that differ. */
export async function pricesOn(read: Read, productId: number, day: Day) {
  const { rows } = await sql<{ villageId: number | null; list: number; lowest: number }>`
    select x.village_id "villageId", x.list_price list, x.lowest_price lowest from product_price x
    where x.product_id = ${productId} and x.effective_day = (select max(y.effective_day) from product_price y
      where y.product_id = ${productId} and y.effective_day <= ${day})
    order by x.village_id nulls first`.execute(read.tx);
  return rows;
}
