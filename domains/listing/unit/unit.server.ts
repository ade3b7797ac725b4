import { sql } from "kysely";
import { removeAt, revise } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { createUnits } from "../building/building.service.ts";
import { buildingSeen, unitSeen } from "../building/place.queries.ts";
import { unused } from "../room/hanging.queries.ts";
import { rename } from "../room/rename.service.ts";
import { addUnit, deleteUnit, editUnit, unit, units } from "./unit.contract.ts";

const note = (act: Act, villageId: number, id: number, action: string, summary: string) =>
  act.note([
    { kind: "unit", recordId: id, villageId, action, summary },
    { kind: "village", recordId: villageId, villageId, action: "单元", summary },
  ]);

export default [
  serveRead(units, async (read, { query: q }) => {
    const matching = read.tx
      .selectFrom("unit as u")
      .innerJoin("building as b", "b.id", "u.buildingId")
      .where("b.villageId", "=", anyOf(read.who.villages))
      .$if(!!q.buildingId, (query) => query.where("u.buildingId", "=", q.buildingId!));
    const [list, count] = await Promise.all([
      q.want === "totals"
        ? []
        : matching
            .select(["u.id", "u.buildingId", "u.name", "u.sort", "u.version", "b.name as buildingName"])
            .select(
              sql<number>`(select count(*) from apartment a where a.unit_id = u.id and a.retired_day is null)`.as(
                "apartments",
              ),
            )
            .orderBy(q.sort === "name" ? "u.name" : "u.sort", q.order ?? "asc")
            .orderBy("u.id")
            .limit(q.pageSize)
            .offset((q.pageNo - 1) * q.pageSize)
            .execute(),
      q.want === "rows"
        ? undefined
        : matching.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    ]);
    return { list, total: count?.n ?? null };
  }),

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
