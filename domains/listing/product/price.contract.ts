import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { RENTING } from "../room/renting.rules.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/product/:id";
const products = callsAt(path, "product");

const price = (title: string) =>
  z
    .number({
      error: (issue) => (issue.input === undefined ? `请输入${title}` : "请输入正确的金额（最多两位小数）"),
    })
    .int("请输入正确的金额（最多两位小数）")
    .min(1, "金额必须大于0")
    .max(AMOUNT_MAX, "金额过大")
    .meta({ title, kind: "money" });

const LOWEST = "底价不能高于标价";
/** The lowest price needs authority 601; without it, it stays where it was and never above the list price. */
type Pair = { listPrice: number; lowestPrice?: number | null | undefined };
export const lowestFits = (p: Pair) => !p.lowestPrice || p.lowestPrice <= p.listPrice;

export const villagePrice = z
  .object({ villageId: f.id, listPrice: price("标价"), lowestPrice: price("底价").nullish() })
  .refine(lowestFits, { path: ["lowestPrice"], error: LOWEST });

/** A price from a day on: one for all stores, and others for the stores that are named. */
export const newPrice = z.object({
  listPrice: price("标价"),
  lowestPrice: price("底价").nullish(),
  effectiveDay: f.dayInput("生效日"),
  villagePrices: z
    .array(villagePrice)
    .max(1000, "门店过多")
    .refine((all) => new Set(all.map((p) => p.villageId)).size === all.length, "同一门店只能设置一个价格")
    .default([])
    .meta({ title: "门店价格", kind: "text" }),
});

/** Carries the price over to every room that follows the product, all or none. Signed contracts keep theirs. */
export const setProductPrice = products.post("/price", "产品调价", "4.edit", {
  params: oneRecord,
  timeout: 120_000,
  body: newPrice
    .safeExtend({
      version: f.version,
      /** Asked for where the price needs approval. */
      reason: f.remark("调价原因").default(""),
    })
    .refine(lowestFits, { path: ["lowestPrice"], error: LOWEST }),
  reply: z.object({
    effectiveDay: z.string(),
    rooms: f.number("跟随房间"),
    /** The change that the price waits on: for approval, or for the job that carries it out. */
    change: z.object({ id: f.id, number: z.string(), examineNo: z.string().nullable() }).nullable(),
  }),
});

/** What a price would do, and at which nodes it would wait. */
export const previewProductPrice = products.post("/price/preview", "预览产品调价", "4.edit", {
  effect: "read",
  timeout: 120_000,
  params: oneRecord,
  body: newPrice.refine(lowestFits, { path: ["lowestPrice"], error: LOWEST }),
  reply: z.object({
    rooms: f.number("跟随房间"),
    /** Rooms whose price moves; the averages are theirs. */
    moved: f.number("变价房间"),
    oldAverage: f.money("调整前均价").nullable(),
    newAverage: f.money("调整后均价").nullable(),
    effect: f.money("月影响"),
    byJob: z.boolean(),
    waits: z.array(z.string()),
  }),
});

/** Every price the product has had and will have, newest first. */
export const productPrices = products.get("/prices", "产品价格历史", "4.get", {
  params: oneRecord,
  reply: z.array(
    z.object({
      effectiveDay: f.day("生效日"),
      villageId: f.id.nullable(),
      villageName: f.text("门店"),
      listPrice: f.money("标价"),
      lowestPrice: f.money("底价").nullish(),
      createdAt: f.instant("设置时间"),
      createdName: f.person("操作人"),
      current: z.boolean(),
    }),
  ),
});

export const roomOfProduct = z.object({
  id: f.id,
  fullName: f.room("房间"),
  listPrice: f.money("标价").nullable(),
  priceMode: f.status("定价方式", { own: ["自有价格", "grey"], follow: ["跟随产品", "grey"] }),
  occupancy: f.status("入住状态", OCCUPANCIES).nullable(),
});

export const productRooms = products.get("/rooms", "产品的房间", "4.get", {
  params: oneRecord,
  reply: z.object({
    list: z.array(roomOfProduct),
    total: z.number(),
    byStatus: z.array(z.object({ occupancy: f.status("入住状态", OCCUPANCIES), count: f.number("房间") })),
  }),
});

/** Rooms that the product may have: of its kind, in its stores. */
export const productCandidates = products.get("/candidates", "产品可关联房间", "4.edit", {
  params: oneRecord,
  reply: z.array(
    z.object({
      id: f.id,
      fullName: f.room("房间"),
      villageName: f.text("门店"),
      /** The product it has now. */
      productId: f.id.nullable(),
      productName: f.text("产品").nullable(),
      listPrice: f.money("标价").nullable(),
      priceMode: f.status("定价方式", { own: ["自有价格", "grey"], follow: ["跟随产品", "grey"] }),
    }),
  ),
});

export const OWN_PRICES = f.plainWords({ keep: "保留自有价格", follow: "改为跟随产品" });

const roomIds = z.array(f.id).max(5000, "一次最多5000个房间").default([]);
export const setProductRooms = products.put("/rooms", "产品关联房间", "4.edit", {
  params: oneRecord,
  body: z
    .object({
      add: roomIds,
      remove: roomIds,
      ownPrice: z.enum(["keep", "follow"]).default("keep"),
      version: f.version,
    })
    .refine((b) => b.add.length + b.remove.length > 0, { path: ["add"], error: "请选择房间" }),
  reply: z.object({ added: z.number(), removed: z.number(), following: z.number() }),
});

/** What contracts of the last twelve months were signed at, against the list price of their day. */
export const productDeals = products.get("/deals", "产品近 12 个月签约", "4.get", {
  params: oneRecord,
  reply: z.object({
    list: z.array(
      z.object({
        contractId: f.id,
        contractKind: z.enum(RENTING),
        contractNo: f.link("合同编号"),
        roomName: f.room("房间"),
        signedOn: f.day("签约日"),
        monthlyRent: f.money("签约租金"),
        listPrice: f.money("签约时标价").nullable(),
        difference: f.money("差额").nullable(),
      }),
    ),
    total: f.number("签约"),
    averageRent: f.money("平均成交").nullable(),
    averageList: f.money("平均标价").nullable(),
  }),
});
