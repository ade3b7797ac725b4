import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { CHANNELS, TEMPLATE_STATE, unknownVariable, type Channel } from "./template.rules.ts";

const BASE = "/system/api/v3/messageTemplate";
const byId = z.object({ id: z.coerce.number().pipe(f.id) });
const CHANNEL_KEYS = Object.keys(CHANNELS) as [Channel, ...Channel[]];

/** A text with gaps; only known ones. */
export const bodyText = (title: string) =>
  z
    .string({ error: `请输入${title}` })
    .trim()
    .min(1, `请输入${title}`)
    .max(1000, `${title}最多1000个字`)
    .superRefine((text, ctx) => {
      const message = unknownVariable(text);
      if (message) ctx.addIssue({ code: "custom", message, input: text });
    })
    .meta({ title, kind: "text", max: 1000 });

const fields = {
  name: f.input("模板名称", 2, 30),
  channel: f.choice("渠道", CHANNELS),
  outsideId: f.remark("通道模板编号", 50).default(""),
  title: f.remark("标题", 50).default(""),
  body: bodyText("模板内容"),
};

const row = z.object({
  id: f.id,
  name: f.link("模板名称"),
  channel: f.status("渠道", CHANNELS),
  title: f.text("标题"),
  body: f.text("内容"),
  outsideId: f.text("通道模板编号"),
  state: f.status("状态", TEMPLATE_STATE),
  updaterName: f.person("更新人"),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});

/** Whoever writes to customers picks from them. */
export const listTemplates = call({
  method: "GET",
  path: BASE,
  summary: "消息模板",
  needs: ["251.query", "18.add", "18.edit"],
  query: pageQuery("updatedAt", "name").extend({
    ids: idList,
    channel: wordList(CHANNEL_KEYS),
    state: z.enum(["on", "off"]).optional(),
    keyword: z.string().trim().max(50).optional(),
  }),
  reply: pageReply(row),
});

export const addTemplate = call({
  method: "POST",
  path: BASE,
  summary: "新增消息模板",
  needs: "251.add",
  target: "messageTemplate",
  body: z.object(fields),
  reply: z.object({ id: f.id }),
});

export const editTemplate = call({
  method: "PUT",
  path: `${BASE}/:id`,
  summary: "编辑消息模板",
  needs: "251.edit",
  target: "messageTemplate",
  params: byId,
  body: z.object({ ...fields, enabled: f.flag("启用").default(true), version: f.version }),
  reply: z.null(),
});

export const removeTemplate = call({
  method: "DELETE",
  path: `${BASE}/:id`,
  summary: "删除消息模板",
  needs: "251.delete",
  target: "messageTemplate",
  params: byId,
  query: z.object({ version: z.coerce.number().int() }),
  reply: z.null(),
});
