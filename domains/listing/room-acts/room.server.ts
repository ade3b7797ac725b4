import { sql } from "kysely";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { apartmentSeen } from "../apartment/form.queries.ts";
import { checkHouseWords } from "../dictionary/words.queries.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { follow } from "../pricing/given.service.ts";
import { followProducts, leaveProducts } from "../room/product-price.service.ts";
import { allowLowest, roomSeen, usableProducts } from "../room/room.queries.ts";
import { changesOf } from "../../../platform/kernel/changes.ts";
import { unused } from "../room/hanging.queries.ts";
import { createRooms, setPictures } from "../room/room.service.ts";
import { rename } from "../room/rename.service.ts";
import { addRoom, deleteRoom, editRoom, room, roomFields } from "./room.contract.ts";
import { roomDetail, roomList } from "./list.queries.ts";
import { exportRooms } from "./list.contract.ts";
import { removeRooms } from "../block/use.service.ts";
import { isDivided, type RentMode, type RoomKind } from "../room/words.rules.ts";

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

const note = (
  act: Act,
  row: { id: number; fullName: string; villageId: number },
  action: string,
  more: { summary: string; before?: unknown; after?: unknown },
) =>
  act.note({
    kind: "room",
    recordId: row.id,
    number: row.fullName,
    villageId: row.villageId,
    action,
    ...more,
  });

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
    const { listPrice, lowestPrice, unit, apartmentId, parentRoomId, firstDay, ...fields } = body;
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
            priceMode: fields.productId ? fields.priceMode : "own",
            ...(firstDay && { firstDay }),
            ...(listPrice && { price: { listPrice, lowestPrice: lowestPrice ?? listPrice, unit } }),
          },
        ],
      },
    ]);
    await followProducts(act, ids!);
    const made = await roomSeen(act, ids![0]!);
    await note(act, made, "新增", { summary: "新增房间" });
    return { id: made.id };
  }),

  serve(editRoom, async (act, { params, body }) => {
    const before = await roomSeen(act, params.id);
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
    if (changes) await note(act, after, "修改", changes);
    return { id: params.id, examineNo };
  }),

  serve(deleteRoom, async (act, { params, query }) => {
    const row = await roomSeen(act, params.id);
    await unused(act, "room", [params.id], "该房间", "可改为停用或注销");
    const siblings = await act.tx
      .selectFrom("room")
      .select(["id", "parentRoomId"])
      .where("apartmentId", "=", row.apartmentId)
      .where("id", "<>", params.id)
      .execute();
    if (!siblings.length) throw new Refusal("inUse", "这是房源的最后一个房间，请删除房源");
    if (row.version !== query.version) throw stale();
    await removeRooms(act, [params.id]);
    if (row.parentRoomId && !siblings.some((s) => s.parentRoomId === row.parentRoomId))
      await act.tx.updateTable("room").set({ isLeaf: true }).where("id", "=", row.parentRoomId).execute();
    await note(act, row, "删除", { summary: "删除房间" });
    return null;
  }),
];
