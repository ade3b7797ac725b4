import { sql } from "kysely";
import { NEXT_VERSION, revise } from "../../../platform/server/database/versioned.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { payPlanText } from "../product/product.rules.ts";
import { hangPictures } from "../room/room.service.ts";
import { roomSeen } from "../room/room.queries.ts";
import { PRICE_UNITS } from "../room/words.rules.ts";
import { channelById } from "../channel/channel.queries.ts";
import { lookAt, factsOf } from "./evaluate.service.ts";
import * as calls from "./listing.contract.ts";
import { countsOf, listingList, listingSeen, listingsOfRoom } from "./listing.queries.ts";
import { documentOf, judge, type ListingDocument } from "../channel/listing.rules.ts";

const priceText = ({ price }: ListingDocument) =>
  price ? `${yuan(price.amount)} ${PRICE_UNITS[price.unit][0]}${price.from ? " 起" : ""}` : "不显示价格";

/** As a person outside would see it. */
const shownOf = (d: ListingDocument) => ({
  ...d,
  price: priceText(d),
  availableDay: d.availableDay ?? "随时",
  payPlans: d.payPlans.map(payPlanText),
  contact: `${d.contact.name} ${d.contact.phone}`,
});

type Room = { id: number; villageId: number; apartmentId: number; fullName: string };

/** The rooms of listings and rooms that were named, all in scope. */
async function roomsOf(act: Act, ids: readonly number[], roomIds: readonly number[]): Promise<Room[]> {
  const listed = await act.tx
    .selectFrom("listing")
    .select("roomId")
    .where("id", "=", anyOf(ids))
    .where("villageId", "=", anyOf(act.who.villages))
    .execute();
  if (listed.length < new Set(ids).size) throw notFound();
  const wanted = [...new Set([...roomIds, ...listed.map((l) => l.roomId)])];
  const rows = await act.tx
    .selectFrom("room")
    .select(["id", "villageId", "apartmentId", "fullName"])
    .where("id", "=", anyOf(wanted))
    .where("villageId", "=", anyOf(act.who.villages))
    .orderBy("id")
    .execute();
  if (rows.length < wanted.length) throw notFound();
  return rows;
}

/** Looks at rooms on every channel that knows them, at once. */
async function lookAgain(act: Act, rooms: readonly Room[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from channel
    where enabled and village_ids && ${[...new Set(rooms.map((r) => r.villageId))]}::bigint[] order by id`.execute(
    act.tx,
  );
  for (const { id } of rows) {
    const channel = (await channelById(act, id))!;
    const itsOwn = rooms.filter((r) => channel.villageIds.includes(r.villageId));
    await lookAt(act, channel, { apartmentIds: [...new Set(itsOwn.map((r) => r.apartmentId))] });
  }
  // and whoever sends is told that there is something to send
  await changed(
    act,
    rooms.map((r) => ({ roomId: r.id, villageId: r.villageId })),
  );
}

async function hold(act: Act, body: { ids: number[]; roomIds: number[]; hold: boolean; reason: string }) {
  const rooms = await roomsOf(act, body.ids, body.roomIds);
  const reason = body.hold ? body.reason : "";
  const set = { holdReason: reason, version: NEXT_VERSION, updatedAt: act.now.toISOString() };
  if (body.ids.length)
    await act.tx
      .updateTable("listing")
      .set({ ...set, hold: body.hold })
      .where("id", "=", anyOf(body.ids))
      .execute();
  // letting go of a listing lets go of its room as well: it would not appear otherwise
  const whole = body.hold ? body.roomIds : rooms.map((r) => r.id);
  if (whole.length)
    await act.tx
      .updateTable("room")
      .set({ ...set, publishHold: body.hold })
      .where("id", "=", anyOf(whole))
      .where("publishHold", "!=", body.hold)
      .execute();
  if (!body.hold)
    await act.tx
      .updateTable("listing")
      .set({ ...set, hold: false })
      .where("roomId", "=", anyOf(body.roomIds))
      .where("hold", "=", true)
      .execute();
  await lookAgain(act, rooms);
  const action = body.hold ? (body.ids.length ? "下架" : "暂不发布") : "恢复发布";
  await act.note(
    rooms.map((room) => ({
      kind: "room",
      recordId: room.id,
      number: room.fullName,
      villageId: room.villageId,
      action,
      summary: body.hold ? `${action}：${reason}` : action,
    })),
  );
  return { count: rooms.length };
}

export default [
  exportList(calls.exportListings),

  serveList(listingList),
  serveRead(calls.countListings, (read, { query }) => countsOf(read, query)),

  serveRead(calls.listing, async (read, { params }) => {
    const { stored, row } = await listingSeen(read, params.id);
    const channel = (await channelById(read, stored.channelId))!;
    const { apartmentId } = await roomSeen(read, stored.roomId);
    const facts = await factsOf(read, channel, { apartmentIds: [apartmentId] });
    const room = facts.find((f) => f.roomId === stored.roomId);
    if (!room) throw notFound();
    const { misses, availableDay } = judge(room, channel.rule, read.today);
    const events = await read.tx
      .selectFrom("listingEvent")
      .select(["at", "act", "ok", "millis", "answer"])
      .where("listingId", "=", stored.id)
      .orderBy("id", "desc")
      .limit(20)
      .execute();
    return {
      ...row,
      villageId: stored.villageId,
      misses,
      own: { title: stored.title, description: stored.description, pictures: stored.pictures },
      shown: shownOf(documentOf(room, channel.rule, availableDay, read.today)),
      events: events as never,
    };
  }),

  serve(calls.editListing, async (act, { params, body }) => {
    const { stored, row } = await listingSeen(act, params.id);
    const { title = null, description = null, pictures = null, all, version } = body;
    if (pictures?.length) await hangPictures(act, stored.villageId, pictures);
    const said = { title, description, pictures, updatedAt: act.now.toISOString() };
    await revise(act, "listing", { id: stored.id, version }, said);
    if (all)
      await act.tx
        .updateTable("listing")
        .set({ ...said, version: NEXT_VERSION })
        .where("roomId", "=", stored.roomId)
        .where("id", "<>", stored.id)
        .execute();
    await lookAgain(act, await roomsOf(act, [stored.id], []));
    await act.note({
      kind: "room",
      recordId: stored.roomId,
      number: row.roomName,
      villageId: stored.villageId,
      action: "编辑发布文案",
      summary: `编辑发布文案（${all ? "全部渠道" : row.channelName}）`,
      before: { title: stored.title, description: stored.description },
      after: { title, description },
    });
    return { id: stored.id };
  }),

  serve(calls.syncListings, async (act, { body }) => {
    const rooms = await roomsOf(act, body.ids, []);
    const now = act.now.toISOString();
    await act.tx
      .updateTable("listing")
      .set({ tries: 0, nextTryAt: now, version: NEXT_VERSION })
      .where("id", "=", anyOf(body.ids))
      .where("state", "in", ["queued", "withdrawing", "failed"])
      .execute();
    // what stands outside by a network is told once more, whatever was sent before
    await sql`update listing l set state = 'queued', tries = 0, next_try_at = ${now}::timestamptz, version = l.version + 1
      from channel c where c.id = l.channel_id and c.enabled and c.adapter <> 'feed' and l.id = ${anyOf(body.ids)}
        and l.state = 'online'`.execute(act.tx);
    await lookAgain(act, rooms);
    return { count: body.ids.length };
  }),

  serve(calls.holdListings, (act, { body }) => hold(act, body)),

  serveRead(calls.roomListings, async (read, { params }) => {
    const room = await roomSeen(read, params.id);
    return { held: room.publishHold, reason: room.holdReason, list: await listingsOfRoom(read, room.id) };
  }),
];
