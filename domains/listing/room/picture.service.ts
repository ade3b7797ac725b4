import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { attachFiles } from "../../system/file/file.service.ts";

/**
 * Hangs uploaded pictures on a village: whoever sees the village sees them, also where one picture shows many of its
 * rooms.
 */
export async function hangPictures(act: Act, villageId: number, fileIds: readonly number[]): Promise<void> {
  if (!fileIds.length) return;
  await attachFiles(act, fileIds, { targetKind: "village", targetId: villageId, villageId });
  const other = await act.tx
    .selectFrom("storedFile")
    .select("id")
    .where("id", "=", anyOf(fileIds))
    .where("type", "not in", ["image/jpeg", "image/png"])
    .executeTakeFirst();
  if (other) throw invalid({ field: "pictures", msg: "请上传图片" });
}

/** Sets the pictures of rooms of one village; the first is the cover. */
export async function setPictures(
  act: Act,
  rooms: readonly { id: number; villageId: number }[],
  fileIds: readonly number[],
): Promise<void> {
  const [villageId, ...others] = new Set(rooms.map((room) => room.villageId));
  if (others.length) throw invalid({ field: "pictures", msg: "图片只能设置给同一门店的房间" });
  await hangPictures(act, villageId!, fileIds);
  const ids = rooms.map((room) => room.id);
  await act.tx.deleteFrom("roomPicture").where("roomId", "=", anyOf(ids)).execute();
  if (!fileIds.length) return;
  await act.tx
    .insertInto("roomPicture")
    .values(ids.flatMap((roomId) => fileIds.map((fileId, sort) => ({ roomId, fileId, sort }))))
    .execute();
}
