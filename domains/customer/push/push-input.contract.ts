import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";
import { bodyText } from "../../system/template/template.contract.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { CATEGORIES, KINDS, RECIPIENT_STATES, STAGES } from "./push.rules.ts";

export const BASE = "/customer/api/v3/push";
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
export const pushPeople = call({
  method: "GET",
  path: `${BASE}/people`,
  summary: "推送对象选项",
  needs: ["18.add", "18.edit"],
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
export const pushBuildings = call({
  method: "GET",
  path: `${BASE}/buildings`,
  summary: "推送楼栋选项",
  needs: ["18.add", "18.edit"],
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
export const listRecipients = call({
  method: "GET",
  path: `${BASE}/:id/recipients`,
  summary: "推送对象",
  needs: ["18.get", "18.query"],
  params: pushId,
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
export const optOut = call({
  method: "PUT",
  path: `${BASE}/recipient/:id/optOut`,
  summary: "登记退订",
  needs: "18.edit",
  target: "pushTask",
  params: pushId,
  reply: z.null(),
});
