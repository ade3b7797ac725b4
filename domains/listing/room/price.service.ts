import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { PriceUnit } from "./words.rules.ts";

export type Price = {
  roomId: number;
  effectiveDay: Day;
  listPrice: Fen;
  lowestPrice: Fen;
  unit: PriceUnit;
};

/** The price of each room at a day: the last row on or before it. Rooms without one are missing from the map. */
export async function priceAt(read: Read, roomIds: readonly number[], day: Day): Promise<Map<number, Price>> {
  if (!roomIds.length) return new Map();
  const { rows } = await sql<Price>`
    select p.room_id "roomId", p.effective_day "effectiveDay", p.list_price "listPrice",
      p.lowest_price "lowestPrice", p.unit
    from unnest(${roomIds as number[]}::bigint[]) as r(id)
    cross join lateral (select * from room_price where room_id = r.id and effective_day <= ${day}
      order by effective_day desc limit 1) p`.execute(read.tx);
  return new Map(rows.map((row) => [row.roomId, row]));
}

/** Rooms whose prices are about to change, in the order of their ids: whoever signs or prices one of them waits. */
export async function lockRooms(act: Act, roomIds: readonly number[]): Promise<void> {
  await sql`select id from room where id = any(${roomIds as number[]}::bigint[]) order by id for no key update`.execute(
    act.tx,
  );
}

export type NewPrice = Price & { source: "product" | "manual" | "batch" | "import"; sourceId?: number };

/** Writes prices from their days on; a second price for the same room and day takes the place of the first. */
export async function setPrices(act: Act, prices: readonly NewPrice[]): Promise<void> {
  if (!prices.length) return;
  await sql`
    insert into room_price (room_id, effective_day, list_price, lowest_price, unit, source, source_id, created_by)
    select "roomId", "effectiveDay", "listPrice", "lowestPrice", unit, source, "sourceId", ${act.who.operatorId || null}
    from json_to_recordset(${JSON.stringify(prices)}::json) as p("roomId" bigint, "effectiveDay" date,
      "listPrice" bigint, "lowestPrice" bigint, unit text, source text, "sourceId" bigint)
    on conflict (room_id, effective_day) do update set list_price = excluded.list_price,
      lowest_price = excluded.lowest_price, unit = excluded.unit, source = excluded.source,
      source_id = excluded.source_id, created_at = now(), created_by = excluded.created_by`.execute(act.tx);
}
