import { removeAt, revise } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { attachFile } from "../../system/file/file.service.ts";
import { createFloors } from "./building.service.ts";
import { buildingSeen, floorSeen, unitSeen } from "./building.queries.ts";
import { unused } from "../room/hanging.queries.ts";
import { floorName } from "../room/place.rules.ts";
import { rename } from "../room/rename.service.ts";
import { addFloor, deleteFloor, editFloor, floor } from "./floor.contract.ts";
import { floorList } from "./floor.queries.ts";

const note = (act: Act, villageId: number, id: number, action: string, summary: string) =>
  act.note([
    { kind: "floor", recordId: id, villageId, action, summary },
    { kind: "village", recordId: villageId, villageId, action: "楼层", summary },
  ]);

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
    await note(act, building.villageId, id!, "新增", `新增楼层 ${building.name}·${name}`);
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
    await note(
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
    await note(act, row.villageId, params.id, "删除", `删除楼层 ${row.buildingName}·${row.name}`);
    return null;
  }),
];
