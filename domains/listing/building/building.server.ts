import { sql } from "kysely";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { unused } from "../room/room.queries.ts";
import { rename } from "../room/rename.service.ts";
import {
  addBuilding,
  building,
  buildingBody,
  buildingTree,
  deleteBuilding,
  editBuilding,
  addUnit,
  deleteUnit,
  editUnit,
  unit,
  addFloor,
  deleteFloor,
  editFloor,
  floor,
} from "./building.contract.ts";
import {
  buildingList,
  buildingSeen,
  treeOf,
  unitSeen,
  unitList,
  floorSeen,
  floorList,
} from "./building.queries.ts";
import { createBuildings, createUnits, createFloors } from "./building.service.ts";
import { attachFile } from "../../system/file/file.service.ts";
import { floorName } from "../room/place.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";

/** Where the village is scattered its buildings lie in many places, so each says where. */
async function wellPlaced(
  read: Read,
  b: { villageId: number; communityName: string; address: string },
): Promise<void> {
  const village = await theRow(read, "village", ["mode"], { id: inScope(read.who, b.villageId) });
  if (village.mode !== "scattered") return;
  if (b.communityName.length < 2) throw invalid({ field: "communityName", msg: "小区长度为2到30个字" });
  if (b.address.length < 5) throw invalid({ field: "address", msg: "地址长度为5到100个字" });
}

const checkKind = (act: Act, kind: string, kept = "") =>
  checkWords(act, "house", "buildingKind", [kind], { field: "kind", kept: [kept] });

/** Floors that exist must stay inside the building. */
async function highEnough(read: Read, id: number, above: number, below: number): Promise<void> {
  const { rows } = await sql<{ top: number; bottom: number }>`
    select coalesce(max(number), 0) top, coalesce(min(number), 0) bottom from floor where building_id = ${id}`.execute(
    read.tx,
  );
  const { top, bottom } = rows[0]!;
  if (top > above) throw invalid({ field: "floorsAbove", msg: `已有 ${top} 层，地上层数不能小于 ${top}` });
  if (-bottom > below)
    throw invalid({ field: "floorsBelow", msg: `已有地下 ${-bottom} 层，地下层数不能小于 ${-bottom}` });
}

const note = (
  act: Act,
  row: { id: number; name: string; villageId: number },
  action: string,
  more: { summary: string; before?: unknown; after?: unknown },
) =>
  act.note([
    { kind: "building", recordId: row.id, number: row.name, villageId: row.villageId, action, ...more },
    {
      kind: "village",
      recordId: row.villageId,
      villageId: row.villageId,
      action: "楼栋",
      summary: `楼栋 ${row.name}：${more.summary}`,
    },
  ]);

/** The village's own timeline tells of its units and floors too. */
const partNote =
  (kind: "unit" | "floor") => (act: Act, villageId: number, id: number, action: string, summary: string) =>
    act.note([
      { kind, recordId: id, villageId, action, summary },
      { kind: "village", recordId: villageId, villageId, action: kind === "unit" ? "单元" : "楼层", summary },
    ]);
const [unitNote, floorNote] = [partNote("unit"), partNote("floor")];

/** A floor must lie inside its building. */
function inside(number: number, building: { floorsAbove: number; floorsBelow: number }) {
  if (number > building.floorsAbove || -number > building.floorsBelow)
    throw invalid({
      field: "number",
      msg: `楼栋共地上 ${building.floorsAbove} 层、地下 ${building.floorsBelow} 层`,
    });
}

/** The plan opens for who may open the floor. */
const hangPlan = (act: Act, floor: { id: number; villageId: number }, fileId: number) =>
  attachFile(act, fileId, {
    targetKind: "floor",
    targetId: floor.id,
    villageId: floor.villageId,
    needs: ["6.get", "6.query"],
  });

export default [
  serveList(buildingList),
  serveRead(buildingTree, (read, { query }) => treeOf(read, inScope(read.who, query.villageId))),

  serveRead(building, (read, { params }) => buildingSeen(read, params.id)),

  serve(addBuilding, async (act, { body }) => {
    await wellPlaced(act, body);
    await checkKind(act, body.kind);
    const [id] = await createBuildings(act, [body]);
    await note(act, { ...body, id: id! }, "新增", { summary: "新增" });
    return { id: id! };
  }),

  serve(editBuilding, async (act, { params, body }) => {
    const before = await buildingSeen(act, params.id);
    if (body.villageId !== before.villageId) throw invalid({ field: "villageId", msg: "楼栋不能换门店" });
    await wellPlaced(act, body);
    await checkKind(act, body.kind, before.kind);
    await highEnough(act, params.id, body.floorsAbove, body.floorsBelow);
    const { version, villageId: _, ...fields } = body;
    const after = await revise(
      act,
      "building",
      { id: params.id, version },
      {
        ...fields,
        lng: fields.lng ?? null,
        lat: fields.lat ?? null,
        builtYear: fields.builtYear ?? null,
        ...stamp(act),
      },
    );
    if (
      after.name !== before.name ||
      after.communityName !== before.communityName ||
      after.sort !== before.sort
    )
      await rename(act, { buildingId: params.id });
    const changes = changesOf(buildingBody.shape, before, after);
    if (changes) await note(act, after, "修改", changes);
    return { id: params.id };
  }),

  serve(deleteBuilding, async (act, { params, query }) => {
    const row = await buildingSeen(act, params.id);
    await unused(act, "building", [params.id], "该楼栋", "请先删除其中的单元、楼层和房源");
    await removeAt(act, "building", { id: params.id, version: query.version });
    await note(act, row, "删除", { summary: "删除" });
    return null;
  }),

  serveList(unitList),
  serveRead(unit, (read, { params }) => unitSeen(read, params.id)),

  serve(addUnit, async (act, { body }) => {
    const building = await buildingSeen(act, body.buildingId);
    const [id] = await createUnits(act, [body]);
    await unitNote(act, building.villageId, id!, "新增", `新增单元 ${building.name}·${body.name}`);
    return { id: id! };
  }),

  serve(editUnit, async (act, { params, body }) => {
    const before = await unitSeen(act, params.id);
    const { version, ...fields } = body;
    const done = await revise(act, "unit", { id: params.id, version }, { ...fields });
    if (before.name !== fields.name || before.sort !== fields.sort) await rename(act, { unitId: params.id });
    const to = before.name === fields.name ? "" : ` → ${fields.name}`;
    await unitNote(
      act,
      before.villageId,
      params.id,
      "修改",
      `修改单元 ${before.buildingName}·${before.name}${to}`,
    );
    return done;
  }),

  serve(deleteUnit, async (act, { params, query }) => {
    const row = await unitSeen(act, params.id);
    await unused(act, "unit", [params.id], "该单元", "请先删除其中的楼层和房源");
    await removeAt(act, "unit", { id: params.id, version: query.version });
    await unitNote(act, row.villageId, params.id, "删除", `删除单元 ${row.buildingName}·${row.name}`);
    return null;
  }),

  serveList(floorList),
  serveRead(floor, (read, { params }) => floorSeen(read, params.id)),

  serve(addFloor, async (act, { body }) => {
    const building = await buildingSeen(act, body.buildingId);
    const unitId = body.unitId ?? null;
    if (unitId && (await unitSeen(act, unitId)).buildingId !== building.id) throw notFound();
    inside(body.number, building);
    const [id] = await createFloors(act, [{ ...body, unitId }]);
    if (body.planFileId) {
      await hangPlan(act, { id: id!, villageId: building.villageId }, body.planFileId);
      await act.tx.updateTable("floor").set({ planFileId: body.planFileId }).where("id", "=", id!).execute();
    }
    const name = body.name || floorName(body.number);
    await floorNote(act, building.villageId, id!, "新增", `新增楼层 ${building.name}·${name}`);
    return { id: id! };
  }),

  serve(editFloor, async (act, { params, body }) => {
    const before = await floorSeen(act, params.id);
    inside(body.number, before);
    const { version, ...fields } = body;
    const name = fields.name || floorName(fields.number);
    const done = await revise(
      act,
      "floor",
      { id: params.id, version },
      { ...fields, name, planFileId: fields.planFileId ?? null },
    );
    if (fields.planFileId)
      await hangPlan(act, { id: params.id, villageId: before.villageId }, fields.planFileId);
    if (before.number !== fields.number) await rename(act, { floorId: params.id });
    await floorNote(
      act,
      before.villageId,
      params.id,
      "修改",
      `修改楼层 ${before.buildingName}·${before.name} → ${name}`,
    );
    return done;
  }),

  serve(deleteFloor, async (act, { params, query }) => {
    const row = await floorSeen(act, params.id);
    await unused(act, "floor", [params.id], "该楼层", "请先删除其中的房源");
    await removeAt(act, "floor", { id: params.id, version: query.version });
    await floorNote(act, row.villageId, params.id, "删除", `删除楼层 ${row.buildingName}·${row.name}`);
    return null;
  }),
];
