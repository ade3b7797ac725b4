import { allows } from "../../../platform/kernel/call.ts";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { Refusal, forbidden, invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Act, LogEntry } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { USED } from "../../system/dic/dic.rules.ts";
import { attachFile } from "../../system/file/file.service.ts";
import { hangPictures } from "../room/room.service.ts";
import {
  addAsset,
  copyAssets,
  deleteAsset,
  editAsset,
  exportAssets,
  moveAssets,
  roomAsset,
  turnAsset,
  addAssetDic,
  assetDicBody,
  deleteAssetDic,
  editAssetDic,
  exportAssetDic,
} from "./asset.contract.ts";
import { assetDetail, assetDic, assetDicFound, assetSeen, assets } from "./asset.queries.ts";
import { assetMoves } from "./asset.rules.ts";
import {
  assetNote,
  assetPlace,
  factsOf,
  insertAsset,
  placeNote,
  takingPlace,
  turn,
  copy,
  move,
} from "./asset.service.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

constraintSays("asset_dic_name", { field: "name", msg: "同名同规格的资产已存在" });

const note = (
  row: { id: number; name: string },
  action: string,
  summary: string,
  more: Partial<LogEntry> = {},
): LogEntry => ({ kind: "assetDic", recordId: row.id, number: row.name, action, summary, ...more });

/** The picture belongs to the word from now on: whoever may read the dictionary sees it. */
async function hangPicture(act: Act, id: number, fileId: number | null | undefined): Promise<void> {
  if (!fileId) return;
  await attachFile(act, fileId, { targetKind: "assetDic", targetId: id });
  const { type } = await theRow(act, "storedFile", ["type"], { id: fileId });
  if (!type.startsWith("image/")) throw invalid({ field: "pictureFileId", msg: "请上传图片" });
}

export default [
  exportList(exportAssets),

  serveList(assets),
  serveRead(roomAsset, (read, { params }) => assetDetail(read, params.id)),

  serve(addAsset, async (act, { body }) => ({
    id: await insertAsset(act, await takingPlace(act, body), body),
  })),

  serve(editAsset, async (act, { params, body: { version, ...given } }) => {
    const before = await assetSeen(act, params.id);
    const why = assetMoves.refusal("edit", { status: before.state });
    if (why) throw new Refusal("notAllowed", why);
    const facts = await factsOf(act, given, before);
    await hangPictures(act, before.villageId, facts.fileIds);
    const after = await revise(act, "roomAsset", { id: before.id, version }, { ...facts, ...stamp(act) });
    const { assetDicId: _, pictures: __, ...shape } = editAsset.body.shape;
    const changes = changesOf(shape, before, after);
    if (changes) await act.note(assetNote(after, "修改", changes.summary, changes));
    return { id: before.id };
  }),

  serve(deleteAsset, async (act, { params, query }) => {
    const asset = await assetSeen(act, params.id);
    const moved = await aRow(act, "roomAsset", ["id"], { movedFromId: asset.id });
    if (moved || asset.movedFromId) throw new Refusal("inUse", "该资产有转移记录，不能删除，可改为移除");
    const place = await assetPlace(act, asset);
    await removeAt(act, "roomAsset", { id: asset.id, version: query.version });
    await act.note([
      assetNote(asset, "删除", `删除资产 ${asset.name} ${asset.code}`),
      placeNote(place, "资产", `删除资产 ${asset.name} ${asset.code}`),
    ]);
    return null;
  }),

  serve(turnAsset, async (act, { params, body }) => {
    const asset = await assetSeen(act, params.id);
    await turn(act, asset, await assetPlace(act, asset), body);
    return { id: asset.id };
  }),

  serve(moveAssets, async (act, { body }) => ({ ids: await move(act, body) })),
  serve(copyAssets, async (act, { body }) => ({ made: await copy(act, body) })),
  exportList(exportAssetDic),

  serveList(assetDic),

  serve(addAssetDic, async (act, { body }) => {
    const row = await act.tx
      .insertInto("assetDic")
      .values({
        ...body,
        enterpriseId: act.who.enterpriseId,
        createdBy: act.who.operatorId,
        updatedBy: act.who.operatorId,
      })
      .returning(["id", "name"])
      .executeTakeFirstOrThrow();
    await hangPicture(act, row.id, body.pictureFileId);
    await act.note(note(row, "新增", `新增资产字典项“${row.name}”`));
    return { id: row.id };
  }),

  serve(editAssetDic, async (act, { params, body: { version, ...fields } }) => {
    const before = await assetDicFound(act, params.id);
    const { permits } = act.who;
    const switched = fields.enabled !== undefined && fields.enabled !== before.enabled;
    if (Object.keys(fields).some((key) => key !== "enabled") && !allows(permits, "117.edit"))
      throw forbidden();
    if (switched && !allows(permits, ["117.edit", fields.enabled ? "117.enable" : "117.disable"]))
      throw forbidden();
    const after = await revise(act, "assetDic", { id: before.id, version }, { ...fields, ...stamp(act) });
    await hangPicture(act, before.id, fields.pictureFileId);
    const changes = changesOf(assetDicBody.shape, before, after);
    if (switched || changes)
      await act.note(
        note(
          after,
          switched ? (after.enabled ? "启用" : "停用") : "修改",
          [switched && (after.enabled ? "启用" : "停用"), changes?.summary].filter(Boolean).join("；"),
          { before: changes?.before, after: changes?.after },
        ),
      );
    return null;
  }),

  serve(deleteAssetDic, async (act, { params }) => {
    const row = await assetDicFound(act, params.id);
    const used = await act.tx
      .selectFrom("roomAsset")
      .select("id")
      .where("assetDicId", "=", row.id)
      .limit(1)
      .executeTakeFirst();
    if (used) throw new Refusal("used", USED);
    await act.tx.deleteFrom("assetDic").where("id", "=", row.id).execute();
    await act.note(note(row, "删除", `删除资产字典项“${row.name}”`));
    return null;
  }),
];
