import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { nameOf } from "../../../platform/kernel/names.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { all, required } from "../../../platform/kernel/validators.ts";
import { BUILDINGS } from "../building/building.contract.ts";
import { areaInput, areaOf } from "../room/words.rules.ts";
import { AREA_PICTURES, AREA_STATES } from "./area.rules.ts";
import { oneRecord, recordCalls } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/publicArea";
export const areaName = all(required("请输入公共区域名称"), nameOf("名称"));

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
    pictures: z
      .array(f.id)
      .max(AREA_PICTURES, `图片最多${AREA_PICTURES}张`)
      .default([])
      .meta({ title: "图片", kind: "file" }),
    remark: f.remark().default(""),
  })
  .refine((a) => !a.floorId || a.buildingId, { path: ["buildingId"], error: "请先选择楼栋" });

export type AreaBody = z.output<typeof areaBody>;

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
  state: f.status("状态", AREA_STATES),
  updatedAt: f.instant("更新时间"),
  version: f.version,
};
export const areaRow = z.object({ ...facts, cover: f.id.nullable() });

export const publicAreas = call({
  method: "GET",
  path,
  summary: "公共区域列表",
  needs: "6.query",
  query: pageQuery("place", "name", "area", "capacity", "assets", "updatedAt").extend({
    villageIds: filter.villages(),
    buildingId: filter.record("楼栋", BUILDINGS),
    kind: filter.by(z.string().trim().max(20).optional(), {
      kind: "choice",
      title: "类型",
      dic: ["house", "areaKind"],
    }),
    state: filter.choice("状态", AREA_STATES),
    keyword: filter.keyword("名称"),
    ids: idList,
  }),
  reply: pageReply(areaRow, z.object({ area: areaOf("面积"), assets: f.number("资产") })),
});

export const exportAreas = exportOf({
  type: "publicArea",
  title: "公共区域",
  needs: "6.export",
  list: publicAreas,
  filters: { ids: "公共区域" },
});

const family = recordCalls({ path, code: 6, title: "公共区域", target: "publicArea" });

export const publicArea = family.get(
  z.object({
    ...facts,
    remark: f.text("备注"),
    pictures: z.array(f.id),
    createdAt: f.instant("创建时间"),
  }),
);

export const addArea = family.add(areaBody);
export const editArea = family.edit(areaBody);
export const deleteArea = family.delete();
export const enableArea = family.enable();
export const disableArea = family.disable();

/** To floors, and to buildings as a whole, of the same village. What hangs on the source stays there. */
export const copyArea = call({
  method: "POST",
  path: `${path}/:id/copy`,
  summary: "复制公共区域",
  needs: "6.add",
  target: "publicArea",
  params: oneRecord,
  body: z
    .object({
      pattern: f.pattern("名称规则", 1, 60),
      floorIds: z.array(f.id).max(100, "一次最多复制到100处").default([]),
      buildingIds: z.array(f.id).max(100, "一次最多复制到100处").default([]),
    })
    .refine((to) => to.floorIds.length + to.buildingIds.length > 0, {
      path: ["floorIds"],
      error: "请选择楼层或楼栋",
    }),
  reply: z.object({ made: z.array(z.object({ id: f.id, name: f.text("名称") })) }),
});
