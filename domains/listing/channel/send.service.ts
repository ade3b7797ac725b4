import { sql } from "kysely";
import { timingSafeEqual } from "node:crypto";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Settings } from "../../../platform/server/process/settings.ts";
import { tell } from "../../system/message/message.service.ts";
import { channelEnquired } from "./channel.contract.ts";
import type { Channel } from "./channel.queries.ts";
import { type ListingDocument, type Standing, actOn, retryMinutes } from "./listing.rules.ts";
import { type Adapter, type Around, type Enquiry, type Outcome, push } from "./push.service.ts";
import { type AdapterName, RETRY_MINUTES, type SendAct } from "./adapter.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

const PICTURES = "/room/api/v3/listingPicture";
type Sealing = Pick<Read, "cipher">;

const signatureOf = ({ cipher }: Sealing, fileId: number) =>
  cipher.hash(`listing picture ${fileId}`).subarray(0, 18).toString("base64url");

/** Where the product is reached from outside. */
export const originOf = ({ PUBLIC_URL, HOST, PORT }: Settings) =>
  (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, "");

/** The address of a published picture; nobody can make up that of another file. */
export const pictureUrl =
  (read: Sealing & Pick<Read, "settings">) =>
  (fileId: number): string =>
    `${originOf(read.settings)}${PICTURES}/${fileId}?sig=${signatureOf(read, fileId)}`;

export const feedUrl = (read: Pick<Read, "settings">, token: string, as: "json" | "xml"): string =>
  `${originOf(read.settings)}/room/api/v3/feed/${token}.${as}`;

export function checkSignature(read: Sealing, fileId: number, given: string): void {
  const [a, b] = [Buffer.from(signatureOf(read, fileId)), Buffer.from(given)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw notFound();
}

const stands: Outcome = { ok: true, answer: "" };

/** The built-in feed: others fetch it at its address, so there is nobody to tell. */
const feed: Adapter = {
  direct: true,
  check: async () => ({ ok: true, answer: "数据源地址可用" }),
  publish: async () => stands,
  update: async () => stands,
  withdraw: async () => stands,
  fetchLeads: async () => [],
};

export const ADAPTERS_BY_NAME: Record<AdapterName, Adapter> = { feed, httpPush: push };

/** Listings that one run sends to one channel; the rest follow in the next. */
const AT_ONCE = 200;

type Due = Standing & {
  id: number;
  roomId: number;
  roomName: string;
  villageId: number;
  tries: number;
  outsideId: string | null;
  document: ListingDocument | null;
};
/** Runs something in a transaction of its own, at the moment it runs. */
type Step = <T>(work: (act: Act) => Promise<T>) => Promise<T>;

export const aroundOf = (act: Act): Around => ({
  settings: act.settings,
  now: act.now,
  pictureUrl: pictureUrl(act),
});

const dueOf = (act: Act, channel: Channel) =>
  sql<Due>`
    select l.id, l.room_id "roomId", r.full_name "roomName", l.village_id "villageId", l.state, l.failed_act "failedAct",
      l.sent_hash "sentHash", l.content_hash "contentHash", l.tries, l.outside_id "outsideId", l.document
    from listing l join room r on r.id = l.room_id
    where l.channel_id = ${channel.id} and l.next_try_at <= ${act.now.toISOString()}::timestamptz
      ${channel.enabled ? sql`` : sql`and (l.state = 'withdrawing' or l.failed_act = 'withdraw')`}
    order by l.next_try_at, l.id limit ${AT_ONCE}`.execute(act.tx);

/** Sends what waits, one listing after the other; each answer is kept before the next is asked. One sender per channel. */
export async function sendDue(channel: Channel, step: Step): Promise<number> {
  const adapter = ADAPTERS_BY_NAME[channel.adapter];
  const { rows: due } = await step((act) => dueOf(act, channel));
  let failed = 0;
  for (const listing of due) {
    const what = actOn(listing);
    if (!what) continue;
    const began = performance.now();
    const around = await step(async (act) => aroundOf(act));
    const outcome = await spoken(() =>
      what === "withdraw"
        ? adapter.withdraw(channel, listing, around)
        : adapter[what](channel, { ...listing, document: listing.document! }, around),
    );
    if (!outcome.ok) failed++;
    await step((act) => keep(act, channel, listing, what, outcome, performance.now() - began));
  }
  if (due.length) await step((act) => feel(act, channel, failed, due.length));
  return due.length;
}

/** An adapter that breaks has failed, no more than that. */
export const spoken = (work: () => Promise<Outcome>): Promise<Outcome> =>
  work().catch((error: Error) => ({ ok: false, answer: error.message.slice(0, 2000) }));

async function keep(
  act: Act,
  channel: Channel,
  listing: Due,
  what: SendAct,
  outcome: Outcome,
  millis: number,
): Promise<void> {
  await noteEvent(act, {
    channelId: channel.id,
    listingId: listing.id,
    roomId: listing.roomId,
    act: what,
    outcome,
    millis,
  });
  const now = act.now.toISOString();
  const tries = listing.tries + 1;
  const minutes = retryMinutes(tries);
  const retry = minutes === undefined ? null : new Date(act.now.getTime() + minutes * 60_000).toISOString();
  const { outsideId, outsideUrl, views } = outcome;
  const set = !outcome.ok
    ? {
        state: "failed",
        failedAct: what,
        tries,
        error: outcome.answer.slice(0, 500),
        nextTryAt: retry,
      }
    : {
        state: what === "withdraw" ? "offline" : "online",
        failedAct: null,
        tries: 0,
        error: "",
        nextTryAt: null,
        sentHash: what === "withdraw" ? null : listing.contentHash,
        ...(what === "withdraw" ? { outsideUrl: null } : outsideUrl && { outsideUrl }),
        ...(outsideId && { outsideId }),
        ...(views !== undefined && { views }),
      };
  // whoever looked at the room meanwhile has the say: what was sent is then sent anew
  const done = await act.tx
    .updateTable("listing")
    .set({ ...set, syncedAt: now, updatedAt: now, version: NEXT_VERSION })
    .where("id", "=", listing.id)
    .where("state", "=", listing.state)
    .where("contentHash", "=", listing.contentHash)
    .executeTakeFirst();
  if (!done.numUpdatedRows && outcome.ok)
    await act.tx
      .updateTable("listing")
      .set({ sentHash: what === "withdraw" ? null : listing.contentHash, ...(outsideId && { outsideId }) })
      .where("id", "=", listing.id)
      .where("state", "in", ["queued", "withdrawing"])
      .execute();
  if (!outcome.ok && tries > RETRY_MINUTES.length && channel.createdBy !== null)
    await tell(act, {
      to: [channel.createdBy],
      type: 6,
      level: 2,
      title: `${channel.name}：${listing.roomName} 同步失败`,
      content: `已重试 ${RETRY_MINUTES.length} 次仍未成功，请在房源同步中查看原因后重试。${outcome.answer.slice(0, 200)}`,
      bizType: "listing",
      bizId: listing.id,
      villageId: listing.villageId,
      once: `listing.failed.${listing.id}.${act.today}`,
    });
}

export async function noteEvent(
  act: Act,
  event: {
    channelId: number;
    listingId?: number;
    roomId?: number;
    act: string;
    outcome: Pick<Outcome, "ok" | "answer">;
    millis: number;
  },
): Promise<void> {
  await act.tx
    .insertInto("listingEvent")
    .values({
      channelId: event.channelId,
      listingId: event.listingId ?? null,
      roomId: event.roomId ?? null,
      at: act.now.toISOString(),
      act: event.act,
      ok: event.outcome.ok,
      millis: Math.round(event.millis),
      // a zero byte cannot be kept
      answer: event.outcome.answer.replaceAll("\u0000", "").slice(0, 2000),
    })
    .execute();
}

/** How the channel does: well, partly, or not at all. */
export async function feel(
  act: Act,
  channel: Channel,
  failed: number,
  of: number,
  error = "",
): Promise<void> {
  await act.tx
    .updateTable("channel")
    .set({
      health: failed === 0 ? "ok" : failed < of ? "degraded" : "down",
      lastRunAt: act.now.toISOString(),
      lastError: failed === 0 ? "" : error || `${failed} 套房源同步失败`,
    })
    .where("id", "=", channel.id)
    .execute();
}

/**
 * Takes an enquiry that came through a channel about one of its rooms; the same outside id twice is one. Whoever keeps
 * leads hears of it.
 */
export async function takeEnquiry(act: Act, channel: Channel, enquiry: Enquiry): Promise<boolean> {
  const listing = await aRow(act, "listing", ["id", "villageId"], {
    channelId: channel.id,
    roomId: enquiry.roomId,
  });
  if (!listing) throw invalid({ field: "roomId", msg: "该渠道没有这套房源" });
  const made = await act.tx
    .insertInto("channelEnquiry")
    .values({
      ...enquiry,
      channelId: channel.id,
      villageId: listing.villageId,
      at: act.now.toISOString(),
    })
    .onConflict((c) => c.columns(["channelId", "outsideId"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!made) return false;
  await act.tx
    .updateTable("listing")
    .set({ enquiries: sql<number>`enquiries + 1` })
    .where("id", "=", listing.id)
    .execute();
  await noteEvent(act, {
    channelId: channel.id,
    listingId: listing.id,
    roomId: enquiry.roomId,
    act: "enquiry",
    outcome: { ok: true, answer: enquiry.outsideId },
    millis: 0,
  });
  await act.emit(channelEnquired, { enquiryId: made.id });
  return true;
}
