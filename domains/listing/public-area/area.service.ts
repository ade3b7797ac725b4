import { sql } from "kysely";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { areaName, type AreaBody } from "./area.contract.ts";
import type { areaDetail, areaSeen } from "./area.queries.ts";
import { namedBy } from "./area.rules.ts";

export const TAKEN = "同一位置已存在同名公共区域";
constraintSays("public_area_name", { field: "name", msg: TAKEN });

type Area = Awaited<ReturnType<typeof areaSeen>>;
/** What a form says fits together: the place, the kind, whoever looks after it; what stands in an area keeps its store. */
export async function checkArea(
  act: Act,
  body: AreaBody,
  before?: Awaited<ReturnType<typeof areaDetail>>,
): Promise<void> {
  if (before && body.villageId !== before.villageId && (await holds(act, before.id)))
    throw invalid({ field: "villageId", msg: "区域内有资产记录，不能更换门店" });
  await checkPlace(act, body);
  const kept = before ? [before.kindDic] : [];
  await checkWords(act, "house", "areaKind", [body.kindDic], { field: "kindDic", kept });
  if (body.managerId && body.managerId !== before?.managerId && !(await actsFor(act, body)))
    throw invalid({ field: "managerId", msg: "负责人账号不可用" });
}

async function checkPlace(read: Read, { villageId, buildingId, floorId }: AreaBody): Promise<void> {
  if (!buildingId) return;
  const building = await read.tx
    .selectFrom("building")
    .select("id")
    .where("id", "=", buildingId)
    .where("villageId", "=", villageId)
    .executeTakeFirst();
  if (!building) throw invalid({ field: "buildingId", msg: "楼栋不在所选门店" });
  if (!floorId) return;
  const floor = await read.tx
    .selectFrom("floor")
    .select("id")
    .where("id", "=", floorId)
    .where("buildingId", "=", buildingId)
    .executeTakeFirst();
  if (!floor) throw invalid({ field: "floorId", msg: "楼层不在所选楼栋" });
}

/** Assets that stand in an area, also those that once did. */
const holds = (read: Read, id: number) =>
  read.tx.selectFrom("roomAsset").select("id").where("publicAreaId", "=", id).limit(1).executeTakeFirst();

/** Whether somebody works for the enterprise of the store. */
async function actsFor(read: Read, { managerId, villageId }: AreaBody): Promise<boolean> {
  const row = await read.tx
    .selectFrom("operator as o")
    .innerJoin("village as v", "v.enterpriseId", "o.enterpriseId")
    .select("o.state")
    .where("o.id", "=", managerId!)
    .where("v.id", "=", villageId)
    .executeTakeFirst();
  return !!row && row.state !== "disabled";
}

/** Hangs the pictures on the area, in their order; the first is the cover. */
export async function setAreaPictures(
  act: Act,
  area: { id: number; villageId: number },
  fileIds: readonly number[],
): Promise<void> {
  await attachFiles(act, fileIds, {
    targetKind: "publicArea",
    targetId: area.id,
    villageId: area.villageId,
  });
  if (fileIds.length) {
    const other = await act.tx
      .selectFrom("storedFile")
      .select("id")
      .where("id", "=", anyOf(fileIds))
      .where("type", "not in", ["image/jpeg", "image/png"])
      .executeTakeFirst();
    if (other) throw invalid({ field: "pictures", msg: "请上传图片" });
  }
  await act.tx.deleteFrom("publicAreaPicture").where("publicAreaId", "=", area.id).execute();
  if (!fileIds.length) return;
  await act.tx
    .insertInto("publicAreaPicture")
    .values(fileIds.map((fileId, sort) => ({ publicAreaId: area.id, fileId, sort })))
    .execute();
}

type Target = { buildingId: number; floorId: number | null; building: string; floor: string; place: string };

/** The places of a copy from bottom to top, each in the village of the source. */
async function targetsOf(act: Act, area: Area, to: { floorIds: number[]; buildingIds: number[] }) {
  const { rows } = await sql<Target>`
    select t."buildingId", t."floorId", t.building, t.floor, t.place from (
      select b.id "buildingId", f.id "floorId", b.name building, f.name floor,
        concat_ws('·', b.name, u.name, f.name) place, b.sort, f.number
      from floor f join building b on b.id = f.building_id left join unit u on u.id = f.unit_id
      where f.id = ${anyOf(to.floorIds)} and b.village_id = ${area.villageId}
      union all
      select b.id, null, b.name, '', b.name, b.sort, null from building b
      where b.id = ${anyOf(to.buildingIds)} and b.village_id = ${area.villageId}) t
    order by t.sort, t."buildingId", t.number nulls first, t."floorId"`.execute(act.tx);
  const wanted = new Set(to.floorIds).size + new Set(to.buildingIds).size;
  if (rows.length < wanted) throw invalid({ field: "floorIds", msg: "只能复制到本门店的楼栋和楼层" });
  return rows;
}

/** Makes one area like another in each place. All or none. */
export async function copyTo(
  act: Act,
  area: Area,
  to: { pattern: string; floorIds: number[]; buildingIds: number[] },
): Promise<{ id: number; name: string }[]> {
  const targets = await targetsOf(act, area, to);
  const named = targets.map((at) => ({ ...at, name: namedBy(to.pattern, area.name, at) }));
  for (const { place, name } of named) {
    const wrong = areaName(name);
    if (wrong) throw invalid({ field: "pattern", msg: `${place}：${wrong}` });
  }
  const made: { id: number; name: string }[] = [];
  for (const { place, name, buildingId, floorId } of named) {
    const { villageId, kindDic, area: size, capacity, openHours, managerId, remark } = area;
    const row = await act.tx
      .insertInto("publicArea")
      .values({
        ...{ villageId, buildingId, floorId, name, kindDic, area: size, capacity, openHours, managerId },
        ...{ remark, createdBy: act.who.operatorId, updatedBy: act.who.operatorId },
      })
      .onConflict((oc) => oc.constraint("public_area_name").doNothing())
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!row) throw invalid({ field: "pattern", msg: `${place}：${TAKEN}“${name}”` });
    made.push(row);
  }
  await act.note(
    made.map(({ id, name }) => ({
      kind: "publicArea",
      recordId: id,
      number: name,
      villageId: area.villageId,
      action: "新增",
      summary: `由“${area.name}”复制`,
    })),
  );
  return made;
}
