import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { ROOM_KINDS } from "../room/words.rules.ts";
import { dayParam } from "../status/overview.contract.ts";
import { villageParam } from "./board.contract.ts";
import { MORE_KEYS } from "./sieve.rules.ts";
import {
  CONDITIONS,
  CONDITION_KEYS,
  FLAGS,
  FLAG_KEYS,
  OCCUPANCIES,
  OCCUPANCY_KEYS,
} from "../status/status.rules.ts";

const some = z.string().max(2000).optional();
const MORE = Object.fromEntries(MORE_KEYS.map((key) => [key, some])) as Record<
  (typeof MORE_KEYS)[number],
  typeof some
>;

const state = (title: string, words: f.Words) => ({ kind: "choice", title, many: true, words }) as const;

/** The rooms of a board as a table, for files and for people who sort. */
export const listRoomStatus = callsAt("/room/api/v3/roomStatus").get("", "房态列表", "3.query", {
  query: pageQuery(
    "place",
    "area",
    "listPriceFen",
    "since",
    "until",
    "rentFen",
    "vacantDays",
    "nextFrom",
    "arrearsFen",
  ).extend({
    villageId: villageParam,
    day: dayParam,
    roomIds: idList,
    buildingIds: idList,
    occ: filter.by(wordList(OCCUPANCY_KEYS), state("入住", OCCUPANCIES)),
    cond: filter.by(wordList(CONDITION_KEYS), state("状态", CONDITIONS)),
    flag: filter.by(wordList(FLAG_KEYS), state("标记", FLAGS)),
    keyword: filter.keyword("楼栋房号、租客、标签"),
    // the board's further filters, as they stand in its address
    ...MORE,
  }),
  reply: pageReply(
    z.object({
      id: f.id,
      name: f.room("房间"),
      building: f.text("楼栋"),
      unit: f.text("单元"),
      floor: f.text("楼层"),
      kind: f.status("类型", ROOM_KINDS),
      layout: f.text("户型"),
      area: f.number("面积", { unit: "㎡" }),
      product: f.text("产品"),
      listPriceFen: f.money("标价").nullable(),
      occupancy: f.status("入住", OCCUPANCIES),
      condition: f.status("状态", CONDITIONS),
      flags: f.tags("标记", FLAGS),
      partyName: f.person("租客").nullable(),
      since: f.day("自").nullable(),
      until: f.day("至").nullable(),
      rentFen: f.money("月租金").nullable(),
      vacantDays: f.number("空置天数", { unit: "天" }).nullable(),
      nextFrom: f.day("下一租约").nullable(),
      arrearsFen: f.money("欠费"),
      tags: z.array(z.string()).meta({ title: "标签", kind: "text" }),
    }),
  ),
});

export const exportRoomStatus = exportOf({
  type: "roomStatus",
  title: "房态",
  needs: "3.export",
  list: listRoomStatus,
  filters: {
    villageId: "门店",
    day: "日期",
    roomIds: "所选房间",
    buildingIds: "楼栋",
    buildings: "楼栋",
    units: "单元",
    floors: "楼层",
    kinds: "类型",
    products: "产品",
    layouts: "户型",
    gender: "性别",
    areaFrom: "面积起",
    areaTo: "面积止",
    priceFrom: "标价起",
    priceTo: "标价止",
    vacantFrom: "空置天数",
    endsWithin: "到期天数",
    empty: "未出租",
  },
  personal: true,
});
