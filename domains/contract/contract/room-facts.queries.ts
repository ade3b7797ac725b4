import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { type PriceUnit, monthlyPrice } from "../../listing/room/words.rules.ts";

/** A room as it stands, with its price on a day, counted for a month. Days before the first price take the first. */
export type RoomFact = {
  roomId: number;
  villageId: number;
  name: string;
  kind: "whole" | "room" | "bed" | "shop" | "parking" | "storage";
  layout: string;
  area: string | null;
  capacity: number;
  gender: "any" | "male" | "female";
  retiredDay: Day | null;
  firstDay: Day;
  minTermMonths: number | null;
  listPrice: Fen | null;
  lowestPrice: Fen | null;
};

export async function roomFacts(
  read: Pick<Read, "tx">,
  roomIds: readonly number[],
  /** One day for all, or one for each. */
  on: Day | readonly Day[],
): Promise<RoomFact[]> {
  if (!roomIds.length) return [];
  const days = typeof on === "string" ? roomIds.map(() => on) : on;
  const { rows } = await sql<RoomFact & { unit: PriceUnit | null }>`
    select r.id "roomId", r.village_id "villageId", r.full_name "name", r.kind, r.area::text area, r.capacity,
      case when a.bedrooms > 0 then a.bedrooms || '室' || a.halls || '厅' || a.baths || '卫' else '' end layout,
      a.gender, coalesce(r.retired_day, a.retired_day) "retiredDay", r.first_day "firstDay",
      r.min_term_months "minTermMonths",
      p.list_price "listPrice", p.lowest_price "lowestPrice", p.unit
    from unnest(${roomIds}::bigint[], ${days}::date[]) with ordinality as wanted(id, day, n)
    join room r on r.id = wanted.id join apartment a on a.id = r.apartment_id
    left join lateral (
      select list_price, lowest_price, unit from room_price where room_id = r.id
      order by effective_day <= wanted.day desc, abs(effective_day - wanted.day) limit 1) p on true
    order by wanted.n`.execute(read.tx);
  return rows.map(({ unit, ...room }) => ({
    ...room,
    listPrice: monthlyPrice(room.listPrice, unit, room.area),
    lowestPrice: monthlyPrice(room.lowestPrice, unit, room.area),
  }));
}

export type TakenRow = {
  roomId: number;
  from: Day;
  to: Day | null;
  kind: "lease" | "reservation" | "block";
  label: string;
};

/**
 * Who has the rooms (or any part of them) between two days, apart from one contract itself. What a party reserved stands
 * aside for its own contract.
 */
export async function takenBetween(
  read: Pick<Read, "tx">,
  roomIds: readonly number[],
  from: Day,
  to: Day,
  except: number | null,
  partyId: number | null = null,
): Promise<TakenRow[]> {
  // while a term is being typed its end may come before its start
  if (!roomIds.length || to < from) return [];
  const { rows } = await sql<TakenRow>`
    with recursive below as (
      select id, id top, is_leaf from room where id = any(${roomIds as number[]}::bigint[])
      union all select r.id, b.top, r.is_leaf from room r join below b on r.parent_room_id = b.id)
    select b.top "roomId", lower(o.period) "from", upper(o.period) - 1 "to", o.kind,
      coalesce(c.contract_no, k.number, v.number) label
    from below b join occupancy_row o on o.room_id = b.id
    left join contract c on c.id = o.contract_id left join room_block k on k.id = o.block_id
    left join reservation v on v.id = o.reservation_id
    where b.is_leaf and o.period && daterange(${from}::date, ${to}::date, '[]')
      and o.contract_id is distinct from ${except}::bigint
      and (v.id is null or v.state <> 'held' or v.party_id is distinct from ${partyId}::bigint)
    order by b.top, lower(o.period), o.id`.execute(read.tx);
  return rows;
}

/** Rooms whose last tenant stays past the end: nobody else gets them before that contract is settled or renewed. */
export async function heldOver(
  read: Pick<Read, "tx">,
  roomIds: readonly number[],
  except: number | null,
): Promise<{ room: string; start: Day; end: Day; contractNo: string }[]> {
  const { rows } = await sql<{ room: string; start: Day; end: Day; contractNo: string }>`
    with recursive below as (
      select id, is_leaf from room where id = any(${roomIds as number[]}::bigint[])
      union all select r.id, r.is_leaf from room r join below b on r.parent_room_id = b.id)
    select distinct r.full_name room, c.start_date "start", c.end_date "end", c.contract_no "contractNo"
    from below b join occupancy_row o on o.room_id = b.id join room r on r.id = b.id
    join contract c on c.id = o.contract_id
    where b.is_leaf and c.state = 'expired' and c.id is distinct from ${except}::bigint`.execute(read.tx);
  return rows;
}
