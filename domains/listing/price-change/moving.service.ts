import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { governing } from "../../approval/examine/way.service.ts";
import type { PriceUnit } from "../room/words.rules.ts";
import { PRICE_CHANGE, waitsFor } from "./approval.service.ts";
import { roomsOf } from "./compute.queries.ts";
import { productLine } from "./given.rules.ts";
import { worked } from "./looked.queries.ts";
import { pricesOn } from "./product-look.queries.ts";

type Room = { id: number; villageId: number };

/**
 * Rooms that come to follow a product together, from today on. Where such a move of prices needs approval it is refused:
 * each room is handed in by itself, so that whoever decides sees what it does.
 */
export async function mayMove(read: Read, rooms: readonly Room[], productId: number): Promise<void> {
  const villageIds = [...new Set(rooms.map((room) => room.villageId))].toSorted((a, b) => a - b);
  if (!villageIds.length || !(await governing(read, PRICE_CHANGE, villageIds)).size) return;
  const day = read.today;
  const { priceUnit } = await read.tx
    .selectFrom("product")
    .select("priceUnit")
    .where("id", "=", productId)
    .executeTakeFirstOrThrow();
  const prices = await pricesOn(read, productId, day);
  const ids = rooms.map((room) => room.id);
  const found = await roomsOf(read, { roomIds: ids }, villageIds, day, ids.length);
  const lines = found.flatMap((room) => {
    const next =
      prices.find((p) => p.villageId === room.villageId) ?? prices.find((p) => p.villageId === null);
    const asked = next && { listPrice: next.list, lowestPrice: next.lowest };
    return asked ? [productLine(room, priceUnit as PriceUnit, asked)] : [];
  });
  // one store after the other: where only one of them asks for approval, the others do not hide it
  for (const villageId of villageIds) {
    const mine = worked(
      lines.filter((line) => line.villageId === villageId),
      [],
    );
    const waits = mine.totals.rooms ? await waitsFor(read, mine, [villageId]) : [];
    if (waits.length)
      throw new Refusal(
        "notAllowed",
        `${mine.totals.rooms} 间房跟随产品后价格变化，需要审批（${waits.join(" → ")}）；请保留自有价格，再在房间的价格中逐间恢复跟随产品`,
      );
  }
}
