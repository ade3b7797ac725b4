import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { roomName } from "../../../platform/kernel/texts/names.ts";
import {
  areaInput,
  facilityWords,
  wordOrNone,
  PRICE_MODES,
  PRICE_UNITS,
  areaOf,
  ROOM_KINDS,
} from "../room/words.rules.ts";
import { recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { PLACE_FILTERS, placeFilter } from "../apartment/apartment.contract.ts";
import { RENTING } from "../room/renting.rules.ts";
import { CONDITIONS, FLAGS, OCCUPANCIES } from "../status/status.rules.ts";

const path = "/room/api/v3/room";
const at = callsAt(path, "room");

export const roomRow = z.object({
  id: f.id,
  apartmentId: f.id,
  villageId: f.id,
  fullName: f.room("房间"),
  name: f.text("房间名"),
  kind: f.status("类型", ROOM_KINDS),
  isLeaf: z.boolean(),
  layout: f.text("户型"),
  area: areaOf("面积"),
  orientation: f.text("朝向"),
  productId: f.id.nullable(),
  productName: f.text("产品").nullable(),
  listPrice: f.money("标价").nullable(),
  lowestPrice: f.money("底价").nullish(),
  priceUnit: f.status("计价单位", PRICE_UNITS).nullable(),
  occupancy: f.status("入住状态", OCCUPANCIES).nullable(),
  condition: f.status("房态", CONDITIONS).nullable(),
  flags: f.tags("标记", FLAGS),
  partyName: f.person("租客").nullable(),
  contractId: f.id.nullable(),
  contractKind: z.enum(RENTING).nullable(),
  until: f.day("租期止").nullable(),
  vacantDays: f.number("空置天数").nullable(),
  tags: z.array(z.string()).meta({ title: "标签", kind: "text" }),
  assets: f.number("资产", { help: "在用和损坏的资产件数" }),
  pictures: f.number("图片"),
  complete: f.progress("完整度"),
  missing: z.array(z.string()).meta({ title: "缺少", kind: "text" }),
  firstDay: f.day("可出租日期"),
  retiredDay: f.day("注销日").nullable(),
  version: f.version,
});

export const rooms = at.get("", "房源列表（按间）", "6.query", {
  query: pageQuery("place", "area", "listPrice", "firstDay").extend({
    ...placeFilter,
    kind: filter.choices("类型", ROOM_KINDS),
    apartmentId: z.coerce.number().int().positive().optional(),
    facility: filter.word("设施", "facility", "room"),
    holdReason: filter.word("暂不发布原因", "house", "holdReason", 50),
  }),
  reply: pageReply(
    roomRow,
    z.object({
      rooms: f.number("房间", { help: "实际出租的房间；可整租的整套不另计" }),
      area: areaOf("面积"),
      listPrice: f.money("标价"),
    }),
  ),
});

export const exportRooms = exportOf({
  type: "room",
  title: "房间",
  needs: "6.export",
  list: rooms,
  filters: { ...PLACE_FILTERS, apartmentId: "房源" },
  personal: true,
});

const tagList = z
  .array(f.input("标签", 1, 10))
  .max(10, "标签最多10个")
  .meta({ title: "标签", kind: "text" });

/** What one may change on a room without moving or dividing it. */
export const roomFields = z.object({
  name: f.checked("房间名", roomName, { max: 18 }),
  area: areaInput("房间面积"),
  orientation: wordOrNone("朝向"),
  capacity: f.whole("可住人数", 1, 50),
  productId: f.id.nullish().meta({ title: "产品", kind: "link" }),
  priceMode: f.choice("定价方式", PRICE_MODES).default("own"),
  facilities: facilityWords.default([]),
  tags: tagList.default([]),
  description: f.remark("描述", 1000).default(""),
  minTermMonths: f.whole("最短租期", 1, 60, { unit: "个月" }).nullish(),
  remark: f.remark().default(""),
  sort: f.whole("排序", 0, 9999).default(0),
});

const family = recordCalls({ path, code: 6, title: "房间", target: "room" });

export const room = family.get(
  roomRow.extend({
    villageName: f.text("门店"),
    parentRoomId: f.id.nullable(),
    capacity: f.number("可住人数"),
    priceMode: f.status("定价方式", PRICE_MODES),
    facilities: z.array(z.string()),
    description: f.text("描述"),
    minTermMonths: f.number("最短租期").nullable(),
    remark: f.text("备注"),
    sort: z.number(),
    pictureIds: z.array(f.id),
  }),
);

/** A further room of a divided flat, or a bed in a room. */
export const addRoom = family.add(
  roomFields.extend({
    apartmentId: f.id,
    /** The room that a bed stands in. */
    parentRoomId: f.id.nullish(),
    listPrice: f.amount("标价").nullish(),
    lowestPrice: f.amount("底价").nullish(),
    unit: f.choice("计价单位", PRICE_UNITS).default("month"),
    firstDay: f.dayInput("可出租日期").optional(),
  }),
);

export const editRoom = at.put("/:id", "修改房间", "6.edit", {
  body: roomFields.extend({
    pictures: f.pictures(20).optional(),
    version: f.version,
    /** Asked for where following the product needs approval. */
    reason: f.remark("调价原因").default(""),
  }),
  reply: z.object({ id: f.id, examineNo: z.string().nullable() }),
});

export const deleteRoom = family.delete();

const list = <S extends z.ZodType>(values: S) =>
  z.object({ mode: z.enum(["add", "remove", "replace"]), values });

/** The same change for many rooms, all or none. */
export const editRooms = at.put("/batch", "批量修改房间", "6.edit", {
  body: z.object({
    ids: z.array(f.id).min(1, "请选择房间").max(500, "一次最多500个房间"),
    productId: f.id.nullable().optional(),
    tags: list(tagList).optional(),
    facilities: list(facilityWords).optional(),
    pictures: list(f.pictures(20)).optional(),
  }),
  reply: z.array(z.object({ id: f.id, ok: z.boolean(), msg: z.string() })),
});

/** Out of use from a day until it is enabled again: a block of the timeline, which no lease overlaps. */
export const disableRoom = at.put("/:id/disable", "停用房间", "6.disable", {
  body: z.object({
    from: f.dayInput("停用日").optional(),
    to: f.dayInput("截止日").nullish(),
    reason: f.reason("停用原因"),
  }),
  reply: z.object({ number: z.string() }),
});

export const enableRoom = at.put("/:id/enable", "启用房间", "6.enable", {
  body: z.object({}),
  reply: z.object({ id: f.id }),
});

export const retireRoom = at.put("/:id/retire", "注销房间", "6.edit", {
  body: z.object({ day: f.dayInput("注销日"), reason: f.reason("注销原因"), version: f.version }),
  reply: z.object({ id: f.id }),
});
