import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import * as f from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { CHANNELS } from "../channel/channel.contract.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";
import { ACTS, HOLDS, LISTING_STATES } from "../channel/adapter.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/listing";
const listingsAt = callsAt(path, "listing");
const words = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];

export const listingRow = z.object({
  id: f.id,
  roomId: f.id,
  roomName: f.link("房源"),
  channelId: f.id,
  channelName: f.link("渠道"),
  title: f.text("标题"),
  price: f.money("价格").nullable(),
  pictures: f.number("图片"),
  occupancy: f.status("房态", OCCUPANCIES).nullable(),
  state: f.status("发布状态", LISTING_STATES),
  outsideUrl: f.link("外部链接").nullable(),
  syncedAt: f.instant("最近同步").nullable(),
  reason: f.text("失败原因", { help: "未发布时是缺少的条件，失败时是对方的答复" }),
  views: f.number("浏览").nullable(),
  enquiries: f.number("咨询"),
  held: z.boolean(),
  version: f.version,
});
export type ListingRow = z.output<typeof listingRow>;

const listingFilter = {
  channelId: filter.by(z.coerce.number().int().positive().optional(), {
    kind: "choice",
    title: "渠道",
    source: CHANNELS,
  }),
  villageIds: filter.villages(),
  state: wordList(words(LISTING_STATES)),
  occupancy: filter.choices("房态", OCCUPANCIES),
  hold: filter.choice("暂不发布", HOLDS),
  roomId: z.coerce.number().int().positive().optional(),
  keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
    kind: "keyword",
    title: "房间、标题",
  }),
};

export const listings = listingsAt.get("", "发布房源列表", "67.query", {
  query: pageQuery("state", "syncedAt").extend(listingFilter),
  reply: pageReply(listingRow),
});

export const countListings = listingsAt.get("/counts", "发布房源各状态数量", "67.query", {
  query: z.object(listingFilter).omit({ state: true }),
  reply: z.record(z.string(), z.number()),
});

export const exportListings = exportOf({
  type: "listing",
  title: "发布房源",
  needs: "67.export",
  list: listings,
  filters: { roomId: "房间" },
});

/** As the channel shows it, or would. */
export const listing = listingsAt.get("/:id", "发布房源详情", ["67.get", "67.query"], {
  reply: listingRow.extend({
    misses: z.array(z.string()),
    own: z.object({
      title: z.string().nullable(),
      description: z.string().nullable(),
      pictures: z.array(f.id).nullable(),
    }),
    villageId: f.id,
    shown: z.object({
      title: z.string(),
      description: z.string(),
      address: z.string(),
      layout: z.string(),
      area: z.string(),
      floor: z.string(),
      orientation: z.string(),
      facilities: z.array(z.string()),
      price: z.string(),
      payPlans: z.array(z.string()),
      availableDay: z.string(),
      pictures: z.array(f.id),
      contact: z.string(),
    }),
    events: z.array(
      z.object({
        at: f.instant("时间"),
        act: f.status("动作", ACTS),
        ok: z.boolean(),
        millis: z.number(),
        answer: z.string(),
      }),
    ),
  }),
});

/** Words and pictures of its own; null goes back to the room's. `all` does the same for every channel of the room. */
export const editListing = listingsAt.put("/:id", "编辑发布文案", "67.edit", {
  body: z.object({
    title: f.input("标题", 5, 30).nullish(),
    description: f.remark("描述", 1000).nullish(),
    pictures: z.array(f.id).max(20, "图片最多20张").nullish().meta({ title: "图片", kind: "file" }),
    all: f.flag("用于全部渠道").default(false),
    version: f.version,
  }),
  reply: z.object({ id: f.id }),
});

/** Looks at the rooms anew and sends what waits or has failed at once. */
export const syncListings = listingsAt.post("/sync", "立即同步房源", "67.edit", {
  body: z.object({ ids: z.array(f.id).min(1, "请选择房源").max(500, "一次最多500条") }),
  reply: z.object({ count: z.number() }),
});

/** Keeps rooms off every channel, or listings off theirs; and lets them go again. */
export const holdListings = listingsAt.put("/hold", "暂不发布房源", "67.edit", {
  body: z
    .object({
      ids: z.array(f.id).max(500, "一次最多500条").default([]),
      roomIds: z.array(f.id).max(500, "一次最多500间").default([]),
      hold: z.boolean(),
      reason: f.remark("原因", 50).default(""),
    })
    .refine((b) => b.ids.length + b.roomIds.length > 0, { path: ["ids"], error: "请选择房源" })
    .refine((b) => !b.hold || b.reason.length >= 2, { path: ["reason"], error: "原因长度为2到50个字" }),
  reply: z.object({ count: z.number() }),
});

/** How a room stands on each channel, for its drawer. */
export const roomListings = callsAt("/room/api/v3/room").get("/:id/listings", "房间的发布情况", "67.query", {
  reply: z.object({
    held: z.boolean(),
    reason: f.text("暂不发布原因"),
    list: z.array(listingRow),
  }),
});
