import { sql } from "kysely";
import { type Day, maxDay } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { PriceUnit } from "../room/words.rules.ts";
import {
  type PriceLine,
  histogram,
  percentOf,
  totalsOf,
  type FollowGiven,
  type Given,
  type ProductGiven,
  type RoomGiven,
  priceIn,
  followLine,
  productLine,
  productMove,
  roomLine,
} from "./change.rules.ts";
import { type Computed, compute, hashOf, roomsOf } from "./compute.queries.ts";
import { fixedPlan } from "./stored.queries.ts";
import type { ChangeKind } from "./words.rules.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

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
  const product = await theRow(read, "product", ["id", "name", "priceUnit", "villageIds"], {
    id: given.productId,
  });
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

/** `self`: the change that they stand on already. */
export function computeGiven(read: Read, given: Given, self: number | null = null): Promise<Looked> {
  const day = maxDay(given.effectiveDay, read.today);
  return given.kind === "product" ? ofProduct(read, given, day, self) : ofRoom(read, given, day, self);
}

async function ofRoom(
  read: Read,
  given: RoomGiven | FollowGiven,
  day: Day,
  self: number | null,
): Promise<Looked> {
  const { villageId, fullName, productId, priceMode } = await theRow(
    read,
    "room",
    ["villageId", "fullName", "productId", "priceMode"],
    { id: given.roomId },
  );
  const [found] = await roomsOf(read, { roomIds: [given.roomId], self }, [villageId], day);
  const room = found!;
  const named = { villageIds: [villageId], name: fullName, productName: "" };
  if (given.kind === "room") {
    const line = roomLine(room, given);
    return { ...worked([line], [line.oldUnit ?? line.unit]), ...named, unit: given.unit };
  }
  const ahead = await pricesAhead(read, productId, villageId, day);
  const unit = ahead.unit;
  const now = ahead.prices.find((p) => p.effectiveDay === day);
  const same = { listPrice: room.oldList ?? 0, lowestPrice: room.oldLowest ?? 0 };
  const line = followLine(productLine(room, now ? unit : (room.unit ?? unit), now ?? same), room);
  // a price set for a later day since then goes unseen by nobody
  const later = room.laterDay ? [room.laterDay] : [];
  return {
    ...worked([line], [productId, priceMode, line.oldUnit ?? line.unit, ahead.prices, ...later]),
    ...named,
    unit,
    productName: ahead.name,
  };
}

/** The price of a product in a store on a day, and those to come. */
async function pricesAhead(read: Read, productId: number | null, villageId: number, day: Day) {
  const { name, priceUnit } = await aRow(read, "product", ["name", "priceUnit"], { id: productId }).then(
    (row) => row ?? { name: "", priceUnit: "month" },
  );
  const { rows } = await sql<{ effectiveDay: Day; listPrice: number; lowestPrice: number }>`
    select distinct on (x.effective_day) greatest(x.effective_day, ${day}::date) "effectiveDay",
      x.list_price "listPrice", x.lowest_price "lowestPrice"
    from product_price x where x.product_id = ${productId} and (x.village_id is null or x.village_id = ${villageId})
      and x.effective_day >= coalesce((select max(y.effective_day) from product_price y
        where y.product_id = ${productId} and y.effective_day <= ${day}), ${day})
    order by x.effective_day, x.village_id nulls last`.execute(read.tx);
  return { name, unit: priceUnit as PriceUnit, prices: rows };
}

type Kept = Parameters<typeof fixedPlan>[1] & { kind: string; given: unknown; effectiveDay: Day };

/** A change as it would come out now: the same rooms or the same typed prices, on the prices of today. */
export async function recompute(read: Read, change: Kept): Promise<Computed> {
  if ((change.kind as ChangeKind) === "batch")
    return compute(read, await fixedPlan(read, change), change.villageIds);
  return computeGiven(read, { ...(change.given as Given), effectiveDay: change.effectiveDay }, change.id);
}
