import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { call } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import {
  checked,
  choice,
  flag,
  id,
  instant,
  number,
  remark,
  status,
  text,
  version,
  whole,
  worded,
} from "../../../platform/kernel/field.ts";
import { nameOf } from "../../../platform/kernel/names.ts";
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
} from "./adapter.rules.ts";
import { oneRecord, recordCalls } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/channel";
const words = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];

/** Addresses and codes of the other side; its adapter judges them. */
const config = worded(
  "program",
  z.record(z.string().max(30), z.union([z.string().max(500), z.number(), z.boolean()])),
);
const names = z.record(z.string().min(1).max(50), remark("映射值", 50));

const fields = z.object({
  name: checked("渠道名称", nameOf("渠道名称"), { max: 30 }),
  adapter: choice("对接方式", ADAPTERS),
  config: config.default({}).meta({ title: "对接参数", kind: "text" }),
  villageIds: z
    .array(id, { error: "请选择门店" })
    .min(1, "请选择门店")
    .max(1000, "门店过多")
    .meta({ title: "门店", kind: "text" }),
  leadDays: whole("提前发布", 0, 60, { unit: "天" }).default(0),
  kinds: z
    .array(z.enum(words(ROOM_KINDS)))
    .max(6)
    .default([])
    .meta({ title: "类型", kind: "text" }),
  productIds: z.array(id).max(200, "产品最多200个").default([]).meta({ title: "产品", kind: "text" }),
  minPictures: whole("最少图片", 0, 10, { unit: "张" }).default(3),
  showPrice: choice("价格", SHOW_PRICES).default("exact"),
  phone: choice("联系电话", PHONES).default("village"),
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
  id,
  name: text("渠道"),
  adapter: status("对接方式", ADAPTERS),
  state: status("状态", CHANNEL_STATES),
  health: status("健康", HEALTHS),
  villageNames: text("门店"),
  online: number("在架房源"),
  waiting: number("等待同步"),
  failed: number("失败"),
  errors: number("24 小时失败次数"),
  lastRunAt: instant("最近同步").nullable(),
  lastError: text("最近错误"),
  version,
});
export type ChannelCard = z.output<typeof channelCard>;

export const channels = call({
  method: "GET",
  path,
  summary: "渠道列表",
  needs: "67.query",
  reply: z.object({ list: z.array(channelCard), total: z.number() }),
});

/** For filters: channels of which at least one store is in scope. */
export const channelOptions = call({
  method: "GET",
  path: `${path}/options`,
  summary: "渠道选项",
  needs: "67.query",
  reply: z.array(z.object({ id, name: text("渠道") })),
});

const family = recordCalls({ path, code: 67, title: "渠道", target: "channel" });

export const channel = family.get(
  fields.extend({
    id,
    state: status("状态", CHANNEL_STATES),
    online: z.number(),
    version,
    /** Only for who may edit it: where a feed is fetched, or what a receiver checks the signature with. */
    jsonUrl: z.string().nullable(),
    xmlUrl: z.string().nullable(),
    signingKey: z.string().nullable(),
  }),
  { needs: ["67.get", "67.edit"] },
);

/** What its rooms are called here, for the mapping table. */
export const channelWords = call({
  method: "POST",
  path: `${path}/words`,
  summary: "渠道映射项",
  needs: ["67.add", "67.edit"],
  effect: "read",
  body: z.object({ villageIds: z.array(id).max(1000) }),
  reply: z.object(
    Object.fromEntries(
      words(MAPPED).map((kind) => [kind, z.array(z.object({ key: z.string(), name: z.string() }))]),
    ) as Record<MappedKind, z.ZodArray<z.ZodObject<{ key: z.ZodString; name: z.ZodString }>>>,
  ),
});

export const addChannel = family.add(judged(fields));

export const editChannel = call({
  method: "PUT",
  path: `${path}/:id`,
  summary: "编辑渠道",
  needs: "67.edit",
  target: "channel",
  params: oneRecord,
  body: judged(fields.extend({ version })),
  reply: z.object({ id }),
});

export const enableChannel = family.enable();

/** With `withdraw`, whatever stands outside is taken off. */
export const disableChannel = call({
  method: "PUT",
  path: `${path}/:id/disable`,
  summary: "停用渠道",
  needs: "67.disable",
  target: "channel",
  params: oneRecord,
  body: z.object({ version, withdraw: flag("同时下架").default(true) }),
  reply: z.object({ id }),
});

export const deleteChannel = family.delete();

export const testChannel = call({
  method: "POST",
  path: `${path}/:id/test`,
  summary: "测试渠道连接",
  needs: "67.edit",
  target: "channel",
  perMinute: 30,
  timeout: 60_000,
  params: oneRecord,
  reply: z.object({ ok: z.boolean(), answer: z.string(), millis: z.number() }),
});

/** A new address or key; the old one is good for nothing from that moment on. */
export const rotateChannel = call({
  method: "POST",
  path: `${path}/:id/rotate`,
  summary: "轮换渠道密钥",
  needs: "67.edit",
  target: "channel",
  params: oneRecord,
  body: z.object({ version }),
  reply: z.object({ id }),
});

export const CHANNELS: Source = {
  call: channelOptions,
  option: (c: { id: number; name: string }) => ({ value: c.id, label: c.name }),
};

/** Somebody asked through a channel. */
export const channelEnquired = event("channel.enquired", z.object({ enquiryId: id }));
