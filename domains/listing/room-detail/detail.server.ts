import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { roomDetail } from "./detail.contract.ts";
import { sql } from "kysely";
import { type Day, daysBetween } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { type PRICE_MODES, type PriceUnit, type RoomKind, layoutText } from "../room/words.rules.ts";
import {
  blockOf,
  contractOf,
  nextOf,
  priceOf,
  reservationOf,
  turnoverOf,
  type Standing,
  reasonsOf,
} from "./reason.queries.ts";
import { dayWithin, kindOfDay } from "../status/overview.queries.ts";

const STATUS = sql`s.occupancy, s.condition, s.is_let "isLet", s.contract_id "contractId", s.since, s.until, s.next_kind "nextKind",
  s.next_from "nextFrom", s.next_to "nextTo", s.next_contract_id "nextContractId", s.vacant_since "vacantSince",
  s.block_id "blockId", s.block_until "blockUntil", s.turnover_id "turnoverId", s.arrears, s.arrears_fen "arrearsFen",
  s.signing, s.unsettled`;

export async function detailOf(read: Read, roomId: number, asked: Day | undefined) {
  const room = await placeOf(read, roomId);
  const day = dayWithin(read, asked, room.openingDay);
  const { rows } = await sql<Standing>`
    select ${STATUS} from room_status_of(${day}::date, ${read.today}::date, array[${room.villageId}::bigint], array[${roomId}::bigint]) s`.execute(
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
      ? await reasonsOf(read, day, { id: roomId, villageId: room.villageId }, standing, {
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
            contractKind: next?.kind ?? null,
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

export default [serveRead(roomDetail, (read, { params, query }) => detailOf(read, params.roomId, query.day))];
