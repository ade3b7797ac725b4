import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import {
  amount,
  checked,
  choice,
  day,
  dayInput,
  id,
  input,
  money,
  number,
  pick,
  pictures,
  remark,
  status,
  text,
  version,
  whole,
} from "../../../platform/kernel/field.ts";
import { all, filled, lengthBetween } from "../../../platform/kernel/validators.ts";
import { noSpecialCharacters, roomName } from "../../../platform/kernel/names.ts";
import { areaInput, areaOf, facilityWords, wordOrNone } from "../room/choice.rules.ts";
import { GENDERS, PRICE_UNITS, RENT_MODES } from "../room/words.rules.ts";
import { oneRecord, recordCalls } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/apartment";

const door = checked("门牌", all(filled, lengthBetween(1, 18, "门牌最多18个字"), noSpecialCharacters), {
  max: 18,
});

/** What a flat is, apart from where it stands and how it is let. */
const facts = {
  name: door,
  bedrooms: whole("室", 0, 10).default(0),
  halls: whole("厅", 0, 10).default(0),
  baths: whole("卫", 0, 10).default(0),
  kitchens: whole("厨", 0, 10).default(0),
  grossArea: areaInput("建筑面积"),
  innerArea: areaInput("套内面积").nullish(),
  orientation: wordOrNone("朝向"),
  decoration: wordOrNone("装修"),
  gender: choice("性别限制", GENDERS).default("any"),
  layoutTags: z
    .array(input("户型标签", 1, 20))
    .max(10, "户型标签最多10个")
    .default([])
    .meta({ title: "户型标签", kind: "text" }),
  /** The code of a word of the house dictionary; "leased" stands under a lease of its own. */
  source: input("产权来源", 1, 20, "请选择产权来源").default("own"),
  headLeaseEnd: dayInput("上游租约止").nullish(),
  certificateNo: remark("产权证号", 50).default(""),
  remark: remark().default(""),
};
const place = { buildingId: pick("楼栋"), unitId: pick("单元").nullish(), floorId: pick("楼层") };

/** One room of a divided flat, or the whole of the others. */
const roomGiven = z.object({
  name: checked("房间名", roomName, { max: 18 }),
  area: areaInput("房间面积"),
  capacity: whole("可住人数", 1, 50).optional(),
  productId: id.nullish(),
  listPrice: amount("标价").nullish(),
  /** With authority 601. */
  lowestPrice: amount("底价").nullish(),
});
export const divided = {
  rentMode: choice("出租方式", RENT_MODES),
  wholeToo: z.boolean().default(false).meta({ title: "可整租", kind: "flag" }),
  unit: choice("计价单位", PRICE_UNITS).default("month"),
  rooms: z.array(roomGiven).max(50, "一套最多50个房间").default([]),
  /** The flat as a whole, where a divided one may also be let whole. */
  whole: roomGiven.omit({ name: true, area: true }).nullish(),
};
const shared = {
  facilities: facilityWords.default([]),
  tags: z
    .array(input("标签", 1, 10))
    .max(10, "标签最多10个")
    .default([]),
  minTermMonths: whole("最短租期", 1, 60, { unit: "个月" }).nullish(),
  firstDay: dayInput("可出租日期").optional(),
  pictures: pictures(20).default([]),
};

export const apartmentBody = z.object({ ...place, ...facts, ...divided, ...shared });
export const apartmentEdit = z.object({ ...place, ...facts, version });

const family = recordCalls({ path, code: 6, title: "房源", target: "apartment" });

export const apartment = family.get(
  z.object({
    id,
    villageId: id,
    villageName: text("门店"),
    buildingId: id,
    unitId: id.nullable(),
    floorId: id,
    fullName: text("房源"),
    ...facts,
    grossArea: areaOf("建筑面积"),
    innerArea: areaOf("套内面积").nullable(),
    orientation: text("朝向"),
    decoration: text("装修"),
    sourceName: text("产权来源"),
    headLeaseEnd: day("上游租约止").nullable(),
    rentMode: status("出租方式", RENT_MODES),
    rentModeFrom: day("新出租方式起").nullable(),
    wholeToo: z.boolean(),
    retiredDay: day("注销日").nullable(),
    version,
    /** Rooms in stock today or later, parents first. */
    rooms: z.array(
      z.object({
        id,
        parentRoomId: id.nullable(),
        kind: z.string(),
        name: text("房间名"),
        isLeaf: z.boolean(),
        area: areaOf("面积"),
        capacity: number("可住人数"),
        listPrice: money("标价").nullable(),
        lowestPrice: money("底价").nullish(),
        firstDay: day("可出租日期"),
        retiredDay: day("注销日").nullable(),
        version,
      }),
    ),
  }),
);

export const addApartment = family.add(apartmentBody, { reply: z.object({ id, roomIds: z.array(id) }) });

/** The same flat behind many doors of one floor. */
export const addApartments = call({
  method: "POST",
  path: `${path}/batch`,
  summary: "批量新增房源",
  needs: "6.add",
  target: "village",
  body: apartmentBody.omit({ name: true, pictures: true }).extend({ names: input("门牌", 1, 2000) }),
  reply: z.object({ ids: z.array(id) }),
});

export const editApartment = call({
  method: "PUT",
  path: `${path}/:id`,
  summary: "修改房源",
  needs: "6.edit",
  target: "apartment",
  params: oneRecord,
  body: apartmentEdit,
  reply: z.object({ id }),
});

export const deleteApartment = family.delete();
