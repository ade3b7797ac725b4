import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { HOURS } from "../../system/message/setting.contract.ts";
import { CHANNELS, type Channel } from "../../system/template/template.rules.ts";
import { daysRefusal, EVENTS, RECEIVERS, STOPS } from "./reminder.rules.ts";

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
