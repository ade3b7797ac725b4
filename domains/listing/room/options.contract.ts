import { z } from "zod";
import type { Source } from "../../../platform/kernel/filter.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { dayInput, id, money, number, room, status, text } from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { roomLabel } from "../../../platform/kernel/texts/names.ts";
import { areaOf, PRICE_UNITS, ROOM_KINDS } from "./words.rules.ts";

const roomOption = z.object({
  id,
  fullName: room("房间"),
  name: text("房间名"),
  villageId: id,
  buildingName: text("楼栋"),
  unitName: text("单元").nullable(),
  floorName: text("楼层"),
  floorNumber: number("楼层号"),
  apartmentId: id,
  kind: status("类型", ROOM_KINDS),
  /** False for a whole flat above rooms: letting it takes all of them. */
  isLeaf: z.boolean(),
  layout: text("户型"),
  area: areaOf("面积"),
  orientation: text("朝向"),
  capacity: number("可住人数"),
  productId: id.nullable(),
  listPrice: money("标价").nullable(),
  /** Only with authority 601. */
  lowestPrice: money("底价").nullish(),
  priceUnit: status("计价单位", PRICE_UNITS).nullable(),
  /** Free over the whole of from-to; without a from, free today. */
  free: z.boolean(),
  why: text("不可租原因").nullable(),
});

/** For pickers: rooms in scope in walking order, those that cannot be taken with the reason. */
export const roomOptions = callsAt("/room/api/v3/room/options").get("", "房间选项", "login", {
  query: z.object({
    keyword: z.string().trim().max(50).optional(),
    villageId: z.coerce.number().int().positive().optional(),
    buildingId: z.coerce.number().int().positive().optional(),
    kind: z.enum(["whole", "room", "bed", "shop", "parking", "storage"]).optional(),
    /** Homes or shops; parking and storage go along with one of them. */
    use: z.enum(["home", "shop"]).optional(),
    from: dayInput("开始日").optional(),
    to: dayInput("结束日").optional(),
    /** Just these, such as the rooms that a form has chosen already. */
    ids: idList,
    /** A contract whose own holds do not count against it. */
    contractId: z.coerce.number().int().positive().optional(),
    /** Whose own reservations do not count against it. */
    partyId: z.coerce.number().int().positive().optional(),
    /** The first of those that are free, not those that are free of the first. */
    onlyFree: z.enum(["0", "1"]).optional(),
    limit: z.coerce.number().int().min(1).max(5000).default(200),
  }),
  reply: z.array(roomOption),
});

type Asked = { villageId: number | undefined; from?: string; to?: string };

/** Rooms of a store by what is typed; one that cannot be taken says why. */
export const roomsFor = (asked: Asked): Source => ({
  call: roomOptions,
  query: { ...asked, limit: 100 },
  option: (r: { id: number; fullName: string; why: string | null }) => ({
    value: r.id,
    label: roomLabel(r.fullName),
    note: r.why ?? undefined,
  }),
});
