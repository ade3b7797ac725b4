import { sql } from "kysely";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addDistrict, deleteDistrict, districts, editDistrict } from "./district.contract.ts";
import { misplaced, type DistrictLevel } from "./district.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

constraintSays("district_enterprise_id_parent_id_name_key", { field: "name", msg: "同级下区域名称已存在" });

async function found(read: Read, id: number) {
  const row = await read.tx
    .selectFrom("district")
    .selectAll()
    .where("id", "=", id)
    .where("enterpriseId", "=", read.who.enterpriseId)
    .executeTakeFirstOrThrow(notFound);
  return row;
}

/** Refuses a place in the tree that is too deep, or below itself. */
async function place(read: Read, level: DistrictLevel, parentId: number | null, id = 0): Promise<void> {
  const parent = parentId ? await found(read, parentId) : undefined;
  const why = misplaced(level, parent?.level as DistrictLevel | undefined);
  if (why) throw invalid({ field: "level", msg: why });
  if (!id) return;
  const children = await read.tx.selectFrom("district").select("level").where("parentId", "=", id).execute();
  const below = children.map((c) => misplaced(c.level as DistrictLevel, level)).find(Boolean);
  if (below) throw invalid({ field: "level", msg: below });
}

const note = (act: Act, id: number, action: string, summary: string) =>
  act.note({ kind: "district", recordId: id, action, summary });

export default [
  serveRead(districts, async (read) => {
    const rows = await read.tx
      .selectFrom("district as d")
      .select(["d.id", "d.parentId", "d.name", "d.level", "d.adCode", "d.sort", "d.enabled", "d.version"])
      .select((eb) =>
        eb
          .selectFrom("village as v")
          .whereRef("v.districtId", "=", "d.id")
          .select((e) => e.fn.countAll<number>().as("n"))
          .as("villages"),
      )
      .where("d.enterpriseId", "=", read.who.enterpriseId)
      .orderBy(sql`array_position(array['city', 'area', 'block'], d.level)`)
      .orderBy("d.sort")
      .orderBy(sql`d.name collate "zh-x-icu"`)
      .orderBy("d.id")
      .execute();
    return rows.map((row) => ({ ...row, level: row.level as DistrictLevel, villages: row.villages ?? 0 }));
  }),

  serve(addDistrict, async (act, { body }) => {
    const parentId = body.parentId ?? null;
    await place(act, body.level, parentId);
    const row = await act.tx
      .insertInto("district")
      .values({ ...body, parentId, enterpriseId: act.who.enterpriseId, createdBy: act.who.operatorId })
      .returning("id")
      .executeTakeFirstOrThrow();
    await note(act, row.id, "新增", `新增区域 ${body.name}`);
    return row;
  }),

  serve(editDistrict, async (act, { params, body }) => {
    const before = await found(act, params.id);
    const { version, ...fields } = body;
    const parentId = fields.parentId ?? null;
    await place(act, fields.level, parentId, params.id);
    const done = await revise(
      act,
      "district",
      { id: params.id, version },
      { ...fields, parentId, ...stamp(act) },
    );
    await note(
      act,
      params.id,
      "修改",
      `修改区域 ${before.name}${before.name === fields.name ? "" : ` → ${fields.name}`}`,
    );
    return done;
  }),

  serve(deleteDistrict, async (act, { params, query }) => {
    const row = await found(act, params.id);
    const used = await aRow(act, "village", ["id"], { districtId: params.id });
    if (used) throw new Refusal("inUse", "该区域下有门店，不能删除");
    const child = await aRow(act, "district", ["id"], { parentId: params.id });
    if (child) throw new Refusal("inUse", "该区域下有下级区域，不能删除");
    await removeAt(act, "district", { id: params.id, version: query.version });
    await note(act, params.id, "删除", `删除区域 ${row.name}`);
    return null;
  }),
];
