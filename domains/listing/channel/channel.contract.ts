import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import * as f from "../../../platform/kernel/field.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { ROOM_KINDS } from "../room/words.rules.ts";
import {
  ADAPTERS,
  CHANNEL_STATES,
  HEALTHS,
  MAPPED,
  type MappedKind,
  PHONES,
  SHOW_PRICES,
  configErrors,
  ACTS,
  RESULTS,
} from "./adapter.rules.ts";
import { recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";

const path = "/room/api/v3/channel";
const channelsAt = callsAt(path, "channel");
const words = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];

/** Addresses and codes of the other side; its adapter judges them. */
const config = f.worded(
  "program",
  z.record(z.string().max(30), z.union([z.string().max(500), z.number(), z.boolean()])),
);
const names = z.record(z.string().min(1).max(50), f.remark("映射值", 50));

const fields = z.object({
  name: f.checked("渠道名称", nameOf("渠道名称"), { max: 30 }),
  adapter: f.choice("对接方式", ADAPTERS),
  config: config.default({}).meta({ title: "对接参数", kind: "text" }),
  villageIds: z
    .array(f.id, { error: "请选择门店" })
    .min(1, "请选择门店")
    .max(1000, "门店过多")
    .meta({ title: "门店", kind: "text" }),
  leadDays: f.whole("提前发布", 0, 60, { unit: "天" }).default(0),
  kinds: z
    .array(z.enum(words(ROOM_KINDS)))
    .max(6)
    .default([])
    .meta({ title: "类型", kind: "text" }),
  productIds: z.array(f.id).max(200, "产品最多200个").default([]).meta({ title: "产品", kind: "text" }),
  minPictures: f.whole("最少图片", 0, 10, { unit: "张" }).default(3),
  showPrice: f.choice("价格", SHOW_PRICES).default("exact"),
  phone: f.choice("联系电话", PHONES).default("village"),
  mapping: z
    .partialRecord(z.enum(words(MAPPED)), names)
    .default({})
    .meta({ title: "映射", kind: "text" }),
});

/** The adapter judges its own settings. */
const judged = <S extends z.ZodType>(schema: S): S =>
  schema.superRefine((value, ctx) => {
    const { adapter, config: given } = value as z.output<typeof fields>;
    for (const { field, msg } of configErrors(adapter, given))
      ctx.addIssue({ code: "custom", path: field.split("."), message: msg });
  }) as S;
export type ChannelForm = z.input<typeof fields>;

export const channelCard = z.object({
  id: f.id,
  name: f.text("渠道"),
  adapter: f.status("对接方式", ADAPTERS),
  state: f.status("状态", CHANNEL_STATES),
  health: f.status("健康", HEALTHS),
  villageNames: f.text("门店"),
  online: f.number("在架房源"),
  waiting: f.number("等待同步"),
  failed: f.number("失败"),
  errors: f.number("24 小时失败次数"),
  lastRunAt: f.instant("最近同步").nullable(),
  lastError: f.text("最近错误"),
  version: f.version,
});
export type ChannelCard = z.output<typeof channelCard>;

export const channels = channelsAt.get("", "渠道列表", "67.query", {
  reply: z.object({ list: z.array(channelCard), total: z.number() }),
});

/** For filters: channels of which at least one store is in scope. */
export const channelOptions = channelsAt.get("/options", "渠道选项", "67.query", {
  reply: z.array(z.object({ id: f.id, name: f.text("渠道") })),
});

const family = recordCalls({ path, code: 67, title: "渠道", target: "channel" });

export const channel = family.get(
  fields.extend({
    id: f.id,
    state: f.status("状态", CHANNEL_STATES),
    online: z.number(),
    version: f.version,
    /** Only for who may edit it: where a feed is fetched, or what a receiver checks the signature with. */
    jsonUrl: z.string().nullable(),
    xmlUrl: z.string().nullable(),
    signingKey: z.string().nullable(),
  }),
  { needs: ["67.get", "67.edit"] },
);

/** What its rooms are called here, for the mapping table. */
export const channelWords = channelsAt.post("/words", "渠道映射项", ["67.add", "67.edit"], {
  effect: "read",
  body: z.object({ villageIds: z.array(f.id).max(1000) }),
  reply: z.object(
    Object.fromEntries(
      words(MAPPED).map((kind) => [kind, z.array(z.object({ key: z.string(), name: z.string() }))]),
    ) as Record<MappedKind, z.ZodArray<z.ZodObject<{ key: z.ZodString; name: z.ZodString }>>>,
  ),
});

export const addChannel = family.add(judged(fields));

export const editChannel = channelsAt.put("/:id", "编辑渠道", "67.edit", {
  body: judged(fields.extend({ version: f.version })),
  reply: z.object({ id: f.id }),
});

export const enableChannel = family.enable();

/** With `withdraw`, whatever stands outside is taken off. */
export const disableChannel = channelsAt.put("/:id/disable", "停用渠道", "67.disable", {
  body: z.object({ version: f.version, withdraw: f.flag("同时下架").default(true) }),
  reply: z.object({ id: f.id }),
});

export const deleteChannel = family.delete();

export const testChannel = channelsAt.post("/:id/test", "测试渠道连接", "67.edit", {
  perMinute: 30,
  timeout: 60_000,
  reply: z.object({ ok: z.boolean(), answer: z.string(), millis: z.number() }),
});

/** A new address or key; the old one is good for nothing from that moment on. */
export const rotateChannel = channelsAt.post("/:id/rotate", "轮换渠道密钥", "67.edit", {
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id }),
});

export const CHANNELS: Source = {
  call: channelOptions,
  option: (c: { id: number; name: string }) => ({ value: c.id, label: c.name }),
};

/** Somebody asked through a channel. */
export const channelEnquired = event("channel.enquired", z.object({ enquiryId: f.id }));

export const eventRow = z.object({
  id: f.id,
  at: f.instant("时间"),
  channelId: f.id,
  channelName: f.link("渠道"),
  roomId: f.id.nullable(),
  roomName: f.link("房源").nullable(),
  act: f.status("动作", ACTS),
  result: f.status("结果", RESULTS),
  millis: f.number("耗时", { unit: "毫秒" }),
  answer: f.text("答复"),
});

const channelId = filter.by(z.coerce.number().int().positive().optional(), {
  kind: "choice",
  title: "渠道",
  source: CHANNELS,
});

export const listingEvents = callsAt("/room/api/v3/listingEvent").get("", "房源同步日志", "67.query", {
  query: pageQuery("at", "millis").extend({
    channelId,
    villageIds: filter.villages(),
    act: filter.choices("动作", ACTS),
    result: filter.choice("结果", RESULTS),
    ...filter.between("from", "to", f.dayInput("日期").optional(), { kind: "days", title: "时间" }),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "房间、答复",
    }),
  }),
  reply: pageReply(eventRow),
});

export const exportEvents = exportOf({
  type: "listingEvent",
  title: "房源同步日志",
  needs: "67.export",
  list: listingEvents,
});

export const enquiryRow = z.object({
  id: f.id,
  at: f.instant("时间"),
  channelId: f.id,
  channelName: f.link("渠道"),
  roomId: f.id,
  roomName: f.link("房源"),
  name: f.person("姓名"),
  phone: f.phone("电话"),
  message: f.text("咨询内容"),
  leadId: f.id.nullable(),
  leadNumber: f.link("客源").nullable(),
  ownerName: f.person("负责人").nullable(),
});

export const enquiries = callsAt("/room/api/v3/channelEnquiry").get("", "渠道咨询", "67.query", {
  query: pageQuery("at").extend({
    channelId,
    villageIds: filter.villages(),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "姓名、手机号",
    }),
  }),
  reply: pageReply(enquiryRow),
});
