import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { day, id, link, money, number, status, text, version } from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { BUILDINGS } from "../building/building.contract.ts";
import { areaOf } from "../room/choice.rules.ts";
import { BEDROOMS, RENT_MODES } from "../room/words.rules.ts";

const path = "/room/api/v3/apartment";

export const apartmentRow = z.object({
  id,
  villageId: id,
  fullName: link("房源"),
  rentMode: status("类型", RENT_MODES),
  /** The day from which a new rent mode counts, while it lies ahead. */
  rentModeFrom: day("新出租方式起").nullable(),
  layout: text("户型"),
  grossArea: areaOf("面积"),
  orientation: text("朝向"),
  source: text("产权来源"),
  headLeaseEnd: day("上游租约止").nullable(),
  listPrice: money("标价", { help: "整套标价；只分间出租时为各间标价之和" }).nullable(),
  lowestPrice: money("底价").nullish(),
  rooms: number("房间"),
  letRooms: number("在租"),
  occupancyText: text("入住状态"),
  vacantDays: number("空置天数").nullable(),
  pictures: number("图片"),
  complete: number("完整度").meta({ title: "完整度", kind: "progress" }),
  missing: z.array(z.string()).meta({ title: "缺少", kind: "text" }),
  retiredDay: day("注销日").nullable(),
  version,
});

const STOCK = {
  in: ["在库", "green"],
  retired: ["已注销", "grey"],
  all: ["全部", "grey"],
} as const;
const areaEnd = z.coerce.number().min(0).max(999_999.99).optional();
const fen = z.coerce.number().int().min(0).optional();
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
  keyword: filter.keyword("房源名称、门牌"),
};

export const apartments = call({
  method: "GET",
  path,
  summary: "房源列表（按套）",
  needs: "6.query",
  query: pageQuery("place", "grossArea").extend({
    ...placeFilter,
    rentMode: filter.choice("类型", RENT_MODES),
  }),
  reply: pageReply(
    apartmentRow,
    z.object({ grossArea: areaOf("面积"), rooms: number("房间"), listPrice: money("标价") }),
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
