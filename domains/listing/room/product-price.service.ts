import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { changed } from "../occupancy/occupancy.service.ts";

type Amounts = { listPrice: Fen; lowestPrice: Fen };
export type ProductPrice = Amounts & {
  effectiveDay: Day;
  /** Stores that differ from all others. */
  villages: readonly (Amounts & { villageId: number })[];
};
export type RoomTouched = { roomId: number; villageId: number; fullName: string };

/**
 * Sets the price of a product from a day on, for all of its stores, and writes it into the prices of the rooms that
 * follow it: there is one place to look for the price of a room. Answers those rooms. A second price for the same day
 * takes the place of the first.
 */
export async function priceProduct(
  act: Act,
  product: { id: number; priceUnit: string },
  price: ProductPrice,
): Promise<RoomTouched[]> {
  const by = act.who.operatorId || null;
  const { effectiveDay } = price;
  await sql`delete from product_price where product_id = ${product.id} and effective_day = ${effectiveDay}`.execute(
    act.tx,
  );
  await act.tx
    .insertInto("productPrice")
    .values(
      [{ villageId: null, ...price }, ...price.villages].map(({ villageId, listPrice, lowestPrice }) => ({
        productId: product.id,
        villageId,
        effectiveDay,
        listPrice,
        lowestPrice,
        createdBy: by,
      })),
    )
    .execute();
  const { rows } = await sql<RoomTouched>`
    with priced as (
      insert into room_price (room_id, effective_day, list_price, lowest_price, unit, source, source_id, created_by)
      select r.id, ${effectiveDay}::date, p.list_price, p.lowest_price, ${product.priceUnit}, 'product', ${product.id}::bigint, ${by}::bigint
      from room r cross join lateral (
        select x.list_price, x.lowest_price from product_price x where x.product_id = ${product.id}
          and x.effective_day = ${effectiveDay} and (x.village_id = r.village_id or x.village_id is null)
        order by x.village_id nulls last limit 1) p
      where r.product_id = ${product.id} and r.price_mode = 'follow'
        and not_retired(r.retired_day, ${effectiveDay})
      on conflict (room_id, effective_day) do update set list_price = excluded.list_price,
        lowest_price = excluded.lowest_price, unit = excluded.unit, source = excluded.source,
        source_id = excluded.source_id, created_at = now(), created_by = excluded.created_by
      returning room_id)
    select r.id "roomId", r.village_id "villageId", r.full_name "fullName"
    from priced join room r on r.id = priced.room_id order by r.id`.execute(act.tx);
  await changed(act, rows);
  return rows;
}

/** Rooms that follow their product from today on take its price of today and those that are to come. */
export async function followProducts(act: Act, roomIds: readonly number[]): Promise<void> {
  if (!roomIds.length) return;
  await sql`
    delete from room_price p using room r, product d
    where r.id = p.room_id and r.id = ${anyOf(roomIds)} and r.price_mode = 'follow' and d.id = r.product_id
      and p.effective_day > ${act.today}`.execute(act.tx);
  await sql`
    insert into room_price (room_id, effective_day, list_price, lowest_price, unit, source, source_id, created_by)
    select r.id, p.effective_day, p.list_price, p.lowest_price, d.price_unit, 'product', d.id, ${act.who.operatorId || null}::bigint
    from room r join product d on d.id = r.product_id
    cross join lateral (
      select distinct on (x.effective_day) greatest(x.effective_day, ${act.today}::date) effective_day, x.list_price, x.lowest_price
      from product_price x
      where x.product_id = d.id and (x.village_id is null or x.village_id = r.village_id)
        and x.effective_day >= coalesce((select max(y.effective_day) from product_price y
          where y.product_id = d.id and y.effective_day <= ${act.today}), ${act.today})
      order by x.effective_day, x.village_id nulls last) p
    where r.id = ${anyOf(roomIds)} and r.price_mode = 'follow'
    on conflict (room_id, effective_day) do update set list_price = excluded.list_price,
      lowest_price = excluded.lowest_price, unit = excluded.unit, source = excluded.source,
      source_id = excluded.source_id, created_at = now(), created_by = excluded.created_by`.execute(act.tx);
}

/** A room that no longer follows its product keeps the price it has; those to come from the product go. */
export async function leaveProducts(
  act: Act,
  roomIds: readonly number[],
  after: Day = act.today,
): Promise<void> {
  await sql`delete from room_price where room_id = ${anyOf(roomIds)} and source = 'product'
    and effective_day > ${after}`.execute(act.tx);
}
