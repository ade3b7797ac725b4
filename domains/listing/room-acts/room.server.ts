import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { type Act, type Read, entryOn } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { apartmentSeen } from "../apartment/apartment.queries.ts";
import { checkHouseWords } from "../dictionary/house.queries.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { follow } from "../pricing/given.service.ts";
import { followProducts, leaveProducts } from "../room/product-price.service.ts";
import { allowLowest, roomSeen, usableProducts, unused } from "../room/room.queries.ts";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { createRooms, setPictures } from "../room/room.service.ts";
import { rename } from "../room/rename.service.ts";
import {
  addRoom,
  deleteRoom,
  editRoom,
  room,
  roomFields,
  disableRoom,
  editRooms,
  enableRoom,
  retireRoom,
  exportRooms,
} from "./room.contract.ts";
import { roomDetail, roomList } from "./list.queries.ts";
import { removeRooms, bringBack, retireRooms, withBelow } from "../block/use.service.ts";
import { isDivided, type RentMode, type RoomKind } from "../room/words.rules.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { blockRooms } from "../block/block.service.ts";
import { mayMove } from "../price-change/approval.service.ts";

/** Where a further room of a flat hangs: below the whole flat, or a bed in a room that nobody has had yet. */
async function parentOf(read: Read, apartmentId: number, parentRoomId: number | null) {
  const { rows } = await sql<{ id: number; kind: string; name: string; had: boolean; let: boolean }>`
    select r.id, r.kind, r.name,
      r.is_leaf and (exists (select 1 from occupancy_row o where o.room_id = r.id)
        or exists (select 1 from occupancy_ended e where e.room_id = r.id)) had,
      exists (select 1 from occupancy_row o where o.let_room_id = r.id and not r.is_leaf
        and (upper(o.period) is null or upper(o.period) > ${read.today})) let
    from room r
    where r.apartment_id = ${apartmentId} and r.retired_day is null
      and ${parentRoomId ? sql`r.id = ${parentRoomId}` : sql`r.kind = 'whole'`}
    for update`.execute(read.tx);
  const [parent] = rows;
  if (parentRoomId && !parent) throw notFound();
  if (parentRoomId && parent!.kind !== "room")
    throw invalid({ field: "parentRoomId", msg: "只能在合租房间下添加床位" });
  if (parent?.let) throw new Refusal("roomTaken", "整套已出租，不能增加房间");
  if (parent?.had) throw new Refusal("roomTaken", "该房间已有占用记录，不能再分床位，请变更出租方式");
  return parent;
}

const entry = (
  row: { id: number; fullName: string; villageId: number },
  action: string,
  more: Parameters<typeof entryOn>[4],
) => entryOn("room", row, row.fullName, action, more);

const combined = (
  now: readonly string[],
  change: { mode: "add" | "remove" | "replace"; values: readonly string[] },
) =>
  change.mode === "replace"
    ? [...new Set(change.values)]
    : change.mode === "remove"
      ? now.filter((v) => !change.values.includes(v))
      : [...new Set([...now, ...change.values])];

async function changePictures(
  act: Act,
  rows: readonly { id: number; villageId: number; fullName: string }[],
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
    if (next.length > 20) throw invalid({ field: "pictures", msg: `${row.fullName} 的图片将超过20张` });
    await setPictures(act, [row], next);
  }
}

/** What is let as all of its parts together goes with the last of them. */
async function retireEmptied(act: Act, apartmentId: number): Promise<void> {
  const { rows } = await sql<{ id: number; villageId: number; fullName: string; day: Day }>`
    select p.id, p.village_id "villageId", p.full_name "fullName", max(c.retired_day) "day"
    from room p join room c on c.parent_room_id = p.id where p.apartment_id = ${apartmentId} group by p.id
    having bool_and(c.retired_day is not null) and coalesce(p.retired_day > max(c.retired_day), true)`.execute(
    act.tx,
  );
  for (const { day, ...room } of rows) await retireRooms(act, [room], day);
  // a room of beds may be the last of a flat
  if (rows.length) await retireEmptied(act, apartmentId);
}

/** Of the last two rooms of a flat that go at once, one sees the other gone. */
const lockFlat = (act: Act, id: number) =>
  act.tx.selectFrom("apartment").select("id").where("id", "=", id).forNoKeyUpdate().execute();

export default [
  exportList(exportRooms),

  serveList(roomList),
  serveRead(room, (read, { params }) => roomDetail(read, params.id)),

  serve(addRoom, async (act, { body }) => {
    const flat = await apartmentSeen(act, body.apartmentId);
    if (flat.retiredDay) throw new Refusal("notAllowed", "房源已注销");
    if (!isDivided(flat.rentMode as RentMode))
      throw invalid({ field: "apartmentId", msg: "整套出租的房源不能增加房间，请变更出租方式" });
    allowLowest(act, body);
    await checkHouseWords(act, body, flat);
    const parent = await parentOf(act, flat.id, body.parentRoomId ?? null);
    const kind: RoomKind = body.parentRoomId || flat.rentMode === "bed" ? "bed" : "room";
    await usableProducts(act, [{ productId: body.productId, kind, villageId: flat.villageId }]);
    const { listPrice, lowestPrice, unit, apartmentId, parentRoomId, firstDay, priceMode, ...fields } = body;
    if (parent) await act.tx.updateTable("room").set({ isLeaf: false }).where("id", "=", parent.id).execute();
    const [ids] = await createRooms(act, [
      {
        apartmentId,
        parent: parent && { id: parent.id, names: parent.kind === "room" ? [parent.name] : [] },
        rooms: [
          {
            ...fields,
            kind,
            productId: fields.productId ?? null,
            ...(fields.productId && priceMode === "follow" && { priceMode }),
            ...(firstDay && { firstDay }),
            ...(listPrice && { price: { listPrice, lowestPrice: lowestPrice ?? listPrice, unit } }),
          },
        ],
      },
    ]);
    const made = await roomSeen(act, ids![0]!);
    await act.note(entry(made, "新增", { summary: "新增房间" }));
    return { id: made.id };
  }),

  serve(editRoom, async (act, { params, body }) => {
    const before = await roomSeen(act, params.id);
    if (before.retiredDay && before.retiredDay <= act.today)
      throw new Refusal("notAllowed", `${before.fullName} 已注销`);
    const { version, pictures, reason, ...fields } = body;
    const isTop = before.parentRoomId === null && !["room", "bed"].includes(before.kind);
    if (isTop && fields.name !== before.name)
      throw invalid({ field: "name", msg: "整套的名称就是门牌，请在房源中修改" });
    await checkHouseWords(act, fields, { villageId: before.villageId, kept: before });
    if (fields.productId && fields.productId !== before.productId)
      await usableProducts(act, [{ ...before, productId: fields.productId }]);
    const wanted = fields.productId ? fields.priceMode : "own";
    const moved = (fields.productId ?? null) !== before.productId || wanted !== before.priceMode;
    // its price stays its own until it may follow: that can need approval
    const priceMode = moved ? "own" : wanted;
    const after = await revise(
      act,
      "room",
      { id: params.id, version },
      {
        ...fields,
        productId: fields.productId ?? null,
        priceMode,
        minTermMonths: fields.minTermMonths ?? null,
        ...stamp(act),
      },
    );
    if (pictures) await setPictures(act, [before], pictures);
    if (moved) await leaveProducts(act, [after.id]);
    const examineNo = moved && wanted === "follow" ? await follow(act, after, reason) : null;
    if (after.name !== before.name) await rename(act, { apartmentIds: [before.apartmentId] });
    else await changed(act, [{ roomId: after.id, villageId: after.villageId }]);
    const changes = changesOf(roomFields.shape, before, after);
    if (changes) await act.note(entry(after, "修改", changes));
    return { id: params.id, examineNo };
  }),

  serve(deleteRoom, async (act, { params, query }) => {
    const row = await roomSeen(act, params.id);
    await unused(act, "room", [params.id], "该房间", "可改为停用或注销");
    asSeen(row, query.version);
    await lockFlat(act, row.apartmentId);
    const siblings = await act.tx
      .selectFrom("room")
      .select(["id", "parentRoomId", "retiredDay", "isLeaf"])
      .where("apartmentId", "=", row.apartmentId)
      .where("id", "<>", params.id)
      .execute();
    if (!siblings.length) throw new Refusal("inUse", "这是房源的最后一个房间，请删除房源");
    const parted = siblings.some((s) => s.parentRoomId !== null && s.parentRoomId === row.parentRoomId);
    const stays = siblings.some((s) => !s.retiredDay && (s.isLeaf || (!parted && s.id === row.parentRoomId)));
    if (!row.retiredDay && !stays) throw new Refusal("inUse", "房源的其他房间都已注销，请注销该房间或房源");
    await removeRooms(act, [params.id]);
    if (row.parentRoomId && !parted)
      await act.tx.updateTable("room").set({ isLeaf: true }).where("id", "=", row.parentRoomId).execute();
    await act.note(entry(row, "删除", { summary: "删除房间" }));
    return null;
  }),

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
    asSeen(room, body.version);
    await lockFlat(act, room.apartmentId);
    await retireRooms(act, await withBelow(act, room.id), body.day);
    await retireEmptied(act, room.apartmentId);
    // a flat without rooms is no longer in stock either, from the day on which the last of them goes
    await sql`
      update apartment a set retired_day = r.day, version = a.version + 1
      from (select max(retired_day) as day, bool_and(retired_day is not null) gone from room
        where apartment_id = ${room.apartmentId}) r
      where a.id = ${room.apartmentId} and r.gone`.execute(act.tx);
    await act.note(entry(room, "注销", `自 ${body.day} 起注销：${body.reason}`));
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
    await act.note(rows.map((row) => entry(row, "修改", `批量修改：${said.join("；")}`)));
    await changed(
      act,
      rows.map((row) => ({ roomId: row.id, villageId: row.villageId })),
    );
    return ids.map((id) => ({ id, ok: true, msg: "" }));
  }),
];
