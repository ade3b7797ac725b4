import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import {
  day,
  id,
  money,
  number,
  person,
  progress,
  room,
  status,
  tags,
  text,
  version,
} from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { PLACE_FILTERS, placeFilter } from "../apartment/list.contract.ts";
import { PRODUCTS } from "../product/options.contract.ts";
import { CONDITIONS, FLAGS, OCCUPANCIES } from "../status/status.rules.ts";
import { areaOf } from "./choice.rules.ts";
import { PRICE_UNITS, ROOM_KINDS } from "./words.rules.ts";

const path = "/room/api/v3/room";
/** Whether devices are online is not asked of this list. */
const { deviceOffline: _none, ...FLAG_WORDS } = FLAGS;

export const roomRow = z.object({
  id,
  apartmentId: id,
  villageId: id,
  fullName: room("房间"),
  name: text("房间名"),
  kind: status("类型", ROOM_KINDS),
  isLeaf: z.boolean(),
  layout: text("户型"),
  area: areaOf("面积"),
  orientation: text("朝向"),
  productId: id.nullable(),
  productName: text("产品").nullable(),
  listPrice: money("标价").nullable(),
  lowestPrice: money("底价").nullish(),
  priceUnit: status("计价单位", PRICE_UNITS).nullable(),
  occupancy: status("入住状态", OCCUPANCIES).nullable(),
  condition: status("房态", CONDITIONS).nullable(),
  flags: tags("标记", FLAGS),
  partyName: person("租客").nullable(),
  contractId: id.nullable(),
  until: day("租期止").nullable(),
  vacantDays: number("空置天数").nullable(),
  tags: z.array(z.string()).meta({ title: "标签", kind: "text" }),
  assets: number("资产", { help: "在用和损坏的资产件数" }),
  pictures: number("图片"),
  complete: progress("完整度"),
  missing: z.array(z.string()).meta({ title: "缺少", kind: "text" }),
  firstDay: day("可出租日期"),
  retiredDay: day("注销日").nullable(),
  version,
});

export const rooms = call({
  method: "GET",
  path,
  summary: "房源列表（按间）",
  needs: "6.query",
  query: pageQuery("place", "area", "listPrice", "firstDay").extend({
    ...placeFilter,
    keyword: filter.keyword("房间全名、拼音、标签"),
    kind: filter.choices("类型", ROOM_KINDS),
    productId: filter.by(z.coerce.number().int().positive().optional(), {
      kind: "record",
      title: "产品",
      source: PRODUCTS,
    }),
    apartmentId: z.coerce.number().int().positive().optional(),
    occupancy: filter.choices("入住状态", OCCUPANCIES),
    condition: filter.choices("房态", CONDITIONS),
    flag: filter.choices("标记", FLAG_WORDS),
    tag: filter.by(z.string().trim().max(20).optional(), { kind: "text", title: "标签" }),
    facility: filter.word("设施", "facility", "room"),
    holdReason: filter.word("暂不发布原因", "house", "holdReason", 50),
  }),
  reply: pageReply(
    roomRow,
    z.object({
      rooms: number("房间", { help: "实际出租的房间；可整租的整套不另计" }),
      area: areaOf("面积"),
      listPrice: money("标价"),
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
