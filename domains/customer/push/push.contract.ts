import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { oneRecord, recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { bodyText } from "../../system/template/template.contract.ts";
import { CHANNELS, type Channel } from "../../system/template/template.rules.ts";
import { CATEGORIES, KINDS, PUSH_STATES, RECIPIENT_STATES, STAGES } from "./push.rules.ts";

export const BASE = "/customer/api/v3/push";
const pushes = callsAt(BASE, "pushTask");

export const pushId = oneRecord;
export const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];
const several = <K extends string>(title: string, w: Record<K, readonly [string, f.Tone]>) =>
  f.some(words(w), `请选择${title}`).meta({ title, kind: "tags", words: w });

/** Whom: a kind of party in some stores, narrowed by what is known of it. */
export const audience = {
  kind: f.choice("对象", KINDS),
  villageIds: z
    .array(f.id, { error: "请选择门店" })
    .min(1, "请选择门店")
    .max(500)
    .meta({ title: "门店", kind: "text" }),
  buildingIds: z.array(f.id).max(500).default([]).meta({ title: "楼栋", kind: "text" }),
  tags: z.array(f.remark("标签", 20)).max(10).default([]).meta({ title: "标签", kind: "text" }),
  stages: several("阶段", STAGES).default([]),
  arrears: f.flag("仅欠费").default(false),
  expiringWithin: f.whole("即将到期", 1, 365, { unit: "天内" }).nullish(),
  /** Only these, and all but those. */
  ids: z.array(f.id).max(2000).default([]).meta({ title: "指定客户", kind: "text" }),
  exclude: z.array(f.id).max(2000).default([]).meta({ title: "排除", kind: "text" }),
};
export const audienceInput = z.object(audience);
export type Audience = z.output<typeof audienceInput>;

export const content = {
  title: f.input("标题", 2, 50),
  category: f.choice("类别", CATEGORIES),
  channels: several("渠道", CHANNELS).min(1, "请选择渠道"),
  templateId: f.pick("模板").nullish(),
  body: bodyText("推送内容"),
  at: f.instantInput("发送时间").nullish(),
};
export const pushInput = z.object({ ...content, ...audience });
export type PushInput = z.output<typeof pushInput>;

/** Whom a push can name one by one: those that what was typed finds, or just these, each in the first of the own stores. */
export const pushPeople = pushes.get("/people", "推送对象选项", ["18.add", "18.edit"], {
  perMinute: 240,
  query: z.object({
    kind: z.enum(words(KINDS)).default("renter"),
    keyword: z.string().trim().max(50, "关键字最多50个字").default(""),
    ids: idList,
    pageSize: z.coerce.number().int().min(1).max(500).default(20),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      name: f.person("姓名"),
      phone: f.phone("手机"),
      room: f.room("房间"),
      villageId: f.id,
    }),
  ),
});

/** Buildings of the stores that a push goes to. */
export const pushBuildings = pushes.get("/buildings", "推送楼栋选项", ["18.add", "18.edit"], {
  perMinute: 240,
  query: z.object({ villageIds: idList }),
  reply: z.array(z.object({ id: f.id, name: f.text("楼栋"), villageName: f.text("门店") })),
});

const recipient = z.object({
  id: f.id,
  name: f.person("姓名"),
  channel: f.status("渠道", CHANNELS),
  address: f.phone("接收号码"),
  body: f.text("内容"),
  parts: f.number("条数"),
  state: f.status("状态", RECIPIENT_STATES),
  reason: f.text("原因"),
  tries: f.number("次数"),
  doneAt: f.instant("时间").nullable(),
  partyId: f.id,
});
export const listRecipients = pushes.get("/:id/recipients", "推送对象", ["18.get", "18.query"], {
  query: pageQuery("id").extend({ state: wordList(words(RECIPIENT_STATES)) }),
  reply: pageReply(recipient),
});

export const exportRecipients = exportOf({
  type: "pushRecipient",
  title: "推送对象",
  needs: "18.export",
  list: listRecipients,
  personal: true,
});

/** Whoever asked not to be written to any more. */
export const optOut = pushes.put("/recipient/:id/optOut", "登记退订", "18.edit", { reply: z.null() });

export const pushRow = z.object({
  id: f.id,
  number: f.link("编号"),
  title: f.text("标题"),
  category: f.status("类别", CATEGORIES),
  channels: f.tags("渠道", CHANNELS),
  villageName: f.text("门店"),
  recipients: f.number("对象", { unit: "人" }),
  done: f.number("已发"),
  delivered: f.number("送达"),
  failed: f.number("失败"),
  skipped: f.number("跳过"),
  parts: f.number("短信条数", { unit: "条" }),
  sendAt: f.instant("发送时间").nullable(),
  state: f.status("状态", PUSH_STATES),
  creatorName: f.person("创建人"),
  createdAt: f.instant("创建时间"),
  version: f.version,
});

const sentIn = { kind: "days", title: "发送时间", from: "from", to: "to" } as const;
export const listPushes = pushes.get("", "推送任务", "18.query", {
  query: pageQuery("createdAt", "sendAt").extend({
    villageIds: filter.villages(),
    category: filter.choices("类别", CATEGORIES),
    channel: filter.choices("渠道", CHANNELS),
    state: filter.choices("状态", PUSH_STATES),
    from: filter.by(f.dayInput("发送起").optional(), sentIn),
    to: filter.by(f.dayInput("发送止").optional(), sentIn),
    /** The page offers those who may write to customers. */
    creatorId: filter.by(z.coerce.number().pipe(f.id).optional(), {
      kind: "choice",
      title: "创建人",
      source: PEOPLE,
    }),
    keyword: filter.keyword("编号、标题"),
  }),
  reply: pageReply(pushRow, z.object({ recipients: f.number("对象"), parts: f.number("短信条数") })),
});

export const getPush = pushes.get("/:id", "推送详情", ["18.get", "18.query"], {
  reply: pushRow.extend({
    body: f.text("推送内容"),
    templateName: f.text("模板"),
    audience: audienceInput,
    templateId: f.id.nullable(),
    at: f.instant("定时发送").nullable(),
    startedAt: f.instant("开始时间").nullable(),
    endedAt: f.instant("结束时间").nullable(),
    /** Channels that no service is connected to: what they send is kept here for administrators. */
    keptHere: z.array(z.enum(words(CHANNELS))),
  }),
});

/** A push is on its way, part by part. */
export const pushSending = event("push.sending", z.object({ id: f.id }));

/** A push may be due. */
export const pushScheduled = event("push.scheduled", z.object({ id: f.id }));

/** How many would get what, before anything is kept. */
export const previewPush = pushes.post("/preview", "推送预览", ["18.add", "18.edit"], {
  effect: "read",
  body: z.object({
    ...audience,
    ...content,
    title: content.title.optional(),
    body: content.body.optional(),
    channels: content.channels.optional(),
    category: content.category.optional(),
  }),
  reply: z.object({
    people: z.number().int(),
    /** Messages that will be sent, over all channels. */
    messages: z.number().int(),
    parts: z.number().int(),
    skipped: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    sample: z.array(z.object({ id: f.id, name: z.string(), address: z.string(), text: z.string() })),
    /** When it goes, should quiet hours hold it back. */
    movedTo: z.string().nullable(),
    keptHere: z.array(z.enum(words(CHANNELS) as [Channel, ...Channel[]])),
  }),
});

export const addPush = pushes.post("", "新增推送", "18.add", {
  body: pushInput,
  reply: z.object({ id: f.id, number: z.string() }),
});
const family = recordCalls({ path: BASE, code: 18, title: "推送草稿", target: "pushTask" });

export const editPush = family.edit(pushInput, { summary: "编辑推送", reply: z.null() });
export const removePush = family.delete();

const moved = (verb: string, summary: string) =>
  pushes.put(`/:id/${verb}`, summary, "18.edit", {
    body: z.object({ version: f.version }),
    reply: z.object({ state: f.status("状态", PUSH_STATES) }),
  });
export const submitPush = moved("submit", "提交推送");
export const cancelPush = moved("cancel", "取消推送");
export const stopPush = moved("stop", "停止推送");
export const retryPush = moved("retry", "重发失败对象");

/** To the own phone and address, as a receiver would read it. */
export const testPush = pushes.post("/test", "测试推送", ["18.add", "18.edit"], {
  perMinute: 10,
  body: z.object({
    title: content.title,
    category: content.category,
    body: content.body,
    templateId: content.templateId,
  }),
  reply: z.object({ phone: f.phone("手机") }),
});
