import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import {
  CHANNELS,
  TEMPLATE_EVENTS,
  TEMPLATE_STATE,
  unknownVariable,
  type TemplateEvent,
} from "./template.rules.ts";
import { recordCalls, callsAt } from "../../../platform/kernel/records.ts";

const BASE = "/system/api/v3/messageTemplate";
const messageTemplates = callsAt(BASE, "messageTemplate");

const written = (title: string) =>
  z
    .string({ error: `请输入${title}` })
    .trim()
    .min(1, `请输入${title}`)
    .max(1000, `${title}最多1000个字`);

/** A text with gaps that staff send by hand; only known ones. */
export const bodyText = (title: string) =>
  written(title)
    .superRefine((text, ctx) => {
      const message = unknownVariable(text);
      if (message) ctx.addIssue({ code: "custom", message, input: text });
    })
    .meta({ title, kind: "text", max: 1000, wording: "template" });

const fields = {
  name: f.input("模板名称", 2, 30),
  event: f.choice("事件", TEMPLATE_EVENTS).default("any"),
  channel: f.choice("渠道", CHANNELS),
  outsideId: f.remark("通道模板编号", 50).default(""),
  title: f.remark("标题", 50).default(""),
  body: written("模板内容").meta({ title: "模板内容", kind: "text", max: 1000, wording: "template" }),
};

/** Which gaps a text may have follows from what it is written for. */
const fits = ({ body, event }: { body: string; event: TemplateEvent }, ctx: z.RefinementCtx) => {
  const message = unknownVariable(body, event);
  if (message) ctx.addIssue({ code: "custom", path: ["body"], message, input: body });
};

export const templateRow = z.object({
  id: f.id,
  name: f.link("模板名称"),
  event: f.status("事件", TEMPLATE_EVENTS),
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
export const listTemplates = messageTemplates.get("", "消息模板", ["251.query", "18.add", "18.edit"], {
  query: pageQuery("updatedAt", "name").extend({
    ids: idList,
    channel: filter.choices("渠道", CHANNELS),
    event: filter.choices("事件", TEMPLATE_EVENTS),
    state: filter.choice("状态", TEMPLATE_STATE),
    keyword: filter.keyword("名称、内容"),
  }),
  reply: pageReply(templateRow),
});

const family = recordCalls({ path: BASE, code: 251, title: "消息模板", target: "messageTemplate" });

export const addTemplate = family.add(z.object(fields).superRefine(fits));

export const editTemplate = messageTemplates.put("/:id", "编辑消息模板", "251.edit", {
  body: z.object({ ...fields, enabled: f.flag("启用").default(true), version: f.version }).superRefine(fits),
  reply: z.null(),
});

export const removeTemplate = family.delete();
