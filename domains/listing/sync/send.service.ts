import { sql } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";
import type { Around, Outcome } from "./adapter.service.ts";
import { ADAPTERS_BY_NAME } from "./adapters.service.ts";
import type { Channel } from "./channel.queries.ts";
import { actOn, retryMinutes, type ListingDocument, type Standing } from "./listing.rules.ts";
import { pictureUrl } from "./pictures.service.ts";
import { RETRY_MINUTES, type SendAct } from "./words.rules.ts";

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
