import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { CHANGE_STATES } from "../price-change/words.rules.ts";
import { PRICE_MODES, PRICE_SOURCES, PRICE_UNITS } from "../room/words.rules.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/room/:id";
const rooms = callsAt(path, "room");

/** Every price the room has had and will have, newest first. */
export const roomPrices = rooms.get("/prices", "房间价格历史", "6.get", {
  params: oneRecord,
  reply: z.array(
    z.object({
      effectiveDay: f.day("生效日"),
      listPrice: f.money("标价"),
      lowestPrice: f.money("底价").nullish(),
      unit: f.status("计价单位", PRICE_UNITS),
      source: f.status("来源", PRICE_SOURCES),
      createdAt: f.instant("设置时间"),
      createdName: f.person("操作人"),
      current: z.boolean(),
    }),
  ),
});

/** How a room is priced, and the change that it waits for. */
export const roomPricing = rooms.get("/pricing", "房间定价", "6.get", {
  params: oneRecord,
  reply: z.object({
    priceMode: f.status("定价方式", PRICE_MODES),
    product: z.object({ id: f.id, name: z.string() }).nullable(),
    /** Of several, the one that begins first. */
    pending: z
      .object({
        id: f.id,
        number: z.string(),
        state: f.status("状态", CHANGE_STATES),
        effectiveDay: z.string(),
        newList: f.money("新标价").nullable(),
      })
      .nullable(),
  }),
});

const given = z
  .object({
    listPrice: f.amount("标价"),
    /** With authority 601; without it the lowest price stays, never above the list price. */
    lowestPrice: f.amount("底价").nullish(),
    unit: f.choice("计价单位", PRICE_UNITS).default("month"),
    effectiveDay: f.dayInput("生效日"),
  })
  .refine((p) => !p.lowestPrice || p.lowestPrice <= p.listPrice, {
    path: ["lowestPrice"],
    error: "底价不能高于标价",
  });
/** Asked for where the price needs approval. */
const why = {
  reason: f.remark("调价原因").default(""),
};
const done = z.object({
  effectiveDay: z.string(),
  listPrice: f.money("标价"),
  /** The approval that it waits for now. */
  examineNo: z.string().nullable(),
});

/** What a price would do: the old and the new one, what is worth a look, and at which nodes it would wait. */
const outlook = z.object({
  oldList: f.money("原标价").nullable(),
  newList: f.money("新标价").nullable(),
  unit: f.status("计价单位", PRICE_UNITS),
  warnings: z.array(z.string()),
  waits: z.array(z.string()),
});
export type PriceOutlook = z.output<typeof outlook>;

export const previewRoomPrice = rooms.post("/price/preview", "预览房间改价", "6.edit", {
  effect: "read",
  params: oneRecord,
  body: given,
  reply: outlook,
});

/** A price from a day on. Signed contracts keep theirs. Where such a change needs approval, it waits as a change of one room. */
export const setRoomPrice = rooms.put("/price", "修改房间价格", "6.edit", {
  params: oneRecord,
  body: given.safeExtend(why),
  reply: done,
});

export const previewFollow = rooms.post("/follow/preview", "预览恢复跟随产品", "6.edit", {
  effect: "read",
  params: oneRecord,
  reply: outlook,
});

/** The room takes the price of its product again, from today on. */
export const followProduct = rooms.put("/follow", "恢复跟随产品", "6.edit", {
  params: oneRecord,
  body: z.object(why),
  reply: z.object({ examineNo: z.string().nullable() }),
});
