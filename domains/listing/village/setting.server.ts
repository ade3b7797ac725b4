import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { changeSetting, replacePictures } from "../../place/village/village.service.ts";
import { hangPictures } from "../room/room.service.ts";
import { changesOf } from "../../../platform/kernel/changes.ts";
import {
  copySetting,
  getVillageSetting,
  previewSettingCopy,
  SETTING_BLOCKS,
  setVillagePictures,
  setVillageSetting,
  villagePictures,
  villageSetting,
} from "./setting.contract.ts";

type Row = Awaited<ReturnType<typeof settingOf>>;

async function settingOf(read: Read, villageId: number) {
  const row = await read.tx
    .selectFrom("villageSetting as s")
    .innerJoin("village as v", "v.id", "s.villageId")
    .selectAll("s")
    .select(["v.name as villageName", "v.code"])
    .where("s.villageId", "=", inScope(read.who, villageId))
    .executeTakeFirst();
  if (!row) throw notFound();
  return {
    ...row,
    earnestKind: row.earnestKind as "定金" | "订金",
    // the form knows hours and minutes
    showingFrom: row.showingFrom.slice(0, 5),
    showingTo: row.showingTo.slice(0, 5),
    quietFrom: row.quietFrom.slice(0, 5),
    quietTo: row.quietTo.slice(0, 5),
  };
}

type Copy = { blocks: (keyof typeof SETTING_BLOCKS)[]; villageIds: number[] };

/** For each target what would change, field by field. */
async function differences(read: Read, from: Row, copy: Copy) {
  const ids = villagesOf(read.who, copy.villageIds).filter((id) => id !== from.villageId);
  const fields = copy.blocks.flatMap((block) => SETTING_BLOCKS[block]);
  const targets = await Promise.all(ids.map((id) => settingOf(read, id)));
  const wanted = Object.fromEntries(fields.map((f) => [f, from[f]]));
  return targets.map((row) => {
    const changes = changesOf(villageSetting.shape, row, wanted);
    return {
      villageId: row.villageId,
      villageName: row.villageName,
      changes: changes?.lines ?? [],
      wanted,
      log: changes,
      code: row.code,
      version: row.version,
    };
  });
}

/** A change touches new acts only, and the log says so. */
const noteSetting = (
  act: Act,
  row: { villageId: number; code: string },
  changes: { summary: string } | undefined,
) =>
  changes
    ? act.note({
        kind: "village",
        recordId: row.villageId,
        number: row.code,
        villageId: row.villageId,
        action: "修改规则",
        ...changes,
        summary: `修改规则（仅影响新业务）：${changes.summary}`,
      })
    : undefined;

export default [
  serveRead(getVillageSetting, (read, { params }) => settingOf(read, params.id)),

  serve(setVillageSetting, async (act, { params, body }) => {
    const before = await settingOf(act, params.id);
    const { version, ...fields } = body;
    const set = { ...fields, leadIdleDays: fields.leadIdleDays ?? null };
    const after = await changeSetting(act, params.id, set, version);
    await noteSetting(act, before, changesOf(villageSetting.shape, before, fields));
    return after;
  }),

  serveRead(previewSettingCopy, async (read, { params, body }) =>
    differences(read, await settingOf(read, params.id), body),
  ),

  serve(copySetting, async (act, { params, body }) => {
    const changes = await differences(act, await settingOf(act, params.id), body);
    for (const target of changes.filter((c) => c.log)) {
      await changeSetting(act, target.villageId, target.wanted, target.version);
      await noteSetting(act, target, target.log);
    }
    return changes;
  }),

  serveRead(villagePictures, async (read, { params }) =>
    read.tx
      .selectFrom("villagePicture")
      .select(["id", "type", "fileId", "caption"])
      .where("villageId", "=", inScope(read.who, params.id))
      .orderBy("type")
      .orderBy("sort")
      .orderBy("id")
      .execute(),
  ),

  serve(setVillagePictures, async (act, { params, body }) => {
    const villageId = inScope(act.who, params.id);
    await hangPictures(
      act,
      villageId,
      body.pictures.map((p) => p.fileId),
    );
    const done = await replacePictures(act, villageId, body.version, body.pictures);
    await act.note({
      kind: "village",
      recordId: villageId,
      number: done.code,
      villageId,
      action: "修改图片",
      summary: `修改图片，共 ${body.pictures.length} 张`,
    });
    return { version: done.version };
  }),
];
