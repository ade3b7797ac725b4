import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { choice, tags } from "../../../platform/kernel/field.ts";
import { ALARM_LEVELS, MESSAGE_TYPES } from "./message.rules.ts";

const PATH = "/system/api/v3/message/setting" as const;
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

export const getMessageSetting = call({
  method: "GET",
  path: PATH,
  summary: "消息接收设置",
  needs: "login",
  reply: setting,
});

export const putMessageSetting = call({
  method: "PUT",
  path: PATH,
  summary: "保存消息接收设置",
  needs: "login",
  target: "message",
  body: setting,
  reply: z.null(),
});
