import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { CHANNELS, type Channel } from "../../system/template/template.rules.ts";
import { audience, BASE, content, pushId, pushInput, words } from "./push-input.contract.ts";
import { PUSH_STATES } from "./push.rules.ts";
import { recordCalls } from "../../../platform/kernel/records.ts";

/** How many would get what, before anything is kept. */
export const previewPush = call({
  method: "POST",
  path: `${BASE}/preview`,
  summary: "推送预览",
  needs: ["18.add", "18.edit"],
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

export const addPush = call({
  method: "POST",
  path: BASE,
  summary: "新增推送",
  needs: "18.add",
  target: "pushTask",
  body: pushInput,
  reply: z.object({ id: f.id, number: z.string() }),
});
const family = recordCalls({ path: BASE, code: 18, title: "推送草稿", target: "pushTask" });

export const editPush = family.edit(pushInput, { summary: "编辑推送", reply: z.null() });
export const removePush = family.delete();

const moved = (verb: string, summary: string) =>
  call({
    method: "PUT",
    path: `${BASE}/:id/${verb}`,
    summary,
    needs: "18.edit",
    target: "pushTask",
    params: pushId,
    body: z.object({ version: f.version }),
    reply: z.object({ state: f.status("状态", PUSH_STATES) }),
  });
export const submitPush = moved("submit", "提交推送");
export const cancelPush = moved("cancel", "取消推送");
export const stopPush = moved("stop", "停止推送");
export const retryPush = moved("retry", "重发失败对象");

/** To the own phone and address, as a receiver would read it. */
export const testPush = call({
  method: "POST",
  path: `${BASE}/test`,
  summary: "测试推送",
  needs: ["18.add", "18.edit"],
  target: "pushTask",
  perMinute: 10,
  body: z.object({
    title: content.title,
    category: content.category,
    body: content.body,
    templateId: content.templateId,
  }),
  reply: z.object({ phone: f.phone("手机") }),
});
