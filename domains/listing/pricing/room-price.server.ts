import { sql } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { z } from "zod";
import { type Fen, halfUp, ratio, yuan } from "../../../platform/kernel/fen.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { leaveProducts } from "../room/product-price.service.ts";
import { allowLowest, roomSeen } from "../room/room.queries.ts";
import { follow, lookAt, pricingOf, proposeGiven, refusePending } from "./given.service.ts";
import type { Given, RoomGiven } from "../price-change/change.rules.ts";
import {
  followProduct,
  previewFollow,
  previewRoomPrice,
  roomPrices,
  roomPricing,
  setRoomPrice,
  type PriceOutlook,
} from "./room-price.contract.ts";
import { lockRooms, priceAt, setPrices } from "../room/room.service.ts";
import { PRICE_UNITS, wordOf } from "../room/words.rules.ts";

type Room = Awaited<ReturnType<typeof roomSeen>>;
type Body = z.output<typeof previewRoomPrice.body>;
type Priced = { listPrice: Fen; lowestPrice: Fen; unit: string };

/** The price that a form asks for, and the one that would hold on that day. */
async function wanted(read: Read, room: Room, body: Body) {
  if (body.effectiveDay < read.today) throw invalid({ field: "effectiveDay", msg: "生效日期不能早于今天" });
  if (room.retiredDay && room.retiredDay <= body.effectiveDay) throw new Refusal("notAllowed", "房间已注销");
  allowLowest(read, body);
  const before = (await priceAt(read, [room.id], body.effectiveDay)).get(room.id);
  const lowestPrice = body.lowestPrice ?? (before ? lowestBeside(before, body) : body.listPrice);
  const { listPrice, unit, effectiveDay } = body;
  const given: RoomGiven = { kind: "room", roomId: room.id, effectiveDay, listPrice, lowestPrice, unit };
  return { before, given };
}

/**
 * Who does not see the lowest price leaves it where it is, as long as it is not above the new list price. In another unit it is the
 * same share of the list price as before.
 */
function lowestBeside(before: Priced, { listPrice, unit }: Pick<Body, "listPrice" | "unit">): Fen {
  const lowest =
    before.unit === unit
      ? before.lowestPrice
      : Math.max(1, halfUp(ratio(BigInt(listPrice) * BigInt(before.lowestPrice), before.listPrice)));
  return Math.min(lowest, listPrice);
}

async function outlookOf(read: Read, given: Given): Promise<PriceOutlook> {
  const { lines, waits, unit } = await lookAt(read, given);
  const { oldList, newList, warnings } = lines[0]!;
  return {
    oldList,
    newList: newList ?? (given.kind === "room" ? given.listPrice : null),
    unit,
    warnings,
    waits,
  };
}

function mayFollow(read: Read, room: Room): void {
  if (room.retiredDay && room.retiredDay <= read.today) throw new Refusal("notAllowed", "房间已注销");
  if (!room.productId) throw new Refusal("notAllowed", "房间没有关联产品");
}

export default [
  serveRead(roomPrices, async (read, { params }) => {
    await roomSeen(read, params.id);
    const { rows } = await sql<z.input<typeof roomPrices.reply>[number]>`
      select p.effective_day "effectiveDay", p.list_price "listPrice", p.lowest_price "lowestPrice", p.unit, p.source,
        p.created_at "createdAt", coalesce(o.real_name, '系统') "createdName",
        p.effective_day = (select max(effective_day) from room_price where room_id = p.room_id
          and effective_day <= ${read.today}) is true current
      from room_price p left join operator o on o.id = p.created_by
      where p.room_id = ${params.id} order by p.effective_day desc`.execute(read.tx);
    if (read.who.permits.has("#601")) return rows;
    return rows.map(({ lowestPrice: _, ...row }) => row);
  }),

  serveRead(roomPricing, async (read, { params }) => {
    await roomSeen(read, params.id);
    return pricingOf(read, params.id);
  }),

  serveRead(previewRoomPrice, async (read, { params, body }) => {
    const room = await roomSeen(read, params.id);
    const { given } = await wanted(read, room, body);
    return outlookOf(read, given);
  }),

  serve(setRoomPrice, async (act, { params, body }) => {
    await roomSeen(act, params.id);
    await lockRooms(act, [params.id]);
    const room = await roomSeen(act, params.id);
    const { before, given } = await wanted(act, room, body);
    const { lowestPrice } = given;
    const waiting = await proposeGiven(act, given, body.reason);
    const answer = { effectiveDay: body.effectiveDay, listPrice: body.listPrice };
    if (waiting) return { ...answer, examineNo: waiting.examineNo };
    await refusePending(act, room.id, body.effectiveDay);
    // from here on the price is the room's own: what the product has in store for later days is not for it
    await leaveProducts(act, [room.id], body.effectiveDay);
    await setPrices(act, [
      {
        roomId: room.id,
        effectiveDay: body.effectiveDay,
        listPrice: body.listPrice,
        lowestPrice,
        unit: body.unit,
        source: "manual",
      },
    ]);
    await act.tx
      .updateTable("room")
      .set({ priceMode: "own", version: NEXT_VERSION, updatedAt: act.now.toISOString() })
      .where("id", "=", room.id)
      .execute();
    await changed(act, [{ roomId: room.id, villageId: room.villageId }]);
    const told = (fen: number | undefined, unit: string) =>
      fen === undefined ? "空" : `${yuan(fen)} ${wordOf(PRICE_UNITS, unit)}`;
    await act.note({
      kind: "room",
      recordId: room.id,
      number: room.fullName,
      villageId: room.villageId,
      action: "改价",
      summary: `改价，${body.effectiveDay} 起：${told(before?.listPrice, before?.unit ?? "")} → ${told(body.listPrice, body.unit)}`,
      before,
      after: { ...answer, lowestPrice, unit: body.unit },
    });
    return { ...answer, examineNo: null };
  }),

  serveRead(previewFollow, async (read, { params }) => {
    const room = await roomSeen(read, params.id);
    mayFollow(read, room);
    return outlookOf(read, { kind: "follow", roomId: room.id, effectiveDay: read.today });
  }),

  serve(followProduct, async (act, { params, body }) => {
    await roomSeen(act, params.id);
    await lockRooms(act, [params.id]);
    const room = await roomSeen(act, params.id);
    mayFollow(act, room);
    if (room.priceMode === "follow") throw new Refusal("notAllowed", "房间已跟随产品");
    return { examineNo: await follow(act, room, body.reason) };
  }),
];
