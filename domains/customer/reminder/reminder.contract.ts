import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { HOURS } from "../../system/message/message.contract.ts";
import { CHANNELS, type Channel } from "../../system/template/template.rules.ts";
import { EVENTS, RECEIVERS, RULE_STATES, STOPS, daysRefusal } from "./reminder.rules.ts";

const several = <K extends string>(title: string, w: f.Words<K>) =>
  f.some(Object.keys(w) as [K, ...K[]], `请选择${title}`).meta({ title, kind: "tags", words: w });
const ids = (title: string) => z.array(f.id).max(500).default([]).meta({ title, kind: "link" });
const templateId = f.pick("模板").nullish();

const fields = {
  name: f.input("规则名称", 2, 30),
  event: f.choice("事件", EVENTS),
  offsets: z
    .array(z.number().int("提醒日须为整数"), { error: "请选择提醒日" })
    .min(1, "请选择提醒日")
    .max(10, "提醒日最多10个")
    .meta({ title: "提醒日", kind: "tags" }),
  sendAt: f.choice("发送时间", HOURS),
  channels: several("渠道", CHANNELS).min(1, "请选择渠道"),
  templateIds: z
    .object({ inApp: templateId, sms: templateId, email: templateId })
    .default({})
    .meta({ title: "模板", kind: "link" }),
  receivers: several("接收人", RECEIVERS).min(1, "请选择接收人"),
  roleIds: ids("员工角色"),
  /** Empty: all stores of the company. */
  villageIds: ids("门店"),
  mergePerPayer: f.flag("合并发送").default(true),
  stopOn: several("暂停提醒", STOPS).default(["disputed", "promised"]),
  monthlyCap: f.whole("每月上限", 1, 30, { unit: "条" }),
};
type Fields = z.output<z.ZodObject<typeof fields>>;

/** What no field can say alone. */
const whole = (rule: Fields, ctx: z.RefinementCtx) => {
  const wrong = (path: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [path], message, input: rule });
  const days = daysRefusal(rule.event, rule.offsets);
  if (days) wrong("offsets", days);
  const bare = rule.channels.find((channel: Channel) => !rule.templateIds[channel]);
  if (bare) wrong("templateIds", `请选择${CHANNELS[bare][0]}模板`);
  if (rule.receivers.includes("operator") && !rule.roleIds.length) wrong("roleIds", "请选择员工角色");
};

export const reminderInput = <M extends z.ZodRawShape = Record<never, never>>(more: M = {} as M) =>
  z.object({ ...fields, ...more }).superRefine(whole as never);
export type ReminderInput = Fields;

const BASE = "/system/api/v3/reminderRule";
const reminderRules = callsAt(BASE, "reminderRule");
const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];

const row = z.object({
  id: f.id,
  name: f.link("规则名称"),
  event: f.status("事件", EVENTS),
  offsets: z.array(z.number().int()).meta({ title: "提醒日", kind: "text" }),
  sendAt: f.text("发送时间"),
  channels: f.tags("渠道", CHANNELS),
  receivers: f.tags("接收人", RECEIVERS),
  villageNames: f.text("门店"),
  monthlyCap: f.number("每月上限", { unit: "条" }),
  state: f.status("状态", RULE_STATES),
  ranOn: f.day("最近执行").nullable(),
  updaterName: f.person("更新人"),
  updatedAt: f.instant("更新时间"),
  /** Whether this operator answers for all of its stores. */
  mine: z.boolean(),
  version: f.version,
});
export type ReminderRow = z.output<typeof row>;

export const listReminders = reminderRules.get("", "催缴与提醒规则", "251.query", {
  query: pageQuery("updatedAt", "name").extend({
    ids: idList,
    villageIds: filter.villages(),
    event: filter.choices("事件", EVENTS),
    channel: filter.choices("渠道", CHANNELS),
    state: filter.choice("状态", RULE_STATES),
    keyword: filter.keyword("规则名称"),
  }),
  reply: pageReply(row),
});

export const getReminder = reminderRules.get("/:id", "提醒规则详情", ["251.query", "251.get"], {
  target: "reminderRule",
  reply: row.extend({
    /** Empty: all stores of the company. */
    villageIds: z.array(f.id),
    roleIds: z.array(f.id),
    roleNames: f.text("员工角色"),
    mergePerPayer: f.flag("合并发送"),
    stopOn: f.tags("暂停提醒", STOPS),
    ways: z.array(
      z.object({
        channel: f.status("渠道", CHANNELS),
        templateId: f.id,
        templateName: f.text("模板"),
        body: f.text("内容"),
      }),
    ),
    /** Once it has sent something it can be switched off, not removed. */
    used: z.boolean(),
  }),
});

const family = recordCalls({ path: BASE, code: 251, title: "提醒规则", target: "reminderRule" });

export const addReminder = family.add(reminderInput());

export const editReminder = reminderRules.put("/:id", "编辑提醒规则", "251.edit", {
  body: reminderInput({ version: f.version }),
  reply: z.null(),
});

export const enableReminder = family.enable({ reply: z.null() });
export const disableReminder = family.disable({ reply: z.null() });
export const removeReminder = family.delete();

/** Who would get it today, in the stores of whoever asks. */
export const previewReminder = reminderRules.post("/:id/preview", "提醒规则预览", ["251.query", "251.get"], {
  effect: "read",
  reply: z.object({
    people: z.number().int(),
    messages: z.number().int(),
    parts: z.number().int(),
    skipped: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    sample: z.array(
      z.object({
        id: f.id,
        name: f.person("客户"),
        channel: f.status("渠道", CHANNELS),
        address: f.phone("接收号码"),
        day: f.text("提醒日"),
        records: f.text("单据"),
        text: f.text("内容"),
      }),
    ),
    /** Staff that hear of it. */
    operators: z.number().int(),
    /** "09:00" in the first of its stores, and whether the quiet hours of any moved it. */
    at: z.string(),
    moved: z.boolean(),
    /** It has been through with today. */
    ran: z.boolean(),
    sentToday: z.number().int(),
    keptHere: z.array(z.enum(words(CHANNELS))),
  }),
});
