import { sql } from "kysely";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { Enquiry } from "./adapter.service.ts";
import type { Channel } from "./channel.queries.ts";
import { noteEvent } from "./send.service.ts";
import { channelEnquired } from "./channel.contract.ts";

/**
 * Takes an enquiry that came through a channel about one of its rooms; the same outside id twice is one. Whoever keeps
 * leads hears of it.
 */
export async function takeEnquiry(act: Act, channel: Channel, enquiry: Enquiry): Promise<boolean> {
  const listing = await act.tx
    .selectFrom("listing")
    .select(["id", "villageId"])
    .where("channelId", "=", channel.id)
    .where("roomId", "=", enquiry.roomId)
    .executeTakeFirst();
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
