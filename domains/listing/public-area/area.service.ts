import { sql } from "kysely";
import type { z } from "zod";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { PlainRecord } from "../../../platform/server/records/plain-record.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { attachPictures, letGo } from "../../system/file/file.service.ts";
import { unused } from "../room/room.queries.ts";
import { checkPlace, copyToPlaces, type CopyTo } from "../building/copy.service.ts";
import { type areaBody, areaName } from "./area.contract.ts";
import { areaDetail, areaSeen } from "./area.queries.ts";

export const TAKEN = "同一位置已存在同名公共区域";
constraintSays("public_area_name", { field: "name", msg: TAKEN });

export type AreaBody = z.output<typeof areaBody>;
type Detail = Awaited<ReturnType<typeof areaDetail>>;

/** What a form says fits together: the place, the kind, whoever looks after it; what stands in an area keeps its store. */
export async function checkArea(act: Act, body: AreaBody, before?: Detail): Promise<void> {
  const { rows } = await sql<{ holds: boolean; acts: boolean }>`
    select exists (select from room_asset where public_area_id = ${before?.id ?? 0}) holds,
      exists (select from operator o join village v on v.enterprise_id = o.enterprise_id
        where o.id = ${body.managerId ?? 0} and v.id = ${body.villageId} and o.state <> 'disabled') acts`.execute(
    act.tx,
  );
  const { holds, acts } = rows[0]!;
  // also what once stood there
  if (before && body.villageId !== before.villageId && holds)
    throw invalid({ field: "villageId", msg: "区域内有资产记录，不能更换门店" });
  await checkPlace(act, body);
  const kept = before ? [before.kindDic] : [];
  await checkWords(act, "house", "areaKind", [body.kindDic], { field: "kindDic", kept });
  if (body.managerId && body.managerId !== before?.managerId && !acts)
    throw invalid({ field: "managerId", msg: "负责人账号不可用" });
}

/** A public area as plain records are. */
export const AREA: PlainRecord<Detail, AreaBody> = {
  table: "publicArea",
  title: "公共区域",
  shown: areaDetail,
  apart: ["pictures"],
  check: checkArea,
  lay: (act, row, { pictures }) => setAreaPictures(act, row, pictures),
  hanging: (act, id) => unused(act, "public_area", [id], "该公共区域", "可改为停用"),
};

/** Hangs the pictures on the area, in their order; the first is the cover. */
export async function setAreaPictures(
  act: Act,
  { id, villageId }: { id: number; villageId: number },
  fileIds: readonly number[],
): Promise<void> {
  await attachPictures(act, fileIds, { targetKind: "publicArea", targetId: id, villageId });
  const before = await act.tx
    .deleteFrom("publicAreaPicture")
    .where("publicAreaId", "=", id)
    .returning("fileId")
    .execute();
  await letGo(
    act,
    before.map((row) => row.fileId).filter((fileId) => !fileIds.includes(fileId)),
  );
  if (!fileIds.length) return;
  const rows = fileIds.map((fileId, sort) => ({ publicAreaId: id, fileId, sort }));
  await act.tx.insertInto("publicAreaPicture").values(rows).execute();
}

/** Makes one area like another in each place, without its pictures and what stands in it. */
export async function copyTo(act: Act, id: number, to: CopyTo) {
  const source = await areaSeen(act, id);
  const { villageId, kindDic, area, capacity, openHours, managerId, remark } = source;
  const by = { createdBy: act.who.operatorId, updatedBy: act.who.operatorId };
  return copyToPlaces(act, source, to, {
    kind: "publicArea",
    wrong: areaName,
    taken: TAKEN,
    make: (at) =>
      act.tx
        .insertInto("publicArea")
        .values({ villageId, kindDic, area, capacity, openHours, managerId, remark, ...at, ...by })
        .onConflict((oc) => oc.constraint("public_area_name").doNothing())
        .returning("id")
        .executeTakeFirst(),
  });
}
