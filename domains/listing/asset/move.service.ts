import type { z } from "zod";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { copyAssets, moveAssets } from "./asset.contract.ts";
import {
  type AssetPlace,
  assetNote,
  assetPlace,
  mayMove,
  placeNote,
  standingAssets,
  takingPlace,
} from "./asset.service.ts";

type Asset = Awaited<ReturnType<typeof standingAssets>>[number];

/** What a piece takes with it into another place; its pictures hang on its store and stay there. */
const carriedBy = (asset: Asset, to: AssetPlace) => ({
  ...{ enterpriseId: to.enterpriseId, villageId: to.villageId },
  ...{ roomId: to.roomId, publicAreaId: to.publicAreaId, assetDicId: asset.assetDicId },
  ...{ name: asset.name, brand: asset.brand, model: asset.model, quantity: asset.quantity },
  ...{ purchasedOn: asset.purchasedOn, warrantyTo: asset.warrantyTo },
  ...{ price: asset.price, damagePrice: asset.damagePrice },
  fileIds: asset.villageId === to.villageId ? asset.fileIds : [],
});

/** Takes pieces away from where they stand and sets them up in another place of the same enterprise. */
export async function move(act: Act, body: z.output<typeof moveAssets.body>): Promise<number[]> {
  const to = await takingPlace(act, body);
  const ids = [...new Set(body.ids)];
  const assets = await standingAssets(act, ids);
  if (assets.length < ids.length) throw notFound();
  mayMove(assets);
  const made: number[] = [];
  for (const asset of assets) {
    if (asset.roomId === to.roomId && asset.publicAreaId === to.publicAreaId)
      throw invalid({ field: "roomId", msg: `${asset.name} 已在 ${to.name}` });
    if (asset.enterpriseId !== to.enterpriseId)
      throw invalid({ field: "roomId", msg: "资产只能转移到同一企业的房间或公共区域" });
    const from = await assetPlace(act, asset);
    // the number is free again as soon as the old row is removed
    await act.tx
      .updateTable("roomAsset")
      .set({ state: "removed", reason: body.reason, goneOn: act.today, version: NEXT_VERSION, ...stamp(act) })
      .where("id", "=", asset.id)
      .execute();
    const { id } = await act.tx
      .insertInto("roomAsset")
      .values({
        ...carriedBy(asset, to),
        code: asset.code,
        state: asset.state,
        movedFromId: asset.id,
        createdBy: act.who.operatorId,
        updatedBy: act.who.operatorId,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    made.push(id);
    const told = `${asset.name} ${asset.code}`;
    await act.note([
      assetNote(asset, "转移", `转移到 ${to.name}，${body.reason}`),
      assetNote({ id, code: asset.code, villageId: to.villageId }, "转移", `由 ${from.name} 转移而来`),
      placeNote(from, "资产", `${told} 转移到 ${to.name}`),
      placeNote(to, "资产", `${told} 由 ${from.name} 转移而来`),
    ]);
  }
  return made;
}

/** Sets up what stands in one place once more in others, all or nothing. */
export async function copy(act: Act, body: z.output<typeof copyAssets.body>): Promise<number> {
  const from = await assetPlace(act, body);
  const { rows } = await standingIn(act, from);
  if (!rows.length) throw invalid({ field: "roomId", msg: "该处还没有资产" });
  const places = [
    ...[...new Set(body.toRoomIds)].map((roomId) => ({ roomId })),
    ...[...new Set(body.toPublicAreaIds)].map((publicAreaId) => ({ publicAreaId })),
  ];
  if (places.length * rows.length > 5000)
    throw invalid({ field: "toRoomIds", msg: "一次最多复制出5000条资产" });
  const codes = await act.numbers("ZC", places.length * rows.length);
  for (const wanted of places) {
    const to = await takingPlace(act, wanted);
    if (to.roomId === from.roomId && to.publicAreaId === from.publicAreaId)
      throw invalid({ field: "toRoomIds", msg: "不能复制到自身" });
    if (to.enterpriseId !== from.enterpriseId)
      throw invalid({ field: "toRoomIds", msg: "只能复制到同一企业的房间或公共区域" });
    await act.tx
      .insertInto("roomAsset")
      .values(
        rows.map((asset) => ({
          ...carriedBy(asset, to),
          fileIds: [],
          code: codes.pop()!,
          createdBy: act.who.operatorId,
          updatedBy: act.who.operatorId,
        })),
      )
      .execute();
    await act.note(placeNote(to, "资产", `由 ${from.name} 复制 ${rows.length} 项资产`));
  }
  return places.length * rows.length;
}

async function standingIn(act: Act, place: AssetPlace): Promise<{ rows: Asset[] }> {
  const found = await act.tx
    .selectFrom("roomAsset")
    .select("id")
    .where("state", "in", ["inUse", "damaged"])
    .where(place.roomId ? "roomId" : "publicAreaId", "=", (place.roomId ?? place.publicAreaId)!)
    .execute();
  const ids = found.map((row) => row.id);
  return { rows: await standingAssets(act, ids) };
}
