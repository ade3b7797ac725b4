import { sql, type RawBuilder } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { maskName } from "../../../platform/kernel/mask.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/act.ts";
import { layoutText } from "../room/words.rules.ts";
import type { BoardBuilding, Cell, KINDS_OF_DAY } from "./board.contract.ts";
import { bitsOf } from "./status.rules.ts";
import type { Condition, Occupancy } from "./words.rules.ts";

/** How far ahead a board may look. */
const AHEAD_DAYS = 365;

export async function villageOf(read: Read, id: number) {
  const village = read.who.villages.includes(id)
    ? await read.tx
        .selectFrom("village")
        .select(["id", "name", "mode", "openingDay"])
        .where("id", "=", id)
        .executeTakeFirst()
    : undefined;
  if (!village) throw notFound();
  return village;
}

/** The day asked for, or today; from the opening of the village to a year ahead. */
export function dayWithin(read: Read, asked: Day | undefined, openingDay: Day): Day {
  const day = asked ?? read.today;
  const early = day < openingDay && day !== read.today;
  if (early || day > addDays(read.today, AHEAD_DAYS))
    throw invalid({ field: "day", msg: "日期超出可查询范围" });
  return day;
}

export const kindOfDay = (day: Day, today: Day): (typeof KINDS_OF_DAY)[number] =>
  day < today ? "past" : day > today ? "future" : "today";

type Row = {
  id: number;
  buildingId: number;
  unitId: number | null;
  floorId: number;
  apartmentId: number;
  door: string;
  rentMode: string;
  name: string;
  kind: string;
  area: string;
  bedrooms: number;
  halls: number;
  baths: number;
  productId: number | null;
  listPrice: number | null;
  occupancy: Occupancy;
  condition: Condition;
  isBase: boolean;
  isLet: boolean;
  arrears: boolean;
  signing: boolean;
  unsettled: boolean;
  since: Day | null;
  until: Day | null;
  partyName: string | null;
  partyPinyin: string | null;
  contractId: number | null;
  rent: number | null;
  nextKind: string | null;
  nextFrom: Day | null;
  arrearsFen: number;
  vacantSince: Day | null;
  blockUntil: Day | null;
  tags: string[];
  gender: string;
  minTermMonths: number | null;
};

/** Rooms that are reserved without a contract bear the name of whoever reserved them. */
async function nameReserved(read: Read, villageId: number, rows: Row[]): Promise<void> {
  const unnamed = rows.filter((r) => r.occupancy === "reserved" && r.partyName === null);
  if (!unnamed.length) return;
  const found = await sql<{ roomId: number; name: string; pinyin: string }>`
    select distinct on (o.room_id) o.room_id "roomId", p.name, p.pinyin
    from occupancy_row o join reservation v on v.id = o.reservation_id join party p on p.id = v.party_id
    where v.village_id = ${villageId} and v.state in ('pending', 'held') order by o.room_id, lower(o.period)`.execute(
    read.tx,
  );
  const byRoom = new Map(found.rows.map((f) => [f.roomId, f]));
  for (const row of unnamed) {
    const by = byRoom.get(row.id);
    row.partyName = by?.name ?? null;
    row.partyPinyin = by?.pinyin ?? null;
  }
}

/** The tiles of a village, or of some of its rooms, in walking order. */
export async function cellsOf(
  read: Read,
  villageId: number,
  day: Day,
  buildings: readonly number[],
  rooms?: readonly number[],
): Promise<Cell[]> {
  const only: RawBuilder<unknown> = rooms ? sql`${rooms as number[]}::bigint[]` : sql`null::bigint[]`;
  const { rows } = await sql<Row>`
    select r.id, a.building_id "buildingId", a.unit_id "unitId", a.floor_id "floorId", a.id "apartmentId", a.name door,
      a.rent_mode "rentMode", r.name, r.kind, r.area, a.bedrooms, a.halls, a.baths, r.product_id "productId",
      p.list_price "listPrice", s.occupancy, s.condition, s.is_base "isBase", s.is_let "isLet", s.arrears, s.signing,
      s.unsettled, s.since, s.until, t.name "partyName", t.pinyin "partyPinyin", s.contract_id "contractId",
      k.monthly_rent rent, s.next_kind "nextKind", s.next_from "nextFrom", s.arrears_fen "arrearsFen",
      s.vacant_since "vacantSince", s.block_until "blockUntil", r.tags, a.gender, r.min_term_months "minTermMonths"
    from room_status_at(${day}::date, ${read.today}::date, array[${villageId}::bigint], ${only}) s
    join room r on r.id = s.room_id join apartment a on a.id = r.apartment_id
    left join party t on t.id = s.party_id
    left join contract_room k on k.contract_id = s.contract_id and k.room_id = s.let_room_id
    left join lateral (select list_price from room_price where room_id = r.id and effective_day <= ${day}::date
      order by effective_day desc limit 1) p on true
    order by r.place, r.id`.execute(read.tx);
  await nameReserved(read, villageId, rows);
  const at = new Map(buildings.map((id, i) => [id, i]));
  const named = read.who.permits.has("16.query");
  return rows.map((r) => [
    r.id,
    at.get(r.buildingId) ?? 0,
    r.unitId,
    r.floorId,
    r.apartmentId,
    r.door,
    r.kind === "room" || r.kind === "bed" ? `${r.door}-${r.name}` : r.door,
    r.kind,
    Number(r.area),
    layoutText(r),
    r.productId,
    r.listPrice,
    r.occupancy,
    r.condition,
    bitsOf(r),
    (r.isBase ? 1 : 0) + (r.isLet ? 2 : 0),
    r.since,
    r.until,
    r.partyName && (named ? r.partyName : maskName(r.partyName)),
    named ? r.partyPinyin : null,
    r.contractId,
    r.rent,
    r.nextKind,
    r.nextFrom,
    r.arrearsFen,
    r.vacantSince,
    r.blockUntil,
    r.tags,
    r.gender,
    r.minTermMonths,
  ]);
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

const like = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** Rooms whose tenant has the phone, or whose contract has the number. */
export async function roomsFor(read: Read, villageId: number, keyword: string): Promise<number[]> {
  const byPhone = /^\d{11,15}$/.test(keyword)
    ? sql`t.phone = ${keyword}`
    : /^\d{4}$/.test(keyword)
      ? sql`right(t.phone, 4) = ${keyword}`
      : sql`false`;
  const { rows } = await sql<{ id: number }>`
    select distinct o.room_id id from occupancy_row o
    join contract c on c.id = o.contract_id join party t on t.id = c.party_id
    where o.village_id = ${villageId} and (upper(o.period) is null or upper(o.period) > ${read.today}::date)
      and (c.contract_no ilike ${`${like(keyword)}%`} or ${byPhone}) limit 200`.execute(read.tx);
  return rows.map((r) => r.id);
}
