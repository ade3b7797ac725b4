import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { all, filled, lengthBetween } from "../../../platform/kernel/validators.ts";
import { noSpecialCharacters, roomName } from "../../../platform/kernel/texts/names.ts";
import {
  areaInput,
  areaOf,
  facilityWords,
  wordOrNone,
  GENDERS,
  PRICE_UNITS,
  RENT_MODES,
  BEDROOMS,
} from "../room/words.rules.ts";
import { oneRecord, recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { BUILDINGS } from "../building/building.contract.ts";
import { PRODUCTS } from "../product/product.contract.ts";
import { CONDITIONS, FLAGS, OCCUPANCIES } from "../status/status.rules.ts";

const path = "/room/api/v3/apartment";
const at = callsAt(path, "village");

const door = f.checked("门牌", all(filled, lengthBetween(1, 18, "门牌最多18个字"), noSpecialCharacters), {
  max: 18,
});

/** What a flat is, apart from where it stands and how it is let. */
const facts = {
  name: door,
  bedrooms: f.whole("室", 0, 10).default(0),
  halls: f.whole("厅", 0, 10).default(0),
  baths: f.whole("卫", 0, 10).default(0),
  kitchens: f.whole("厨", 0, 10).default(0),
  grossArea: areaInput("建筑面积"),
  innerArea: areaInput("套内面积").nullish(),
  orientation: wordOrNone("朝向"),
  decoration: wordOrNone("装修"),
  gender: f.choice("性别限制", GENDERS).default("any"),
  layoutTags: z
    .array(f.input("户型标签", 1, 20))
    .max(10, "户型标签最多10个")
    .default([])
    .meta({ title: "户型标签", kind: "text" }),
  /** The code of a word of the house dictionary; "leased" stands under a lease of its own. */
  source: f.input("产权来源", 1, 20, "请选择产权来源").default("own"),
  headLeaseEnd: f.dayInput("上游租约止").nullish(),
  certificateNo: f.remark("产权证号", 50).default(""),
  remark: f.remark().default(""),
};
const place = { buildingId: f.pick("楼栋"), unitId: f.pick("单元").nullish(), floorId: f.pick("楼层") };

/** One room of a divided flat, or the whole of the others. */
const roomGiven = z.object({
  name: f.checked("房间名", roomName, { max: 18 }),
  area: areaInput("房间面积"),
  capacity: f.whole("可住人数", 1, 50).optional(),
  productId: f.id.nullish(),
  listPrice: f.amount("标价").nullish(),
  /** With authority 601. */
  lowestPrice: f.amount("底价").nullish(),
});
export const divided = {
  rentMode: f.choice("出租方式", RENT_MODES),
  wholeToo: z.boolean().default(false).meta({ title: "可整租", kind: "flag" }),
  unit: f.choice("计价单位", PRICE_UNITS).default("month"),
  rooms: z.array(roomGiven).max(50, "一套最多50个房间").default([]),
  /** The flat as a whole, where a divided one may also be let whole. */
  whole: roomGiven.omit({ name: true, area: true }).nullish(),
};
const shared = {
  facilities: facilityWords.default([]),
  tags: z
    .array(f.input("标签", 1, 10))
    .max(10, "标签最多10个")
    .default([]),
  minTermMonths: f.whole("最短租期", 1, 60, { unit: "个月" }).nullish(),
  firstDay: f.dayInput("可出租日期").optional(),
  pictures: f.pictures(20).default([]),
};

export const apartmentBody = z.object({ ...place, ...facts, ...divided, ...shared });
export const apartmentEdit = z.object({ ...place, ...facts, version: f.version });

const family = recordCalls({ path, code: 6, title: "房源", target: "apartment" });

export const apartment = family.get(
  z.object({
    id: f.id,
    villageId: f.id,
    villageName: f.text("门店"),
    buildingId: f.id,
    unitId: f.id.nullable(),
    floorId: f.id,
    fullName: f.text("房源"),
    ...facts,
    grossArea: areaOf("建筑面积"),
    innerArea: areaOf("套内面积").nullable(),
    orientation: f.text("朝向"),
    decoration: f.text("装修"),
    sourceName: f.text("产权来源"),
    headLeaseEnd: f.day("上游租约止").nullable(),
    rentMode: f.status("出租方式", RENT_MODES),
    rentModeFrom: f.day("新出租方式起").nullable(),
    wholeToo: z.boolean(),
    retiredDay: f.day("注销日").nullable(),
    version: f.version,
    /** Rooms in stock today or later, parents first. */
    rooms: z.array(
      z.object({
        id: f.id,
        parentRoomId: f.id.nullable(),
        kind: z.string(),
        name: f.text("房间名"),
        isLeaf: z.boolean(),
        area: areaOf("面积"),
        capacity: f.number("可住人数"),
        listPrice: f.money("标价").nullable(),
        lowestPrice: f.money("底价").nullish(),
        firstDay: f.day("可出租日期"),
        retiredDay: f.day("注销日").nullable(),
        version: f.version,
      }),
    ),
  }),
);

export const addApartment = family.add(apartmentBody, {
  reply: z.object({ id: f.id, roomIds: z.array(f.id) }),
});

/** The same flat behind many doors of one floor. */
export const addApartments = at.post("/batch", "批量新增房源", "6.add", {
  body: apartmentBody.omit({ name: true, pictures: true }).extend({ names: f.input("门牌", 1, 2000) }),
  reply: z.object({ ids: z.array(f.id) }),
});

export const editApartment = at.put("/:id", "修改房源", "6.edit", {
  target: "apartment",
  body: apartmentEdit,
  reply: z.object({ id: f.id }),
});

export const deleteApartment = family.delete();

export const apartmentRow = z.object({
  id: f.id,
  villageId: f.id,
  fullName: f.link("房源"),
  rentMode: f.status("类型", RENT_MODES),
  /** The day from which a new rent mode counts, while it lies ahead. */
  rentModeFrom: f.day("新出租方式起").nullable(),
  layout: f.text("户型"),
  grossArea: areaOf("面积"),
  orientation: f.text("朝向"),
  source: f.text("产权来源"),
  headLeaseEnd: f.day("上游租约止").nullable(),
  listPrice: f.money("标价", { help: "整套标价；只分间出租时为各间标价之和" }).nullable(),
  lowestPrice: f.money("底价").nullish(),
  rooms: f.number("房间"),
  letRooms: f.number("在租"),
  occupancyText: f.text("入住状态"),
  vacantDays: f.number("空置天数").nullable(),
  pictures: f.number("图片"),
  complete: f.number("完整度").meta({ title: "完整度", kind: "progress" }),
  missing: z.array(z.string()).meta({ title: "缺少", kind: "text" }),
  retiredDay: f.day("注销日").nullable(),
  version: f.version,
});

const STOCK = {
  in: ["在库", "green"],
  retired: ["已注销", "grey"],
  all: ["全部", "grey"],
} as const;
const areaEnd = z.coerce.number().min(0).max(999_999.99).optional();
const fen = z.coerce.number().int().min(0).optional();
/** Whether devices are online is not asked of these lists. */
const { deviceOffline: _none, ...FLAG_WORDS } = FLAGS;

export const placeFilter = {
  villageIds: filter.villages(),
  buildingId: filter.by(z.coerce.number().int().positive().optional(), {
    kind: "record",
    title: "楼栋",
    source: BUILDINGS,
  }),
  unitId: z.coerce.number().int().positive().optional(),
  floorId: z.coerce.number().int().positive().optional(),
  bedrooms: filter.by(z.coerce.number().int().min(0).max(10).optional(), {
    kind: "choice",
    title: "户型",
    words: BEDROOMS,
  }),
  ...filter.between("areaFrom", "areaTo", areaEnd, { kind: "range", title: "面积", unit: "㎡" }),
  ...filter.between("priceFrom", "priceTo", fen, { kind: "money", title: "标价" }),
  source: filter.word("产权来源", "house", "source"),
  /** Something is missing: picture, price or product. */
  incomplete: filter.by(z.enum(["0", "1"]).optional(), {
    kind: "choice",
    title: "资料",
    words: { 1: ["资料不全", "orange"] },
  }),
  orientation: filter.word("朝向", "house", "orientation"),
  decoration: filter.word("装修", "house", "decoration"),
  layoutTag: filter.word("户型标签", "house", "layoutTag"),
  buildingKind: filter.word("楼栋类型", "house", "buildingKind"),
  stock: filter.by(z.enum(["in", "retired", "all"]).default("in"), {
    kind: "choice",
    title: "在库",
    words: STOCK,
  }),
  productId: filter.by(z.coerce.number().int().positive().optional(), {
    kind: "record",
    title: "产品",
    source: PRODUCTS,
  }),
  /** Of a flat what one of its rooms is. */
  occupancy: filter.choices("入住状态", OCCUPANCIES),
  condition: filter.choices("房态", CONDITIONS),
  flag: filter.choices("标记", FLAG_WORDS),
  tag: filter.by(z.string().trim().max(20).optional(), { kind: "text", title: "标签" }),
  keyword: filter.keyword("房间全名、拼音、标签"),
};

export const apartments = at.get("", "房源列表（按套）", "6.query", {
  query: pageQuery("place", "grossArea").extend({
    ...placeFilter,
    rentMode: filter.choice("类型", RENT_MODES),
  }),
  reply: pageReply(
    apartmentRow,
    z.object({ grossArea: areaOf("面积"), rooms: f.number("房间"), listPrice: f.money("标价") }),
  ),
});

/** Labels of what only the tree beside both lists chooses. */
export const PLACE_FILTERS = { unitId: "单元", floorId: "楼层" };
export const exportApartments = exportOf({
  type: "apartment",
  title: "房源",
  needs: "6.export",
  list: apartments,
  filters: PLACE_FILTERS,
});

const apartmentsAt = callsAt("/room/api/v3/apartment/:id", "apartment");

const change = z.object({ ...divided, from: f.dayInput("生效日"), version: f.version });
const outcome = z.object({
  /** Rooms that leave the stock on the day, and those that begin. */
  retire: z.array(z.object({ id: f.id, name: z.string(), kind: z.string() })),
  begin: z.array(z.object({ name: z.string(), kind: z.string(), area: f.number("面积") })),
});

export const previewRentMode = apartmentsAt.post("/rentMode/preview", "预览变更出租方式", "6.edit", {
  effect: "read",
  params: oneRecord,
  body: change,
  reply: outcome,
});

/** From a day on the flat is let in another way: old rooms leave the stock, new ones begin. History stays. */
export const changeRentMode = apartmentsAt.put("/rentMode", "变更出租方式", "6.edit", {
  params: oneRecord,
  body: change,
  reply: outcome,
});

export const retireApartment = apartmentsAt.put("/retire", "注销房源", "6.edit", {
  params: oneRecord,
  body: z.object({ day: f.dayInput("注销日"), reason: f.reason("注销原因"), version: f.version }),
  reply: z.object({ id: f.id }),
});
