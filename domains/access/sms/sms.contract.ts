import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { mobile } from "../../../platform/kernel/texts/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { OUTBOX_WORDS } from "./sms.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const at = callsAt("/system/api/v3/outbox", "outbox");

/** 1 register, 2 recover, 3 and 4 change phone (both readings of the specification stand), 5 change password. */
export const CODE_TYPES = [1, 2, 3, 4, 5] as const;

/** Sends a code to a phone. Answers alike whether the number is known, so that nobody can ask who works here. */
export const sendVerification = callsAt("/system/api/v4/login/sendVerification", "smsCode").post(
  "",
  "发送短信验证码",
  "public",
  {
    knows: true,
    perMinute: 30,
    body: z.object({
      phone: f.checked("手机", mobile),
      type: z.coerce.number().pipe(
        z.union(
          CODE_TYPES.map((type) => z.literal(type)),
          { error: "请选择验证码类型" },
        ),
      ),
      imageCode: f.secret(z.string({ error: "请输入图形验证码" }).trim().min(1, "请输入图形验证码").max(10)),
      imageCodeKey: f.secret(z.string({ error: "图形验证码错误或已失效" }).max(64)),
    }),
    reply: z.null(),
  },
);

const SENT = { kind: "days", title: "时间", from: "from", to: "to" } as const;
/**
 * What left the house by text message. It is the deployment's, not an enterprise's: only who runs the platform sees it. A
 * code can be read here only while no provider is connected.
 */
export const listOutbox = at.get("", "短信发件箱", "super", {
  query: pageQuery("createdAt").extend({
    state: filter.choices("状态", OUTBOX_WORDS),
    keyword: filter.keyword("手机号或尾号", 20),
    from: filter.by(f.dayInput("起").optional(), SENT),
    to: filter.by(f.dayInput("止").optional(), SENT),
  }),
  reply: pageReply(
    z.object({
      id: f.id,
      createdAt: f.instant("时间"),
      phone: f.phone("接收号码"),
      template: f.text("模板"),
      text: f.text("内容"),
      state: f.status("状态", OUTBOX_WORDS),
      attempts: f.number("发送次数"),
      carrier: f.text("通道"),
      error: f.text("失败原因"),
      sentAt: f.instant("发出时间").nullable(),
    }),
  ),
});

export const resend = at.put("/:id/resend", "重发短信", "super", { reply: z.null() });

/** A message lies in the outbox. */
export const outboxFilled = event("outbox.filled", z.object({ id: f.id }));
