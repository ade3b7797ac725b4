import type { z } from "zod";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { revise, stamp, NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act, LogEntry, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { areaSeen } from "../public-area/area.queries.ts";
import { roomSeen } from "../room/room.queries.ts";
import { hangPictures } from "../room/room.service.ts";
import type { addAsset, editAsset, copyAssets, moveAssets } from "./asset.contract.ts";
import { assetDicFound, type assetSeen } from "./asset.queries.ts";
import { ASSET_ACTS, type AssetState, assetMoves, warrantyEnd } from "./asset.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";

export type AssetPlace = {
  roomId: number | null;
  publicAreaId: number | null;
  villageId: number;
  enterpriseId: number;
  name: string;
  retired: boolean;
};

/** Where assets stand: a room or a public area in scope. */
export async function assetPlace(
  read: Read,
  { roomId, publicAreaId }: { roomId?: number | null | undefined; publicAreaId?: number | null | undefined },
): Promise<AssetPlace> {
  const place = roomId ? await roomSeen(read, roomId) : await areaSeen(read, publicAreaId!);
  const { enterpriseId } = await theRow(read, "village", ["enterpriseId"], { id: place.villageId });
  return {
    roomId: roomId ?? null,
    publicAreaId: publicAreaId ?? null,
    villageId: place.villageId,
    enterpriseId,
    name: "fullName" in place ? place.fullName : place.name,
    retired: "retiredDay" in place && !!place.retiredDay && place.retiredDay <= read.today,
  };
}

/** The same for what comes in: a room that has left the stock takes nothing any more. */
export async function takingPlace(...asked: Parameters<typeof assetPlace>): Promise<AssetPlace> {
  const place = await assetPlace(...asked);
  if (place.retired) throw new Refusal("notAllowed", `${place.name} 已注销`);
  return place;
}

constraintSays("room_asset_code", { field: "code", msg: "编号已存在" });

type Asset = Awaited<ReturnType<typeof assetSeen>>;
type Facts = Omit<z.output<typeof editAsset.body>, "version">;

export const assetNote = (
  asset: { id: number; code: string; villageId: number },
  action: string,
  summary: string,
  more: Partial<LogEntry> = {},
): LogEntry => ({
  kind: "roomAsset",
  recordId: asset.id,
  number: asset.code,
  villageId: asset.villageId,
  action,
  summary,
  ...more,
});

/** The place's own timeline tells of it too. */
export const placeNote = (place: AssetPlace, action: string, summary: string): LogEntry => ({
  kind: place.roomId ? "room" : "publicArea",
  recordId: (place.roomId ?? place.publicAreaId)!,
  number: place.name,
  villageId: place.villageId,
  action,
  summary,
});

/** What somebody typed, with what the dictionary adds to it. A kind that was switched off takes no new pieces. */
export async function factsOf(act: Act, { pictures, ...given }: Facts, before?: Asset) {
  const dic = await assetDicFound(act, given.assetDicId);
  if (!dic.enabled && before?.assetDicId !== dic.id)
    throw invalid({ field: "assetDicId", msg: "该资产类别已停用" });
  if (dic.needsSerial && !given.code) throw invalid({ field: "code", msg: "该类资产须登记编号" });
  if (dic.needsSerial && given.quantity > 1)
    throw invalid({ field: "quantity", msg: "须登记编号的资产，每条数量为1" });
  const { purchasedOn = null, warrantyTo } = given;
  if (purchasedOn && warrantyTo && warrantyTo < purchasedOn)
    throw invalid({ field: "warrantyTo", msg: "质保到期不能早于购入日" });
  return {
    ...given,
    name: given.name || dic.name,
    price: given.price ?? dic.price,
    code: given.code || before?.code || (await act.numbers("ZC"))[0]!,
    purchasedOn,
    warrantyTo: warrantyTo ?? (purchasedOn ? warrantyEnd(purchasedOn, dic.warrantyMonths) : null),
    damagePrice: given.damagePrice ?? null,
    fileIds: pictures,
  };
}

export async function insertAsset(act: Act, place: AssetPlace, body: z.output<typeof addAsset.body>) {
  const { roomId: _, publicAreaId: __, ...given } = body;
  const facts = await factsOf(act, given);
  await hangPictures(act, place.villageId, facts.fileIds);
  const { name: placeName, retired: _retired, ...where } = place;
  const row = await act.tx
    .insertInto("roomAsset")
    .values({ ...facts, ...where, createdBy: act.who.operatorId, updatedBy: act.who.operatorId })
    .returning(["id", "code", "name", "quantity", "villageId"])
    .executeTakeFirstOrThrow();
  const told = `${row.name} ${row.code}，${row.quantity} 件`;
  await act.note([
    assetNote(row, "新增", `新增资产 ${told}，位于 ${placeName}`),
    placeNote(place, "资产", `新增资产 ${told}`),
  ]);
  return row.id;
}

/** Damages, repairs, loses or takes away one asset. Whatever leaves says why. */
export async function turn(
  act: Act,
  asset: Asset,
  place: AssetPlace,
  given: { act: keyof typeof ASSET_ACTS; reason?: string | undefined; version: number },
) {
  const to = assetMoves.next(given.act, { status: asset.state });
  const gone = to === "lost" || to === "removed";
  if (gone && !given.reason) throw invalid({ field: "reason", msg: "请填写原因（2-200字）" });
  await revise(
    act,
    "roomAsset",
    { id: asset.id, version: given.version },
    { state: to, reason: given.reason ?? "", goneOn: gone ? act.today : null, ...stamp(act) },
  );
  const label = ASSET_ACTS[given.act][0];
  const summary = `${label}：${asset.name} ${asset.code}${given.reason ? `，${given.reason}` : ""}`;
  await act.note([
    assetNote(asset, label, summary, { before: { state: asset.state }, after: { state: to } }),
    placeNote(place, "资产", summary),
  ]);
}

/** Locks assets of one's villages that still stand somewhere. */
export async function standingAssets(act: Act, ids: readonly number[]): Promise<Asset[]> {
  const rows = await act.tx
    .selectFrom("roomAsset")
    .selectAll()
    .where("id", "=", anyOf(ids))
    .where("villageId", "=", anyOf(act.who.villages))
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map((row) => ({ ...row, state: row.state as AssetState }));
}

/** Refuses what is gone, by name. */
export const mayMove = (assets: readonly Asset[]): void => {
  for (const asset of assets) {
    const why = assetMoves.refusal("move", { status: asset.state });
    if (why) throw new Refusal("notAllowed", `${asset.name} ${asset.code}：${why}`);
  }
};

type StandingAsset = Awaited<ReturnType<typeof standingAssets>>[number];

/** What a piece takes with it into another place; its pictures hang on its store and stay there. */
const carriedBy = (asset: StandingAsset, to: AssetPlace) => ({
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

async function standingIn(act: Act, place: AssetPlace): Promise<{ rows: StandingAsset[] }> {
  const found = await act.tx
    .selectFrom("roomAsset")
    .select("id")
    .where("state", "in", ["inUse", "damaged"])
    .where(place.roomId ? "roomId" : "publicAreaId", "=", (place.roomId ?? place.publicAreaId)!)
    .execute();
  const ids = found.map((row) => row.id);
  return { rows: await standingAssets(act, ids) };
}
