import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { type Act, type Read, entryOn } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { grantVillage, withdrawVillage } from "../../access/operator/scope.service.ts";
import {
  changeVillage,
  removeVillage,
  closeStore,
  openStore,
  changeSetting,
  replacePictures,
} from "../../place/village/village.service.ts";
import { daysTouched, refuseClosedDay } from "../occupancy/occupancy.service.ts";
import { unused } from "../room/room.queries.ts";
import { redraw, rename } from "../room/rename.service.ts";
import {
  addVillage,
  closeVillage,
  deleteVillage,
  editVillage,
  exportVillages,
  openVillage,
  village,
  villageBody,
  villageOptions,
  villageStaff,
  copySetting,
  getVillageSetting,
  previewSettingCopy,
  SETTING_BLOCKS,
  setVillagePictures,
  setVillageSetting,
  villagePictures,
  villageSetting,
} from "./village.contract.ts";
import { staffOf, standing, villageList } from "./village.queries.ts";
import { type VillageMode, type VillageState, villageMoves } from "./village.rules.ts";
import { calledAs, createVillage, usableManager } from "./village.service.ts";
import { hangPictures } from "../room/room.service.ts";
import { aRow } from "../../../platform/server/database/row.ts";

const found = async (read: Read, id: number, lock = false) => {
  const row = await read.tx
    .selectFrom("village")
    .selectAll()
    .where("id", "=", inScope(read.who, id))
    .$if(lock, (q) => q.forNoKeyUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return { ...row, state: row.state as VillageState, mode: row.mode as VillageMode };
};

const entryOf = (row: { id: number; code: string }, action: string, more: Parameters<typeof entryOn>[4]) =>
  entryOn("village", { id: row.id, villageId: row.id }, row.code, action, more);

/** The district must belong to the village's enterprise. */
async function usableDistrict(read: Read, districtId: number, enterpriseId: number) {
  const district = await aRow(read, "district", ["enabled"], { id: districtId, enterpriseId });
  if (!district) throw invalid({ field: "districtId", msg: "请选择区域" });
}

/**
 * Opens or closes: the state machine judges, the business log keeps the reason. A day in the past alters the days since then,
 * never those of a closed month; until it opens again a store was closed.
 */
async function moveTo(
  act: Act,
  id: number,
  move: "open" | "close",
  given: { version: number; reason?: string | undefined; day?: string | undefined },
) {
  // what is let meanwhile is counted, or finds it closed
  const row = await found(act, id, true);
  const day = given.day ?? act.today;
  const state = villageMoves.next(move, { ...row, status: row.state, ...(await standing(act, id, day)) });
  const again = move === "open" && row.state === "closed";
  if (again && !given.reason) throw invalid({ field: "reason", msg: "请填写重新开业原因" });
  if (again) refuseOpenDay(row.closedDay, day, act.today);
  if (again || move === "close") await refuseClosedDay(act, [id], day);
  await (move === "open" ? openStore : closeStore)(act, id, given.version, day);
  if (again || move === "close") await daysTouched(act, [id], day);
  await redraw(act, { villageId: id });
  const why = given.reason ? `：${given.reason}` : "";
  const label = villageMoves.label(move);
  const states = { before: { state: row.state }, after: { state } };
  const from = given.day && given.day !== act.today ? `，${day} 起` : "";
  await act.note(entryOf(row, label, { summary: `${label}${from}${why}`, ...states }));
  return { id };
}

function refuseOpenDay(closedDay: Day | null, day: Day, today: Day): void {
  if (day > today) throw invalid({ field: "openDay", msg: "重新开业日不能晚于今天" });
  // one that was to close later has been open all the time
  if (closedDay !== null && closedDay <= today && day < closedDay)
    throw invalid({ field: "openDay", msg: `重新开业日不能早于停业日 ${closedDay}` });
}

/** What channels publish of a store itself. */
const PUBLISHED = ["name", "address", "lng", "lat", "phone", "managerId"] as const;

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
    ? act.note(
        entryOf({ id: row.villageId, code: row.code }, "修改规则", {
          ...changes,
          summary: `修改规则（仅影响新业务）：${changes.summary}`,
        }),
      )
    : undefined;

export default [
  exportList(exportVillages),

  serveList(villageList),

  serveRead(village, async (read, { params }) => {
    const row = await found(read, params.id);
    const more = await read.tx
      .selectFrom("village as v")
      .innerJoin("district as d", "d.id", "v.districtId")
      .innerJoin("operator as m", "m.id", "v.managerId")
      .innerJoin("enterprise as e", "e.id", "v.enterpriseId")
      .select(["d.name as districtName", "m.realName as managerName", "e.name as enterpriseName"])
      .select((eb) =>
        eb
          .selectFrom("building")
          .whereRef("villageId", "=", "v.id")
          .select((e) => e.fn.countAll<number>().as("n"))
          .as("buildings"),
      )
      .where("v.id", "=", params.id)
      .executeTakeFirstOrThrow();
    return { ...row, ...more, buildings: more.buildings ?? 0 };
  }),

  serve(addVillage, async (act, { body }) => {
    const enterpriseId = (act.who.superType === "0" && body.enterpriseId) || act.who.enterpriseId;
    if (body.enterpriseId && body.enterpriseId !== enterpriseId) throw notFound();
    await usableDistrict(act, body.districtId, enterpriseId);
    return { id: await createVillage(act, { ...body, enterpriseId }) };
  }),

  serve(editVillage, async (act, { params, body }) => {
    const before = await found(act, params.id);
    const { version, enterpriseId: _, ...fields } = body;
    if (fields.mode !== before.mode && (await standing(act, params.id, act.today)).buildings)
      throw invalid({ field: "mode", msg: "已有楼栋，模式不能修改" });
    if (fields.managerId !== before.managerId)
      await usableManager(act, fields.managerId, before.enterpriseId);
    if (fields.districtId !== before.districtId)
      await usableDistrict(act, fields.districtId, before.enterpriseId);
    const after = await changeVillage(act, params.id, version, fields);
    if (fields.managerId !== before.managerId) await grantVillage(act, params.id, [fields.managerId]);
    if (calledAs(before) !== calledAs(after)) await rename(act, { villageId: params.id });
    else if (PUBLISHED.some((key) => before[key] !== after[key])) await redraw(act, { villageId: params.id });
    const changes = changesOf(villageBody.shape, before, after);
    if (changes) await act.note(entryOf({ id: params.id, code: after.code }, "修改", changes));
    return { id: params.id };
  }),

  serve(deleteVillage, async (act, { params, query }) => {
    const row = await found(act, params.id);
    const { buildings } = await standing(act, params.id, act.today);
    if (buildings) throw new Refusal("inUse", `该门店有 ${buildings} 个楼栋，不能删除，可改为停业`);
    await unused(act, "village", [params.id], "该门店");
    await removeVillage(act, params.id, query.version);
    await withdrawVillage(act, params.id);
    await act.note(entryOf(row, "删除", `删除门店 ${row.name}`));
    return null;
  }),

  serveRead(villageStaff, async (read, { params }) => staffOf(read, await found(read, params.id))),

  serve(openVillage, (act, { params, body }) =>
    moveTo(act, params.id, "open", { ...body, day: body.openDay }),
  ),
  serve(closeVillage, (act, { params, body }) =>
    moveTo(act, params.id, "close", { ...body, day: body.closedDay }),
  ),
  serveRead(villageOptions, async (read) => {
    const rows = await read.tx
      .selectFrom("village as v")
      .innerJoin("district as d", "d.id", "v.districtId")
      .select([
        "v.id",
        "v.name",
        "v.shortName",
        "v.code",
        "v.mode",
        "v.state as status",
        "v.districtId",
        "d.name as districtName",
        "v.pinyin",
      ])
      .where("v.id", "=", anyOf(read.who.villages))
      .orderBy(sql`v.state = 'closed'`)
      .orderBy("d.sort")
      .orderBy("v.name")
      .orderBy("v.id")
      .execute();
    return rows.map((row) => ({
      ...row,
      mode: row.mode as VillageMode,
      status: row.status as VillageState,
    }));
  }),

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
    const told = `修改图片，共 ${body.pictures.length} 张`;
    await act.note(entryOf({ id: villageId, code: done.code }, "修改图片", told));
    return { version: done.version };
  }),
];
