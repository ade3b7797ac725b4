import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { beginning } from "../../../platform/kernel/texts/like.ts";
import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { phone } from "../../../platform/server/lists/conditions.ts";
import { markedCache } from "../../../platform/server/database/cache.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { BLOCK_REASONS, layoutText, wordOf } from "../room/words.rules.ts";
import { storeMarks } from "../status/overview.queries.ts";
import { bitsOf } from "../status/status.rules.ts";
import type { Bar, BoardBuilding, Cell } from "./board.contract.ts";
import { aRow } from "../../../platform/server/database/row.ts";

export async function villageOf(read: Read, id: number) {
  const village = read.who.villages.includes(id)
    ? await aRow(read, "village", ["id", "name", "mode", "openingDay"], { id })
    : undefined;
  if (!village) throw notFound();
  return village;
}

/** A tile as the database puts it together: layout and flags in their parts, the building by its id. */
export type Raw = {
  [I in keyof Cell]: I extends "9"
    ? [bedrooms: number, halls: number, baths: number]
    : I extends "14"
      ? [arrears: boolean, signing: boolean, unsettled: boolean, approval: boolean]
      : Cell[I];
};

/** Rooms that are reserved without a contract bear the name of whoever reserved them. */
async function nameReserved(read: Read, villageId: number, rows: readonly Raw[]): Promise<void> {
  const unnamed = rows.filter((r) => r[12] === "reserved" && r[18] === null);
  if (!unnamed.length) return;
  const found = await sql<{ roomId: number; name: string; pinyin: string }>`
    select distinct on (o.room_id) o.room_id "roomId", p.name, p.pinyin
    from occupancy_row o join reservation_brief v on v.id = o.reservation_id join party_brief p on p.id = v.party_id
    where v.village_id = ${villageId} and v.keeps order by o.room_id, lower(o.period)`.execute(read.tx);
  const byRoom = new Map(found.rows.map((f) => [f.roomId, f]));
  for (const row of unnamed) {
    const by = byRoom.get(row[0]);
    row[18] = by?.name ?? null;
    row[19] = by?.pinyin ?? null;
  }
}

/** The tiles of a village, or of some of its rooms, in walking order; one text, because five thousand rows are slow to take over one by one. */
async function rawsOf(
  read: Read,
  villageId: number,
  day: Day,
  rooms?: readonly number[],
): Promise<readonly Raw[]> {
  const only: RawBuilder<unknown> = rooms ? sql`${rooms as number[]}::bigint[]` : sql`null::bigint[]`;
  const { rows } = await sql<{ cells: string }>`
    select coalesce(json_agg(json_build_array(
      r.id, a.building_id, a.unit_id, a.floor_id, a.id, a.name,
      case when r.kind in ('room', 'bed') then a.name || '-' || r.name else a.name end, r.kind, r.area,
      json_build_array(a.bedrooms, a.halls, a.baths), r.product_id, p.list_price, s.occupancy, s.condition,
      json_build_array(s.arrears, s.signing, s.unsettled, w.room_id is not null), s.is_base::int + s.is_let::int * 2, s.since, s.until,
      t.name, t.pinyin, s.contract_id, k.monthly_rent, s.next_kind, s.next_from, s.arrears_fen, s.vacant_since,
      s.block_until, r.tags, a.gender, r.min_term_months) order by r.place, r.id), '[]')::text cells
    from room_status_at(${day}::date, ${read.today}::date, array[${villageId}::bigint], ${only}) s
    join room r on r.id = s.room_id and r.village_id = ${villageId}
    join apartment a on a.id = r.apartment_id and a.village_id = ${villageId}
    left join party_brief t on t.id = s.party_id
    left join (select distinct room_id from rooms_waiting(${day}, ${read.today}, array[${villageId}::bigint])) w
      on w.room_id = r.id
    left join lateral (select monthly_rent from contract_room_brief
      where contract_id = s.contract_id and room_id = s.let_room_id limit 1) k on true
    left join lateral (select list_price from room_price where room_id = r.id and effective_day <= ${day}::date
      order by effective_day desc limit 1) p on true`.execute(read.tx);
  const raws = JSON.parse(rows[0]!.cells) as Raw[];
  await nameReserved(read, villageId, raws);
  return raws;
}

/**
 * Today's rooms of a store, read once for everybody who looks until something changes there, or the name of any tenant.
 * Stores with 20,000 rooms together, about 20 MB. A name that was committed out of order leaves no newer mark; it is seen
 * after a minute at the latest.
 */
const today = markedCache<Read, number, readonly Raw[]>({
  base: ({ tx }) => tx,
  marks: (read, villages) => storeMarks(read, villages, sql`, (select max(updated_at) from party_brief)`),
  make: async (read, villages) =>
    new Map(await Promise.all(villages.map(async (id) => [id, await rawsOf(read, id, read.today)] as const))),
  most: 20_000,
  weigh: (rooms) => rooms.length,
  longestMs: 60_000,
});

/** Rooms of a village at a day, or some of them, in walking order. Today's are kept for others too: never changed. */
export const roomsOn = async (
  read: Read,
  villageId: number,
  day: Day,
  rooms?: readonly number[],
): Promise<readonly Raw[]> =>
  day === read.today && !rooms
    ? ((await today(read, [villageId])).get(villageId) ?? [])
    : rawsOf(read, villageId, day, rooms);

/** Makes tiles of rooms, as this person may see them; buildings are named by their place in the list. */
export function cellMaker(read: Read, buildings: readonly number[]): (raw: Raw) => Cell {
  const at = new Map(buildings.map((id, i) => [id, i]));
  const named = read.who.permits.has("16.query");
  return (raw) => {
    const cell = [...raw] as unknown as Cell;
    const [bedrooms, halls, baths] = raw[9];
    const [arrears, signing, unsettled, approval] = raw[14];
    cell[1] = at.get(raw[1]) ?? 0;
    cell[9] = layoutText({ bedrooms, halls, baths });
    cell[14] = bitsOf({ arrears, signing, unsettled, approval });
    if (!named) {
      cell[18] = raw[18] && maskName(raw[18]);
      cell[19] = null;
    }
    return cell;
  };
}

/** The tiles of a village at a day, or of some of its rooms, as this person may see them. */
export async function cellsOf(
  read: Read,
  villageId: number,
  day: Day,
  buildings: readonly number[],
  rooms?: readonly number[],
): Promise<Cell[]> {
  return (await roomsOn(read, villageId, day, rooms)).map(cellMaker(read, buildings));
}

/** Buildings with their units and floors, in walking order. */
export async function buildingsOf(read: Read, villageId: number): Promise<BoardBuilding[]> {
  const { rows } = await sql<BoardBuilding>`
    select b.id, b.name, b.community_name community,
      (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name) order by u.sort, u.name), '[]')
        from unit u where u.building_id = b.id) units,
      (select coalesce(json_agg(json_build_object('id', f.id, 'unitId', f.unit_id, 'number', f.number, 'name', f.name)
        order by f.number desc), '[]') from floor f where f.building_id = b.id) floors
    from building b where b.village_id = ${villageId} order by b.sort, b.community_name, length(b.name), b.name`.execute(
    read.tx,
  );
  return rows;
}

/** The products that rooms name. */
export function productsOf(read: Read, ids: readonly (number | null)[]) {
  const named = [...new Set(ids)].filter((id) => id !== null);
  return read.tx
    .selectFrom("product")
    .select(["id", "name"])
    .where("id", "=", anyOf(named))
    .orderBy("name")
    .execute();
}

/** The last change that a board of this village has seen. */
export async function lastChange(read: Read, villageId: number): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select coalesce(max(seq), 0) seq from room_change where village_id = ${villageId}`.execute(read.tx);
  return rows[0]!.seq;
}

/** Rooms touched after a sequence or within the last minute. */
export async function changedRooms(read: Read, villageId: number, since: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct room_id id from room_change
    where village_id = ${villageId} and (seq > ${since} or at > now() - interval '60 seconds')`.execute(
    read.tx,
  );
  return rows.map((r) => r.id);
}

/** Rooms whose tenant has the phone, or whose contract has the number. */
export async function roomsFor(read: Read, villageId: number, keyword: string): Promise<number[]> {
  const byPhone = /^\d{11,15}$/.test(keyword)
    ? sql`t.phone = ${keyword}`
    : (phone("t.phone")(keyword) ?? sql`false`);
  const { rows } = await sql<{ id: number }>`
    select distinct o.room_id id from occupancy_row o
    join contract_brief c on c.id = o.contract_id join party_brief t on t.id = c.party_id
    where o.village_id = ${villageId} and (upper(o.period) is null or upper(o.period) > ${read.today}::date)
      and (c.contract_no ilike ${beginning(keyword)} or ${byPhone}) limit 200`.execute(read.tx);
  return rows.map((r) => r.id);
}

type BarRow = Bar & { party: string | null; reason: string | null };

/** Leases, holds, blocks and cleanings of a village that touch a span, by room and first day. */
export async function barsOf(read: Read, villageId: number, from: Day, to: Day): Promise<Bar[]> {
  const { rows } = await sql<BarRow>`
    select r.id "roomId", o.kind, coalesce(o.contract_id, o.block_id, o.reservation_id) id,
      coalesce(c.contract_no, k.number, v.number) number,
      lower(o.period) "from", upper(o.period) - 1 "to", p.name party, k.reason, coalesce(n.monthly_rent, v.rent) "rentFen",
      c.handover_on is not null "movedIn"
    from room r join occupancy_row o on o.room_id = r.id
    left join contract_brief c on c.id = o.contract_id left join reservation_brief v on v.id = o.reservation_id
    left join party_brief p on p.id = coalesce(c.party_id, v.party_id)
    left join contract_room_brief n on n.contract_id = c.id and n.room_id = o.let_room_id
    left join room_block k on k.id = o.block_id
    where r.village_id = ${villageId} and r.is_leaf and o.period && daterange(${from}::date, ${to}::date, '[]')
    union all
    select r.id, 'turnover', t.id, '', t.opened_day, coalesce(t.done_day, ${read.today}::date), null, null, null, false
    from room r join turnover t on t.room_id = r.id
    where t.village_id = ${villageId} and t.opened_day <= ${to}::date and coalesce(t.done_day, ${read.today}::date) >= ${from}::date
    order by 1, 5, 3`.execute(read.tx);
  const named = read.who.permits.has("16.query");
  return rows.map(({ party, reason, ...row }) => ({
    ...row,
    label:
      row.kind === "turnover"
        ? "待保洁"
        : reason
          ? wordOf(BLOCK_REASONS, reason)
          : party && !named
            ? maskName(party)
            : (party ?? ""),
  }));
}
