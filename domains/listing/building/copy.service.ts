import { sql } from "kysely";
import type { z } from "zod";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { copyCall } from "./copy.contract.ts";
import { namedBy } from "./copy.rules.ts";

export type CopyTo = z.output<NonNullable<ReturnType<typeof copyCall>["body"]>>;
type Target = { buildingId: number; floorId: number | null; building: string; floor: string; place: string };
type Placed = {
  villageId: number;
  buildingId?: number | null | undefined;
  floorId?: number | null | undefined;
};

/** Refuses a building of another village, and a floor of another building. */
export async function checkPlace(read: Read, { villageId, buildingId, floorId }: Placed): Promise<void> {
  if (!buildingId) return;
  const { rows } = await sql<{ building: boolean; floor: boolean }>`
    select exists (select from building where id = ${buildingId} and village_id = ${villageId}) building,
      exists (select from floor where id = ${floorId ?? 0} and building_id = ${buildingId}) floor`.execute(
    read.tx,
  );
  if (!rows[0]!.building) throw invalid({ field: "buildingId", msg: "楼栋不在所选门店" });
  if (floorId && !rows[0]!.floor) throw invalid({ field: "floorId", msg: "楼层不在所选楼栋" });
}

/** The places of a copy from bottom to top, each in the village of the source. */
async function targetsOf(act: Act, villageId: number, to: CopyTo): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select t."buildingId", t."floorId", t.building, t.floor, t.place from (
      select b.id "buildingId", f.id "floorId", b.name building, f.name floor,
        concat_ws('·', b.name, u.name, f.name) place, b.sort, f.number
      from floor f join building b on b.id = f.building_id left join unit u on u.id = f.unit_id
      where f.id = ${anyOf(to.floorIds)} and b.village_id = ${villageId}
      union all
      select b.id, null, b.name, '', b.name, b.sort, null from building b
      where b.id = ${anyOf(to.buildingIds)} and b.village_id = ${villageId}) t
    order by t.sort, t."buildingId", t.number nulls first, t."floorId"`.execute(act.tx);
  const wanted = new Set(to.floorIds).size + new Set(to.buildingIds).size;
  if (rows.length < wanted) throw invalid({ field: "floorIds", msg: "只能复制到本门店的楼栋和楼层" });
  return rows;
}

type Copied = {
  /** Kind of record in the log. */
  kind: string;
  /** Why something may not be called so. */
  wrong: (name: string) => string | undefined;
  /** What is said where the name is taken in its place. */
  taken: string;
  /** Makes one; nothing where the name is taken. */
  make: (at: {
    buildingId: number;
    floorId: number | null;
    name: string;
  }) => Promise<{ id: number } | undefined>;
};

/** Makes a record again in each place, named after it. All or none; a name that cannot be is told with its place. */
export async function copyToPlaces(
  act: Act,
  from: { name: string; villageId: number },
  to: CopyTo,
  { kind, wrong, taken, make }: Copied,
): Promise<{ made: { id: number; name: string }[] }> {
  const targets = await targetsOf(act, from.villageId, to);
  const named = targets.map((at) => ({ ...at, name: namedBy(to.pattern, from.name, at) }));
  const refuse = (place: string, why: string) => invalid({ field: "pattern", msg: `${place}：${why}` });
  for (const { place, name } of named) {
    const why = wrong(name);
    if (why) throw refuse(place, why);
  }
  const made: { id: number; name: string }[] = [];
  for (const { place, name, buildingId, floorId } of named) {
    const row = await make({ buildingId, floorId, name });
    if (!row) throw refuse(place, `${taken}“${name}”`);
    made.push({ id: row.id, name });
  }
  await act.note(
    made.map(({ id, name }) => ({
      kind,
      recordId: id,
      number: name,
      villageId: from.villageId,
      action: "新增",
      summary: `由“${from.name}”复制`,
    })),
  );
  return { made };
}
