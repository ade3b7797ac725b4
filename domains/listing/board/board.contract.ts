import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { dayParam, KINDS_OF_DAY } from "../status/overview.contract.ts";
import { CONDITION_KEYS, OCCUPANCY_KEYS } from "../status/status.rules.ts";
const roomStatusAt = callsAt("/room/api/v3/roomStatus");

export const villageParam = z.coerce.number({ error: "请选择门店" }).pipe(f.id);

/** One tile. A board of five thousand is sent as rows of values in this order, not as objects. */
const cell = z.tuple([
  z.number(), // id
  z.number(), // place in `buildings`
  z.number().nullable(), // unit id
  z.number(), // floor id
  z.number(), // apartment id
  z.string(), // number on the door
  z.string(), // name shown on the tile
  z.string(), // kind
  z.number(), // area in m²
  z.string(), // layout
  z.number().nullable(), // product id
  z.number().nullable(), // list price in fen
  z.enum(OCCUPANCY_KEYS),
  z.enum(CONDITION_KEYS),
  z.number(), // flags as bits
  z.number(), // 1: counts for the vacancy rate, 2: let
  z.string().nullable(), // since
  z.string().nullable(), // until
  z.string().nullable(), // party
  z.string().nullable(), // initials of the party
  z.number().nullable(), // contract id
  z.number().nullable(), // monthly rent in fen
  z.string().nullable(), // next: lease or reservation
  z.string().nullable(), // next from
  z.number(), // arrears in fen
  z.string().nullable(), // vacant since
  z.string().nullable(), // blocked until
  z.array(z.string()), // tags
  z.string(), // gender
  z.number().nullable(), // shortest term in months
]);
export type Cell = z.output<typeof cell>;

export const FIELDS = [
  "id",
  "building",
  "unitId",
  "floorId",
  "apartmentId",
  "door",
  "name",
  "kind",
  "area",
  "layout",
  "productId",
  "listPriceFen",
  "occupancy",
  "condition",
  "flags",
  "counts",
  "since",
  "until",
  "partyName",
  "partyInitials",
  "contractId",
  "rentFen",
  "nextKind",
  "nextFrom",
  "arrearsFen",
  "vacantSince",
  "blockedUntil",
  "tags",
  "gender",
  "minTermMonths",
] as const;

const floor = z.object({ id: f.id, unitId: f.id.nullable(), number: z.number().int(), name: z.string() });
const building = z.object({
  id: f.id,
  name: z.string(),
  community: z.string(),
  units: z.array(z.object({ id: f.id, name: z.string() })),
  floors: z.array(floor),
});
export type BoardBuilding = z.output<typeof building>;

export const roomBoard = roomStatusAt.get("/board", "房态图", "3.query", {
  query: z.object({ villageId: villageParam, day: dayParam }),
  reply: z.object({
    village: z.object({ id: f.id, name: z.string(), mode: z.string(), openingDay: z.string() }),
    day: z.string(),
    today: z.string(),
    kind: z.enum(KINDS_OF_DAY),
    seq: z.number().int(),
    buildings: z.array(building),
    products: z.array(z.object({ id: f.id, name: z.string() })),
    fields: z.array(z.string()),
    rows: z.array(cell),
  }),
});

/** What changed since a sequence; the last minute is told again, because a late commit may carry an earlier number. */
export const boardChanges = roomStatusAt.get("/changes", "房态变化", "3.query", {
  query: z.object({ villageId: villageParam, since: z.coerce.number().int().min(0) }),
  reply: z.object({
    day: z.string(),
    seq: z.number().int(),
    rows: z.array(cell),
    /** Rooms that left the stock. */
    gone: z.array(f.id),
  }),
});

/** Rooms by what a browser does not hold: phone and contract number. */
export const searchRooms = roomStatusAt.get("/search", "按手机号、合同号查找房间", "3.query", {
  perMinute: 240,
  query: z.object({ villageId: villageParam, keyword: z.string().trim().min(2, "请输入至少2个字").max(50) }),
  reply: z.object({ roomIds: z.array(f.id) }),
});

export const BAR_KINDS = ["lease", "reservation", "block", "turnover"] as const;
export type BarKind = (typeof BAR_KINDS)[number];

/** A stretch of days on the timeline of a room; `to` is inclusive, null = open. */
const bar = z.object({
  roomId: f.id,
  kind: z.enum(BAR_KINDS),
  /** Of the contract, the reservation, the block or the turnover. */
  id: f.id,
  number: z.string(),
  label: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  rentFen: z.number().nullable(),
  /** The tenant has moved in. */
  movedIn: z.boolean(),
});
export type Bar = z.output<typeof bar>;

/** 日历: every room of a village over at most 92 days. */
export const roomCalendar = callsAt("/room/api/v3/roomStatus/calendar").get("", "房态日历", "3.query", {
  query: z.object({ villageId: villageParam, from: f.dayInput("开始日"), to: f.dayInput("结束日") }),
  reply: z.object({
    from: z.string(),
    to: z.string(),
    today: z.string(),
    bars: z.array(bar),
  }),
});
