import type { Act } from "../../../platform/server/pipeline/act.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { followProducts } from "../product/price.service.ts";
import { proposeGiven } from "./given.service.ts";
import { refusePending } from "./pending.service.ts";

/**
 * Lets a room take the price of its product from today on; its row is locked. Where that moves its price and needs
 * approval, it waits: answers the number of that approval.
 */
export async function follow(
  act: Act,
  room: { id: number; villageId: number; fullName: string },
  reason: string,
): Promise<string | null> {
  const given = { kind: "follow", roomId: room.id, effectiveDay: act.today } as const;
  const waiting = await proposeGiven(act, given, reason);
  if (waiting) return waiting.examineNo;
  // prices that are to come would go: whoever wants that takes the change back first
  await refusePending(act, room.id, act.today, true);
  await act.tx
    .updateTable("room")
    .set({ priceMode: "follow", version: NEXT_VERSION, updatedAt: act.now.toISOString() })
    .where("id", "=", room.id)
    .execute();
  await followProducts(act, [room.id]);
  await changed(act, [{ roomId: room.id, villageId: room.villageId }]);
  await act.note({
    kind: "room",
    recordId: room.id,
    number: room.fullName,
    villageId: room.villageId,
    action: "恢复跟随产品",
    summary: `自 ${act.today} 起价格跟随产品`,
  });
  return null;
}
