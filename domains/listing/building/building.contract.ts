import { z } from "zod";
import { checked, id, number, remark, text, version, whole } from "../../../platform/kernel/field.ts";
import { noSpecialCharacters } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { wordOrNone } from "../room/words.rules.ts";
import { all, filled, lengthBetween } from "../../../platform/kernel/validators.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { recordCalls, callsAt } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/building";
const at = callsAt(path);

const point = (title: string, limit: number) =>
  z.number().min(-limit, `${title}格式不正确`).max(limit, `${title}格式不正确`).nullish();

const buildingName = checked(
  "楼栋名",
  all(filled, lengthBetween(1, 18, "楼栋名长度为1到18个字"), noSpecialCharacters),
  { max: 18 },
);

/** Community and address are demanded where the village is scattered: its buildings lie in many places. */
export const buildingBody = z
  .object({
    villageId: id,
    communityName: remark("小区", 30).default(""),
    name: buildingName,
    kind: wordOrNone("楼栋类型"),
    address: remark("地址", 100).default(""),
    lng: point("经度", 180),
    lat: point("纬度", 90),
    floorsAbove: whole("地上层数", 1, 99),
    floorsBelow: whole("地下层数", 0, 10).default(0),
    elevators: whole("电梯数", 0, 50).default(0),
    builtYear: whole("建成年份", 1900, 2100).nullish(),
    sort: whole("排序", 0, 9999).default(0),
  })
  .refine((b) => (b.lng == null) === (b.lat == null), { path: ["lng"], error: "经纬度须同时填写" });

const facts = {
  id,
  villageId: id,
  communityName: text("小区"),
  name: text("楼栋"),
  kind: text("楼栋类型"),
  address: text("地址"),
  floorsAbove: number("地上层数"),
  floorsBelow: number("地下层数"),
  elevators: number("电梯数"),
  builtYear: number("建成年份").nullable(),
  sort: number("排序"),
  version,
};
const counts = { apartments: number("房源"), rooms: number("房间") };

export const buildings = at.get("", "楼栋列表", "6.query", {
  query: pageQuery("name", "sort").extend({
    villageIds: idList,
    keyword: z.string().trim().max(50).optional(),
  }),
  reply: pageReply(z.object({ ...facts, villageName: text("门店"), ...counts })),
});

const family = recordCalls({ path, code: 6, title: "楼栋", target: "building" });

export const building = family.get(
  z.object({ ...facts, lng: z.coerce.number().nullable(), lat: z.coerce.number().nullable() }),
);

/** The structure of one village: buildings in order with their units and floors. */
export const buildingTree = at.get("/tree", "楼栋结构", "login", {
  query: z.object({ villageId: z.coerce.number().int().positive() }),
  reply: z.array(
    z.object({
      ...facts,
      ...counts,
      units: z.array(z.object({ id, name: text("单元"), sort: z.number(), version, ...counts })),
      floors: z.array(
        z.object({ id, unitId: id.nullable(), number: z.number(), name: text("楼层"), version, ...counts }),
      ),
    }),
  ),
});

export const addBuilding = family.add(buildingBody);
export const editBuilding = family.edit(buildingBody);
export const deleteBuilding = family.delete();

/** Buildings to filter by. */
export const BUILDINGS: Source = {
  call: buildings,
  query: { pageSize: 200, want: "rows" },
  option: (b: { id: number; name: string; communityName: string; villageName: string }) => ({
    value: b.id,
    label: [b.communityName, b.name].filter(Boolean).join(" "),
    note: b.villageName,
  }),
};

const unitPath = "/room/api/v3/unit";
const unitBody = z.object({
  buildingId: id,
  name: checked("单元名", all(filled, lengthBetween(1, 10, "单元名长度为1到10个字"), noSpecialCharacters), {
    max: 10,
  }),
  sort: whole("排序", 0, 9999).default(0),
});

const unitFacts = { id, buildingId: id, name: text("单元"), sort: number("排序"), version };

export const units = callsAt(unitPath).get("", "单元列表", "6.query", {
  query: pageQuery("name", "sort").extend({ buildingId: z.coerce.number().int().positive().optional() }),
  reply: pageReply(z.object({ ...unitFacts, buildingName: text("楼栋"), apartments: number("房源") })),
});

const unitFamily = recordCalls({ path: unitPath, code: 6, title: "单元", target: "unit" });

export const unit = unitFamily.get(z.object(unitFacts));
export const addUnit = unitFamily.add(unitBody);
export const editUnit = unitFamily.edit(unitBody.omit({ buildingId: true }));
export const deleteUnit = unitFamily.delete();

const floorPath = "/room/api/v3/floor";
const floorBody = z.object({
  buildingId: id,
  unitId: id.nullish(),
  number: whole("楼层号", -10, 99).refine((n) => n !== 0, "楼层号不能为0"),
  /** Empty: 3F, B1. */
  name: remark("楼层名", 10).default(""),
  planFileId: id.nullish().meta({ title: "平面图", kind: "file" }),
});

const floorFacts = {
  id,
  buildingId: id,
  unitId: id.nullable(),
  number: number("楼层号"),
  name: text("楼层"),
  planFileId: id.nullable(),
  version,
};

export const floors = callsAt(floorPath).get("", "楼层列表", "6.query", {
  query: pageQuery("number").extend({
    buildingId: z.coerce.number().int().positive().optional(),
    unitId: z.coerce.number().int().positive().optional(),
  }),
  reply: pageReply(z.object({ ...floorFacts, apartments: number("房源") })),
});

const floorFamily = recordCalls({ path: floorPath, code: 6, title: "楼层", target: "floor" });

export const floor = floorFamily.get(z.object(floorFacts));
export const addFloor = floorFamily.add(floorBody);
export const editFloor = floorFamily.edit(floorBody.omit({ buildingId: true, unitId: true }));
export const deleteFloor = floorFamily.delete();
