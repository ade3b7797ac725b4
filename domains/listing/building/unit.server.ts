import { removeAt, revise } from "../../../platform/server/database/versioned.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { createUnits } from "./building.service.ts";
import { buildingSeen, unitSeen } from "./building.queries.ts";
import { unused } from "../room/hanging.queries.ts";
import { rename } from "../room/rename.service.ts";
import { addUnit, deleteUnit, editUnit, unit } from "./unit.contract.ts";
import { unitList } from "./unit.queries.ts";

const note = (act: Act, villageId: number, id: number, action: string, summary: string) =>
  act.note([
    { kind: "unit", recordId: id, villageId, action, summary },
    { kind: "village", recordId: villageId, villageId, action: "单元", summary },
  ]);

export default [
  serveList(unitList),
  serveRead(unit, (read, { params }) => unitSeen(read, params.id)),

  serve(addUnit, async (act, { body }) => {
    const building = await buildingSeen(act, body.buildingId);
    const [id] = await createUnits(act, [body]);
    await note(act, building.villageId, id!, "新增", `新增单元 ${building.name}·${body.name}`);
    return { id: id! };
  }),

  serve(editUnit, async (act, { params, body }) => {
    const before = await unitSeen(act, params.id);
    const { version, ...fields } = body;
    const done = await revise(act, "unit", { id: params.id, version }, { ...fields });
    if (before.name !== fields.name || before.sort !== fields.sort) await rename(act, { unitId: params.id });
    const to = before.name === fields.name ? "" : ` → ${fields.name}`;
    await note(
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
    await note(act, row.villageId, params.id, "删除", `删除单元 ${row.buildingName}·${row.name}`);
    return null;
  }),
];
