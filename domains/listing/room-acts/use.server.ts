import { sql } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { blockRooms } from "../block/block.service.ts";
import { checkHouseWords } from "../dictionary/words.queries.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { mayMove } from "../price-change/approval.service.ts";
import { followProducts, leaveProducts } from "../room/product-price.service.ts";
import { roomSeen, usableProducts } from "../room/room.queries.ts";
import { setPictures } from "../room/room.service.ts";
import { disableRoom, editRooms, enableRoom, retireRoom } from "./room.contract.ts";
import { bringBack, retireRooms, withBelow } from "../block/use.service.ts";

const note = (
  act: Act,
  row: { id: number; fullName: string; villageId: number },
  action: string,
  summary: string,
) => ({
  kind: "room",
  recordId: row.id,
  number: row.fullName,
  villageId: row.villageId,
  action,
  summary,
});

const combined = (
  now: readonly string[],
  change: { mode: "add" | "remove" | "replace"; values: readonly string[] },
) =>
  change.mode === "replace"
    ? [...new Set(change.values)]
    : change.mode === "remove"
      ? now.filter((v) => !change.values.includes(v))
      : [...new Set([...now, ...change.values])];

export default [
  serve(disableRoom, async (act, { params, body }) => {
    const room = await roomSeen(act, params.id);
    const from = body.from ?? act.today;
    if (from < act.today) throw invalid({ field: "from", msg: "停用日不能早于今天" });
    if (body.to && body.to < from) throw invalid({ field: "to", msg: "截止日不能早于开始日" });
    const { number } = await blockRooms(act, {
      roomIds: [room.id],
      reason: "offline",
      fromDay: from,
      toDay: body.to ?? null,
      note: body.reason,
      fileIds: [],
    });
    return { number };
  }),

  serve(enableRoom, async (act, { params }) => {
    const room = await roomSeen(act, params.id);
    await bringBack(act, room);
    return { id: params.id };
  }),

  serve(retireRoom, async (act, { params, body }) => {
    const room = await roomSeen(act, params.id);
    if (body.day < act.today) throw invalid({ field: "day", msg: "注销日不能早于今天" });
    if (room.version !== body.version) throw stale();
    await retireRooms(act, await withBelow(act, room.id), body.day);
    const left = await act.tx
      .selectFrom("room")
      .select("id")
      .where("apartmentId", "=", room.apartmentId)
      .where("retiredDay", "is", null)
      .executeTakeFirst();
    // a flat without rooms is no longer in stock either
    if (!left)
      await act.tx
        .updateTable("apartment")
        .set({ retiredDay: body.day, version: NEXT_VERSION })
        .where("id", "=", room.apartmentId)
        .execute();
    await act.note(note(act, room, "注销", `自 ${body.day} 起注销：${body.reason}`));
    return { id: params.id };
  }),

  serve(editRooms, async (act, { body }) => {
    const ids = [...new Set(body.ids)];
    const rows = await act.tx
      .selectFrom("room")
      .selectAll()
      .where("id", "=", anyOf(ids))
      .where("villageId", "=", anyOf(act.who.villages))
      .orderBy("id")
      .forUpdate()
      .execute();
    if (rows.length < ids.length) throw notFound();
    const retired = rows.find((row) => row.retiredDay && row.retiredDay <= act.today);
    if (retired) throw new Refusal("notAllowed", `${retired.fullName} 已注销`);
    if (body.productId) {
      await usableProducts(
        act,
        rows.map((row) => ({ ...row, productId: body.productId })),
      );
      await mayMove(
        act,
        rows.filter((row) => row.priceMode === "follow" && row.productId !== body.productId),
        body.productId,
      );
    }
    if (body.facilities && body.facilities.mode !== "remove")
      for (const villageId of new Set(rows.map((row) => row.villageId)))
        await checkHouseWords(act, { facilities: body.facilities.values }, { villageId });
    const after = rows.map((row) => ({
      id: row.id,
      productId: body.productId === undefined ? row.productId : body.productId,
      tags: body.tags ? combined(row.tags, body.tags) : row.tags,
      facilities: body.facilities ? combined(row.facilities, body.facilities) : row.facilities,
    }));
    const many = after.find((row) => row.tags.length > 10);
    if (many)
      throw invalid({
        field: "tags",
        msg: `${rows.find((r) => r.id === many.id)!.fullName} 的标签将超过10个`,
      });
    await sql`
      update room r set product_id = n."productId",
        price_mode = case when n."productId" is null then 'own' else r.price_mode end, tags = n.tags, facilities = n.facilities, version = r.version + 1,
        updated_at = now(), updated_by = ${act.who.operatorId}
      from json_to_recordset(${JSON.stringify(after)}::json) as n(id bigint, "productId" bigint, tags text[], facilities text[])
      where r.id = n.id`.execute(act.tx);
    if (body.productId === null) await leaveProducts(act, ids);
    else if (body.productId) await followProducts(act, ids);
    if (body.pictures) await changePictures(act, rows, body.pictures);
    const said = [
      body.productId !== undefined && "产品",
      body.tags && `标签 ${body.tags.values.join("、")}`,
      body.facilities && `设施 ${body.facilities.values.join("、")}`,
      body.pictures && `图片 ${body.pictures.values.length} 张`,
    ].filter(Boolean);
    await act.note(rows.map((row) => note(act, row, "修改", `批量修改：${said.join("；")}`)));
    await changed(
      act,
      rows.map((row) => ({ roomId: row.id, villageId: row.villageId })),
    );
    return ids.map((id) => ({ id, ok: true, msg: "" }));
  }),
];

async function changePictures(
  act: Act,
  rows: readonly { id: number; villageId: number }[],
  change: { mode: "add" | "remove" | "replace"; values: readonly number[] },
): Promise<void> {
  if (change.mode === "replace") return setPictures(act, rows, change.values);
  const now = await act.tx
    .selectFrom("roomPicture")
    .select(["roomId", "fileId"])
    .where("roomId", "=", anyOf(rows.map((row) => row.id)))
    .orderBy("sort")
    .execute();
  const byRoom = Map.groupBy(now, (picture) => picture.roomId);
  for (const row of rows) {
    const mine = (byRoom.get(row.id) ?? []).map((picture) => picture.fileId);
    const next =
      change.mode === "add"
        ? [...new Set([...mine, ...change.values])]
        : mine.filter((id) => !change.values.includes(id));
    if (next.length > 20) throw invalid({ field: "pictures", msg: "图片最多20张" });
    await setPictures(act, [row], next);
  }
}
