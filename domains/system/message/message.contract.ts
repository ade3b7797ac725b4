import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { event } from "../../../platform/kernel/event.ts";
import { choice, dayInput, id, instant, link, tags, text } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { ALARM_LEVELS, MESSAGE_TYPES, READ_WORDS } from "./message.rules.ts";

const BASE = "/system/api/v3/message" as const;
const at = callsAt(BASE, "message");

const type = z.number().int().min(1).max(8).meta({ title: "类型", kind: "status", words: MESSAGE_TYPES });
const status = z.number().int().min(0).max(1).meta({ title: "状态", kind: "status", words: READ_WORDS });
const typeQuery = z.coerce.number().pipe(z.number().int().min(1, "消息类型不正确").max(8, "消息类型不正确"));

export const messageRow = z.object({
  id,
  status,
  title: link("标题"),
  type,
  villageName: text("门店"),
  summary: text("摘要"),
  pushTime: instant("时间"),
  /** The record it is about: a kind of the logs, and its id. */
  bizType: z.string(),
  bizId: id.nullable(),
  /** The kind of its page, where it has one. */
  opens: z.string().nullable(),
});

export const listMessages = at.get("", "消息列表", "login", {
  query: pageQuery("pushTime").extend({
    type: typeQuery.optional(),
    status: filter.choice("状态", READ_WORDS),
    villageIds: filter.villages(),
    ...filter.between("from", "to", dayInput("日期").optional(), { kind: "days", title: "时间" }),
    keyword: filter.keyword("标题、内容", 100),
  }),
  reply: pageReply(messageRow),
});

/** Unread messages: all of them, and by type. `quiet` while the operator does not want to see the number. */
export const messageNumbers = at.get("/num", "未读消息数", "login", {
  reply: z.object({
    totalNum: z.number().int(),
    numList: z.array(
      z.object({ type: z.number().int(), typeName: z.string(), status: z.literal(0), num: z.number().int() }),
    ),
    quiet: z.boolean(),
  }),
});

/** The five newest unread ones, for the bell. */
export const topMessages = at.get("/top", "最新未读消息", "login", {
  reply: z.array(z.object({ id, title: z.string(), pushTime: z.string(), type: z.number().int() })),
});

export const getMessage = at.get("/detail", "消息详情", "login", {
  query: z.object({ id: z.coerce.number({ error: "请选择消息" }).pipe(id) }),
  reply: messageRow.extend({
    content: text("内容"),
    /** Label and value pairs: room, party, amount. */
    facts: z.array(z.tuple([z.string(), z.string()])),
    /** The record is still there and within the operator's villages. */
    open: z.boolean(),
  }),
});

const byIds = z.object({ ids: idList });
/** So many of one's own messages changed; ids of others count as none. */
const changed = z.object({ changed: z.number().int() });

export const readMessages = at.put("/read", "标记消息已读", "login", { query: byIds, reply: changed });

export const readAllMessages = at.put("/allRead", "某类消息全部已读", "login", {
  query: z.object({ type: typeQuery }),
  reply: changed,
});

export const deleteMessages = at.put("/delete", "删除消息", "login", { query: byIds, reply: changed });

/** A message waits to be given to so many readers. */
export const messageTold = event("message.told", z.object({ messageId: id, to: z.array(id) }));

const PATH = "/system/api/v3/message/setting" as const;
const settings = callsAt(PATH, "message");
const hours = Array.from({ length: 48 }, (_, i) =>
  [String(Math.floor(i / 2)).padStart(2, "0"), i % 2 ? "30" : "00"].join(":"),
);
/** The half hours of a day. */
export const HOURS = Object.fromEntries(hours.map((hour) => [hour, [hour, "grey"] as const]));

const setting = z
  .object({
    /** Types that arrive; 1 and 7 do in any case. */
    types: tags("站内接收", MESSAGE_TYPES),
    /** The same by e-mail and text message, to one's own address and number. */
    mailed: tags("邮件接收", MESSAGE_TYPES).default([]),
    texted: tags("短信接收", MESSAGE_TYPES).default([]),
    quietFrom: choice("免打扰开始", HOURS).nullish(),
    quietTo: choice("免打扰结束", HOURS).nullish(),
    alarmLevel: choice("告警级别", ALARM_LEVELS).default("1"),
  })
  .superRefine((value, ctx) => {
    const [from, to] = [value.quietFrom ?? null, value.quietTo ?? null];
    if (from !== null && from === to)
      ctx.addIssue({ code: "custom", path: ["quietTo"], message: "结束时间不能与开始时间相同" });
    if ((from === null) === (to === null)) return;
    const path = from === null ? "quietFrom" : "quietTo";
    ctx.addIssue({ code: "custom", path: [path], message: "请同时选择开始和结束时间" });
  });

export const getMessageSetting = settings.get("", "消息接收设置", "login", { reply: setting });

export const putMessageSetting = settings.put("", "保存消息接收设置", "login", {
  body: setting,
  reply: z.null(),
});
