import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery } from "../../../platform/kernel/paging.ts";
import { recordCalls } from "../../../platform/kernel/records.ts";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import { all, required } from "../../../platform/kernel/validators.ts";
import { BUILDINGS } from "../building/building.contract.ts";
import { copyCall } from "../building/copy.contract.ts";
import { importCalls } from "../../system/import/import.contract.ts";
import { areaInput, areaOf } from "../room/words.rules.ts";

const named = { path: "/room/api/v3/publicArea", title: "公共区域", target: "publicArea" };
const family = recordCalls({ ...named, code: 6 });
export const areaName = all(required("请输入公共区域名称"), nameOf("名称"));
export const AREA_PICTURES = 10;

/** What the form of an area carries. */
export const areaBody = z
  .object({
    villageId: f.pick("门店"),
    buildingId: f.pick("楼栋").nullish(),
    floorId: f.pick("楼层").nullish(),
    name: f.checked("名称", areaName, { max: 30 }),
    kindDic: f.input("类型", 1, 20, "请选择类型"),
    area: areaInput("面积").nullish(),
    capacity: f.whole("容纳人数", 1, 1000, { unit: "人" }).nullish(),
    openHours: f.remark("开放时间", 50).default(""),
    managerId: f.pick("负责人").nullish(),
    pictures: f.pictures(AREA_PICTURES).default([]),
    remark: f.remark().default(""),
  })
  .refine((a) => !a.floorId || a.buildingId, { path: ["buildingId"], error: "请先选择楼栋" });

const facts = {
  id: f.id,
  name: f.link("名称"),
  villageId: f.id,
  villageName: f.text("门店"),
  buildingId: f.id.nullable(),
  floorId: f.id.nullable(),
  floorName: z.string(),
  place: f.text("位置"),
  kindDic: z.string(),
  kindName: f.text("类型"),
  area: areaOf("面积").nullable(),
  capacity: f.number("容纳人数").nullable(),
  openHours: f.text("开放时间"),
  assets: f.number("资产", { help: "在用和损坏的资产件数" }),
  managerId: f.id.nullable(),
  managerName: f.person("负责人").nullable(),
  state: f.status("状态", SWITCHED),
  updatedAt: f.instant("更新时间"),
  version: f.version,
};

export const publicAreas = family.list(
  pageQuery("place", "name", "area", "capacity", "assets", "updatedAt").extend({
    villageIds: filter.villages(),
    buildingId: filter.record("楼栋", BUILDINGS),
    kind: filter.word("类型", "house", "areaKind"),
    state: filter.choice("状态", SWITCHED),
    keyword: filter.keyword("名称"),
    ids: idList,
  }),
  z.object({ ...facts, cover: f.id.nullable() }),
  { sums: z.object({ area: areaOf("面积"), assets: f.number("资产") }) },
);
export const exportAreas = family.export(publicAreas, { filters: { ids: "公共区域" } });

export const publicArea = family.get(
  z.object({
    ...facts,
    remark: f.text("备注"),
    pictures: areaBody.shape.pictures,
    createdAt: f.instant("创建时间"),
  }),
);
export const addArea = family.add(areaBody);
export const editArea = family.edit(areaBody);
export const deleteArea = family.delete();
export const enableArea = family.enable();
export const disableArea = family.disable();
export const areaImport = importCalls({
  ...{ base: `${named.path}/import`, title: named.title, village: "请选择门店" },
  ...{ needs: "6.import", target: "publicAreaImport" },
});
export const copyArea = copyCall({ ...named, needs: "6.add" });
