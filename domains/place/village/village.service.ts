import { type RawBuilder, sql, type Updateable } from "kysely";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { VillageSetting } from "../../../db/types.gen.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { initialsOf } from "../../../platform/server/database/pinyin.ts";

constraintSays("village_enterprise_id_code_key", { field: "code", msg: "门店编码已存在" });
constraintSays("village_enterprise_id_name_key", { field: "name", msg: "门店名称已存在" });

type Fields = {
  code: string;
  name: string;
  shortName?: string;
  mode: string;
  districtId: number;
  address: string;
  lng?: number | null | undefined;
  lat?: number | null | undefined;
  managerId: number;
  phone: string;
  serviceHours?: string;
  openingDay: string;
  intro?: string;
  tags?: string[];
};
type State = { state: string; closedDay: Day | null; closedDays?: RawBuilder<string> };
type Picture = { type: number; fileId: number; caption: string };

const columns = <F extends Fields>(fields: F) => ({
  ...fields,
  lng: fields.lng ?? null,
  lat: fields.lat ?? null,
  pinyin: initialsOf(`${fields.name} ${fields.shortName ?? ""}`.trim()),
});

/** Makes a store and its settings as they are at first. */
export async function makeVillage(act: Act, village: Fields & { enterpriseId: number }): Promise<number> {
  const by = act.who.operatorId || null;
  const { id } = await act.tx
    .insertInto("village")
    .values({ ...columns(village), createdBy: by, updatedBy: by })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx.insertInto("villageSetting").values({ villageId: id }).execute();
  return id;
}

/** Changes a version of a store and answers the next one; refuses where somebody else was faster. */
async function update(act: Act, id: number, version: number, set: Partial<Fields & State>) {
  const row = await revise(act, "village", { id, version }, { ...set, ...stamp(act) });
  return row;
}

export const changeVillage = (act: Act, id: number, version: number, fields: Fields) =>
  update(act, id, version, columns(fields));

/** Closes a store from a day on; whether it may be is for the caller to judge. */
export const closeStore = (act: Act, id: number, version: number, day: Day) =>
  update(act, id, version, { state: "closed", closedDay: day });

/** Opens a store from a day on; the days that it was closed until then still read so. */
export const openStore = (act: Act, id: number, version: number, day: Day) =>
  update(act, id, version, {
    state: "open",
    closedDay: null,
    closedDays: sql`closed_days + case when closed_day < ${day}::date
      then datemultirange(daterange(closed_day, ${day}::date)) else '{}' end`,
  });

/** Deletes a store on which nothing hangs any more. */
export async function removeVillage(act: Act, id: number, version: number): Promise<void> {
  await removeAt(act, "village", { id, version });
}

/** Changes settings of a store that are still as they were seen. */
export const changeSetting = (
  act: Act,
  villageId: number,
  set: Omit<Updateable<VillageSetting>, "villageId" | "version">,
  version: number,
) => revise(act, "villageSetting", { villageId, version }, set);

/** Replaces the pictures of a store, in their order; the files hang on it already. */
export async function replacePictures(
  act: Act,
  villageId: number,
  version: number,
  pictures: readonly Picture[],
): Promise<{ version: number; code: string }> {
  const done = await update(act, villageId, version, {});
  await act.tx.deleteFrom("villagePicture").where("villageId", "=", villageId).execute();
  if (pictures.length)
    await act.tx
      .insertInto("villagePicture")
      .values(pictures.map((p, sort) => ({ ...p, villageId, sort })))
      .execute();
  return done;
}

/** The enterprise that all of these stores are of; refused where they are of several. */
export async function oneEnterprise(
  read: Pick<Read, "tx">,
  villageIds: readonly number[],
  msg = "所选门店须属于同一企业",
): Promise<number> {
  const rows = await read.tx
    .selectFrom("village")
    .select("enterpriseId")
    .distinct()
    .where("id", "=", anyOf(villageIds))
    .execute();
  if (rows.length !== 1) throw invalid({ field: "villageIds", msg });
  return rows[0]!.enterpriseId;
}

/**
 * Why nothing is let in a store until a day (null: without end), or nothing. With `lock` it stays as it is: who closes a store locks it
 * and counts what is let, so one of the two sees the other and gives way.
 */
export async function whyShut(
  read: Pick<Read, "tx">,
  villageId: number,
  until: Day | null,
  lock = false,
): Promise<string | undefined> {
  const { name, state, closedDay } = await read.tx
    .selectFrom("village")
    .select(["name", "state", "closedDay"])
    .where("id", "=", villageId)
    .$if(lock, (q) => q.forShare())
    .executeTakeFirstOrThrow();
  if (state !== "closed" || (closedDay !== null && until !== null && closedDay > until)) return undefined;
  return `${name}${closedDay === null ? "" : ` 自 ${closedDay} 起`}已停业，不能出租`;
}
