import { sql } from "kysely";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { changesOf } from "../../../platform/kernel/changes.ts";
import { unused } from "../room/hanging.queries.ts";
import { rename } from "../room/rename.service.ts";
import {
  addBuilding,
  building,
  buildingBody,
  buildingTree,
  deleteBuilding,
  editBuilding,
} from "./building.contract.ts";
import { buildingList, buildingSeen, treeOf } from "./building.queries.ts";
import { createBuildings } from "./building.service.ts";

/** Where the village is scattered its buildings lie in many places, so each says where. */
async function wellPlaced(
  read: Read,
  b: { villageId: number; communityName: string; address: string },
): Promise<void> {
  const village = await read.tx
    .selectFrom("village")
    .select("mode")
    .where("id", "=", inScope(read.who, b.villageId))
    .executeTakeFirstOrThrow();
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
];
