import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import { day, id, link, money, number, status, text, version } from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { areaOf } from "../room/area.rules.ts";
import { RENT_MODES } from "../room/words.rules.ts";

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

export const placeFilter = {
  villageIds: idList,
  buildingId: z.coerce.number().int().positive().optional(),
  unitId: z.coerce.number().int().positive().optional(),
  floorId: z.coerce.number().int().positive().optional(),
  bedrooms: z.coerce.number().int().min(0).max(10).optional(),
  areaFrom: z.coerce.number().min(0).max(999_999.99).optional(),
  areaTo: z.coerce.number().min(0).max(999_999.99).optional(),
  /** Fen. */
  priceFrom: z.coerce.number().int().min(0).optional(),
  priceTo: z.coerce.number().int().min(0).optional(),
  /** A code of the house dictionary. */
  source: z.string().trim().max(20).optional(),
  /** Something is missing: picture, price or product. */
  incomplete: z.enum(["0", "1"]).optional(),
  /** Words of the house dictionary. */
  orientation: z.string().trim().max(20).optional(),
  decoration: z.string().trim().max(20).optional(),
  layoutTag: z.string().trim().max(20).optional(),
  buildingKind: z.string().trim().max(20).optional(),
  stock: z.enum(["in", "retired", "all"]).default("in"),
  keyword: z.string().trim().max(50).optional(),
};

export const apartments = call({
  method: "GET",
  path,
  summary: "房源列表（按套）",
  needs: "6.query",
  query: pageQuery("place", "grossArea").extend({
    ...placeFilter,
    rentMode: z.enum(["whole", "shared", "bed", "shop", "parking", "storage"]).optional(),
  }),
  reply: pageReply(
    apartmentRow,
    z.object({ grossArea: areaOf("面积"), rooms: number("房间"), listPrice: money("标价") }),
  ),
});

/** Labels of the filters that both lists have. */
export const PLACE_FILTERS = {
  villageIds: "门店",
  buildingId: "楼栋",
  unitId: "单元",
  floorId: "楼层",
  bedrooms: "居室",
  areaFrom: "面积起",
  areaTo: "面积止",
  priceFrom: "标价起",
  priceTo: "标价止",
  source: "产权来源",
  orientation: "朝向",
  decoration: "装修",
  layoutTag: "户型标签",
  buildingKind: "楼栋类型",
  incomplete: "资料不全",
  stock: "在库",
  keyword: "关键字",
};
export const exportApartments = exportOf({
  type: "apartment",
  title: "房源",
  needs: "6.export",
  list: apartments,
  filters: PLACE_FILTERS,
});
