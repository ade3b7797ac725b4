import { Refusal } from "../../../platform/kernel/refusal.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { changesOf } from "../../../platform/kernel/changes.ts";
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
} from "./asset.contract.ts";
import { assetDetail, assets, assetSeen } from "./asset.queries.ts";
import { assetMoves } from "./asset.rules.ts";
import {
  assetNote,
  assetPlace,
  factsOf,
  insertAsset,
  placeNote,
  takingPlace,
  turn,
} from "./asset.service.ts";
import { copy, move } from "./move.service.ts";

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
    const moved = await act.tx
      .selectFrom("roomAsset")
      .select("id")
      .where("movedFromId", "=", asset.id)
      .executeTakeFirst();
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
];
