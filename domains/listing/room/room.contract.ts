import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { call } from "../../../platform/kernel/call.ts";
import {
  amount,
  checked,
  choice,
  dayInput,
  id,
  input,
  number,
  pictures,
  reason,
  remark,
  status,
  text,
  version,
  whole,
} from "../../../platform/kernel/field.ts";
import { roomName } from "../../../platform/kernel/names.ts";
import { roomRow } from "./list.contract.ts";
import { areaInput, facilityWords, wordOrNone } from "./choice.rules.ts";
import { PRICE_MODES, PRICE_UNITS } from "./words.rules.ts";
import { oneRecord, recordCalls } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/room";
const tagList = z
  .array(input("标签", 1, 10))
  .max(10, "标签最多10个")
  .meta({ title: "标签", kind: "text" });

/** What one may change on a room without moving or dividing it. */
export const roomFields = z.object({
  name: checked("房间名", roomName, { max: 18 }),
  area: areaInput("房间面积"),
  orientation: wordOrNone("朝向"),
  capacity: whole("可住人数", 1, 50),
  productId: id.nullish().meta({ title: "产品", kind: "link" }),
  priceMode: choice("定价方式", PRICE_MODES).default("own"),
  facilities: facilityWords.default([]),
  tags: tagList.default([]),
  description: remark("描述", 1000).default(""),
  minTermMonths: whole("最短租期", 1, 60, { unit: "个月" }).nullish(),
  remark: remark().default(""),
  sort: whole("排序", 0, 9999).default(0),
});

const family = recordCalls({ path, code: 6, title: "房间", target: "room" });

export const room = family.get(
  roomRow.extend({
    villageName: text("门店"),
    parentRoomId: id.nullable(),
    capacity: number("可住人数"),
    priceMode: status("定价方式", PRICE_MODES),
    facilities: z.array(z.string()),
    description: text("描述"),
    minTermMonths: number("最短租期").nullable(),
    remark: text("备注"),
    sort: z.number(),
    pictureIds: z.array(id),
  }),
);

/** A further room of a divided flat, or a bed in a room. */
export const addRoom = family.add(
  roomFields.extend({
    apartmentId: id,
    /** The room that a bed stands in. */
    parentRoomId: id.nullish(),
    listPrice: amount("标价").nullish(),
    lowestPrice: amount("底价").nullish(),
    unit: choice("计价单位", PRICE_UNITS).default("month"),
    firstDay: dayInput("可出租日期").optional(),
  }),
);

export const editRoom = call({
  method: "PUT",
  path: `${path}/:id`,
  summary: "修改房间",
  needs: "6.edit",
  target: "room",
  params: oneRecord,
  body: roomFields.extend({
    pictures: pictures(20).optional(),
    version,
    /** Asked for where following the product needs approval. */
    reason: remark("调价原因").default(""),
  }),
  reply: z.object({ id, examineNo: z.string().nullable() }),
});

export const deleteRoom = family.delete();

const list = <S extends z.ZodType>(values: S) =>
  z.object({ mode: z.enum(["add", "remove", "replace"]), values });

/** The same change for many rooms, all or none. */
export const editRooms = call({
  method: "PUT",
  path: `${path}/batch`,
  summary: "批量修改房间",
  needs: "6.edit",
  target: "room",
  body: z.object({
    ids: z.array(id).min(1, "请选择房间").max(500, "一次最多500个房间"),
    productId: id.nullable().optional(),
    tags: list(tagList).optional(),
    facilities: list(facilityWords).optional(),
    pictures: list(pictures(20)).optional(),
  }),
  reply: z.array(z.object({ id, ok: z.boolean(), msg: z.string() })),
});

/** Out of use from a day until it is enabled again: a block of the timeline, which no lease overlaps. */
export const disableRoom = call({
  method: "PUT",
  path: `${path}/:id/disable`,
  summary: "停用房间",
  needs: "6.disable",
  target: "room",
  params: oneRecord,
  body: z.object({
    from: dayInput("停用日").optional(),
    to: dayInput("截止日").nullish(),
    reason: reason("停用原因"),
  }),
  reply: z.object({ number: z.string() }),
});

export const enableRoom = call({
  method: "PUT",
  path: `${path}/:id/enable`,
  summary: "启用房间",
  needs: "6.enable",
  target: "room",
  params: oneRecord,
  body: z.object({}),
  reply: z.object({ id }),
});

export const retireRoom = call({
  method: "PUT",
  path: `${path}/:id/retire`,
  summary: "注销房间",
  needs: "6.edit",
  target: "room",
  params: oneRecord,
  body: z.object({ day: dayInput("注销日"), reason: reason("注销原因"), version }),
  reply: z.object({ id }),
});

/** Everybody of a contract has moved out. */
export const roomsLeft = event("roomsLeft", z.object({ contractId: id, day: z.string() }));

/** Days that are over changed: what is kept of them is worked out again. */
export const roomDaysTouched = event(
  "roomDaysTouched",
  z.object({ villageIds: z.array(id), from: z.string(), to: z.string() }),
);

/** What a channel shows of a room may differ now. */
export const roomChanged = event("room.changed", z.object({ channelId: id.optional() }));
