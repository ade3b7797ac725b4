import { yuan } from "../../../platform/kernel/fen.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { PRICE_UNITS, wordOf } from "../room/words.rules.ts";
import { lookAt, proposeGiven, refuseProductPending } from "../pricing/given.service.ts";
import { candidatesOf, dealsOf, pricesFor, pricesOf, roomsOf } from "./detail.queries.ts";
import {
  productCandidates,
  productDeals,
  previewProductPrice,
  productPrices,
  productRooms,
  setProductPrice,
  setProductRooms,
} from "./price.contract.ts";
import { priceProduct, type ProductPrice } from "../room/product-price.service.ts";
import { productMine, productSeen } from "./product.queries.ts";
import { linkRooms } from "./rooms.service.ts";

/** The next version of a product, or a refusal where somebody else has changed it meanwhile. */
async function nextVersion(act: Act, id: number, version: number): Promise<void> {
  await revise(act, "product", { id, version }, { ...stamp(act) });
}

const asked = (productId: number, price: ProductPrice) => ({ kind: "product", productId, ...price }) as const;

export default [
  serveRead(productPrices, async (read, { params }) => {
    await productSeen(read, params.id);
    return pricesOf(read, params.id);
  }),
  serveRead(productRooms, async (read, { params }) => {
    await productSeen(read, params.id);
    return roomsOf(read, params.id);
  }),
  serveRead(productCandidates, (read, { params }) => candidatesOf(read, params.id)),
  serveRead(productDeals, async (read, { params }) => {
    await productSeen(read, params.id);
    return dealsOf(read, params.id);
  }),

  serveRead(previewProductPrice, async (read, { params, body }) => {
    const row = await productMine(read, params.id);
    const { lines, totals, waits } = await lookAt(read, asked(row.id, await pricesFor(read, row, body)));
    const { oldAverage, newAverage, effect } = totals;
    const byJob = lines.length > read.settings.PRICE_JOB_ROOMS;
    return { rooms: lines.length, moved: totals.rooms, oldAverage, newAverage, effect, byJob, waits };
  }),

  serve(setProductPrice, async (act, { params, body }) => {
    const row = await productMine(act, params.id);
    const { version, reason, ...given } = body;
    const price = await pricesFor(act, row, given);
    await nextVersion(act, row.id, version);
    await refuseProductPending(act, row.id);
    const waiting = await proposeGiven(act, asked(row.id, price), reason);
    if (waiting) {
      const { lines } = waiting;
      return { effectiveDay: price.effectiveDay, rooms: lines, change: waiting };
    }
    const rooms = await priceProduct(act, row, price);
    const unit = wordOf(PRICE_UNITS, row.priceUnit);
    const others = price.villages.length ? `，${price.villages.length} 个门店另定` : "";
    const action = "调价";
    await act.note([
      {
        kind: "product",
        recordId: row.id,
        number: row.code,
        action,
        summary: `调价，${price.effectiveDay} 起标价 ${yuan(price.listPrice)} ${unit}${others}，${rooms.length} 间跟随房间随之变更`,
        after: price,
      },
      ...rooms.map((room) => ({
        kind: "room",
        recordId: room.roomId,
        number: room.fullName,
        villageId: room.villageId,
        action,
        summary: `随产品 ${row.name} 调价，${price.effectiveDay} 起生效`,
      })),
    ]);
    return { effectiveDay: price.effectiveDay, rooms: rooms.length, change: null };
  }),

  serve(setProductRooms, async (act, { params, body }) => {
    const row = await productMine(act, params.id);
    await nextVersion(act, row.id, body.version);
    const done = await linkRooms(act, row, body);
    await act.note({
      kind: "product",
      recordId: row.id,
      number: row.code,
      action: "关联房间",
      summary: `关联房间：新增 ${done.added} 间，移出 ${done.removed} 间，改为跟随产品 ${done.following} 间`,
    });
    return done;
  }),
];
