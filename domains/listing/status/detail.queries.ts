import { sql } from "kysely";
import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { maskName, maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/act.ts";
import { seen } from "../../../platform/server/scope.ts";
import {
  layoutText,
  type BlockReason,
  type PRICE_MODES,
  type PriceUnit,
  type RoomKind,
} from "../room/words.rules.ts";
import { dayWithin, kindOfDay } from "./board.queries.ts";
import { reasonsOf, type Standing } from "./reason.queries.ts";

const STATUS = sql`s.occupancy, s.condition, s.is_let "isLet", s.contract_id "contractId", s.since, s.until, s.next_kind "nextKind",
  s.next_from "nextFrom", s.next_to "nextTo", s.next_contract_id "nextContractId", s.vacant_since "vacantSince",
  s.block_id "blockId", s.block_until "blockUntil", s.turnover_id "turnoverId", s.arrears, s.arrears_fen "arrearsFen",
  s.signing, s.unsettled`;

export async function detailOf(read: Read, roomId: number, asked: Day | undefined) {
  const room = await placeOf(read, roomId);
  const day = dayWithin(read, asked, room.openingDay);
  const { rows } = await sql<Standing>`
    select ${STATUS} from room_status_at(${day}::date, ${read.today}::date, array[${room.villageId}::bigint], array[${roomId}::bigint]) s`.execute(
    read.tx,
  );
  // none is told of a room that is retired, not begun yet, or let room by room
  const standing = rows[0];
  const [contract, next, block, turnover, price, pictures, changed, reservation] = await Promise.all([
    standing?.contractId ? contractOf(read, standing.contractId, roomId) : null,
    standing?.nextContractId ? nextOf(read, standing.nextContractId) : null,
    standing?.blockId ? blockOf(read, standing.blockId, standing.blockUntil) : null,
    standing?.turnoverId ? turnoverOf(read, standing.turnoverId) : null,
    priceOf(read, roomId, day),
    read.tx
      .selectFrom("roomPicture")
      .select("fileId")
      .where("roomId", "=", roomId)
      .orderBy("sort")
      .orderBy("id")
      .execute(),
    read.tx
      .selectFrom("roomChange")
      .select("at")
      .where("roomId", "=", roomId)
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst(),
    reservationOf(read, roomId),
  ]);
  const days = standing?.vacantSince ? Math.max(0, daysBetween(standing.vacantSince, day)) : 0;
  const current = contract && { ...contract, arrearsFen: standing?.arrearsFen ?? 0 };
  return {
    ...room,
    day,
    kindOfDay: kindOfDay(day, read.today),
    kind: room.kind as RoomKind,
    area: Number(room.area),
    layout: layoutText(room),
    listPriceFen: price?.listPrice ?? null,
    lowestPriceFen: read.who.permits.has("#601") ? (price?.lowestPrice ?? null) : null,
    priceUnit: (price?.unit ?? null) as PriceUnit | null,
    priceMode: room.priceMode as keyof typeof PRICE_MODES,
    pictures: pictures.map((p) => p.fileId),
    ...(standing
      ? await reasonsOf(read, day, standing, {
          contract: current,
          next,
          block,
          turnover,
          reservation,
        })
      : { occupancy: null, condition: null, flags: [] }),
    contract: current,
    next:
      standing?.nextKind && standing.nextFrom
        ? {
            kind: standing.nextKind,
            contractId: standing.nextContractId,
            number: next?.number ?? reservation?.number ?? "",
            partyName: next?.partyName ?? reservation?.partyName ?? "",
            from: standing.nextFrom,
            to: standing.nextTo,
          }
        : null,
    vacant:
      standing?.occupancy === "vacant" && standing.vacantSince
        ? { since: standing.vacantSince, days, lossFen: Math.round(((price?.listPrice ?? 0) * days) / 30) }
        : null,
    reservation,
    block,
    turnover,
    changedAt: changed?.at ?? null,
  };
}

async function placeOf(read: Read, roomId: number) {
  const row = await read.tx
    .selectFrom("room as r")
    .innerJoin("apartment as a", "a.id", "r.apartmentId")
    .innerJoin("village as v", "v.id", "r.villageId")
    .innerJoin("building as b", "b.id", "a.buildingId")
    .innerJoin("floor as f", "f.id", "a.floorId")
    .leftJoin("product as p", "p.id", "r.productId")
    .select([
      "r.id",
      "r.fullName",
      "r.name",
      "r.villageId",
      "v.name as villageName",
      "v.openingDay",
      "r.apartmentId",
      "r.kind",
      "p.name as productName",
      "a.bedrooms",
      "a.halls",
      "a.baths",
      "r.area",
      "r.orientation",
      "r.publishHold",
      "r.capacity",
      "r.facilities",
      "r.tags",
      "r.description",
      "r.remark",
      "r.minTermMonths",
      "r.firstDay",
      "r.retiredDay",
      "r.priceMode",
      "r.isLeaf",
      "r.version",
      sql<string>`b.name || ' ' || f.name || ' ' || a.name || case when r.kind in ('room', 'bed') then '-' || r.name else '' end`.as(
        "place",
      ),
    ])
    .where("r.id", "=", roomId)
    .executeTakeFirst();
  return seen(read.who, row);
}

const nameFor = (read: Read, name: string) => (read.who.permits.has("16.query") ? name : maskName(name));

async function contractOf(read: Read, id: number, roomId: number) {
  const { rows } = await sql<{
    id: number;
    number: string;
    state: string;
    partyId: number;
    partyKind: string;
    partyName: string;
    phone: string;
    start: Day;
    end: Day;
    handoverOn: Day | null;
    rentFen: number;
    payText: string;
    depositFen: number;
    billedFen: number;
    receivedFen: number;
    nextDueOn: Day | null;
    nextDueFen: number | null;
    occupants: { name: string; relation: string; lockAccess: boolean }[];
  }>`
    select c.id, c.contract_no number, c.state, c.party_id "partyId", p.kind "partyKind", p.name "partyName", p.phone, c.start_date start, c.end_date "end",
      c.handover_on "handoverOn", coalesce(k.monthly_rent, c.monthly_rent, 0) "rentFen", c.pay_text "payText",
      coalesce((select held from deposit_balance where contract_id = c.id and kind = 'deposit'), 0) "depositFen",
      coalesce(m.billed, 0) "billedFen", coalesce(m.received, 0) "receivedFen", m.next_due_on "nextDueOn", m.next_due_fen "nextDueFen",
      coalesce((select json_agg(json_build_object('name', o.name, 'relation', o.relation, 'lockAccess', o.lock_access) order by o.id)
        from contract_occupant o where o.contract_id = c.id and (o.room_id is null or o.room_id = ${roomId})
          and (o.to_date is null or o.to_date >= ${read.today}::date)), '[]') occupants
    from contract c join party p on p.id = c.party_id
    left join contract_money m on m.contract_id = c.id
    left join occupancy_row r on r.contract_id = c.id and r.room_id = ${roomId}
    left join contract_room k on k.contract_id = c.id and k.room_id = coalesce(r.let_room_id, ${roomId})
    where c.id = ${id} limit 1`.execute(read.tx);
  const row = rows[0];
  if (!row) return null;
  const occupants = row.occupants.map((o) => ({ ...o, name: nameFor(read, o.name) }));
  return { ...row, partyName: nameFor(read, row.partyName), phone: maskPhone(row.phone), occupants };
}

async function nextOf(read: Read, contractId: number) {
  const row = await read.tx
    .selectFrom("contract as c")
    .leftJoin("party as p", "p.id", "c.partyId")
    .select(["c.contractNo as number", "p.name as partyName"])
    .where("c.id", "=", contractId)
    .executeTakeFirst();
  return row ? { number: row.number, partyName: nameFor(read, row.partyName ?? "") } : null;
}

async function blockOf(read: Read, id: number, until: Day | null) {
  const row = await read.tx
    .selectFrom("roomBlock")
    .select((eb) => [
      "id",
      "number",
      "reason",
      "fromDay as from",
      "note",
      "version",
      eb
        .selectFrom("occupancyRow")
        .select((e) => e.fn.countAll<number>().as("n"))
        .whereRef("occupancyRow.blockId", "=", "roomBlock.id")
        .as("rooms"),
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? { ...row, reason: row.reason as BlockReason, rooms: row.rooms ?? 0, to: until } : null;
}

/** The next one that stands on the timeline of the room, or that a contract being signed stands in for. */
async function reservationOf(read: Read, roomId: number) {
  const { rows } = await sql<{
    id: number;
    number: string;
    state: "pending" | "held";
    partyName: string;
    moveInDay: Day;
    holdUntil: Day;
    earnestKind: "定金" | "订金";
    signing: boolean;
  }>`
    select v.id, v.number, v.state, p.name "partyName", v.move_in_day "moveInDay", v.hold_until "holdUntil",
      v.earnest_kind "earnestKind", v.contract_id is not null signing
    from reservation v join party p on p.id = v.party_id
    where v.state in ('pending', 'held') and (v.room_id = ${roomId} or v.id in (
      select reservation_id from occupancy_row where room_id = ${roomId} and reservation_id is not null))
    order by v.move_in_day, v.id limit 1`.execute(read.tx);
  const [row] = rows;
  return row ? { ...row, partyName: nameFor(read, row.partyName) } : null;
}

const turnoverOf = async (read: Read, id: number) =>
  (await read.tx
    .selectFrom("turnover")
    .select(["id", "openedDay", "note"])
    .where("id", "=", id)
    .executeTakeFirst()) ?? null;

const priceOf = (read: Read, roomId: number, day: Day) =>
  read.tx
    .selectFrom("roomPrice")
    .select(["listPrice", "lowestPrice", "unit"])
    .where("roomId", "=", roomId)
    .where("effectiveDay", "<=", day)
    .orderBy("effectiveDay", "desc")
    .limit(1)
    .executeTakeFirst();
