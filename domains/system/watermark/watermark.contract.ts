import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { id, some, version, whole } from "../../../platform/kernel/field.ts";
import { SCOPES, strangePlaceholder, type Scope } from "./watermark.rules.ts";

const PATH = "/system/api/v3/watermarkConfig" as const;
const watermarks = callsAt(PATH, "watermark");
const scopes = Object.keys(SCOPES) as [Scope, ...Scope[]];

const CONTENT = "水印内容为1到60个字";
const content = z
  .string({ error: "请输入水印内容" })
  .trim()
  .min(1, CONTENT)
  .max(60, CONTENT)
  .superRefine((value, ctx) => {
    const strange = strangePlaceholder(value);
    if (strange) ctx.addIssue({ code: "custom", message: `没有 ${strange} 这个变量` });
  })
  .meta({ title: "水印内容", kind: "text", max: 60, wording: "template" });

const config = z.object({
  enabled: z.boolean().meta({ title: "启用水印", kind: "flag" }),
  content,
  opacity: whole("不透明度", 5, 30, { unit: "%" }),
  angle: whole("角度", -90, 90, { unit: "度" }),
  gap: whole("间距", 40, 400, { unit: "像素" }),
  scopes: some(scopes).min(1, "请选择使用范围").meta({ title: "使用范围", kind: "tags", words: SCOPES }),
  /** Operators who see one of these; none means all. */
  villageIds: z.array(id).max(500).default([]).meta({ title: "适用门店", kind: "tags" }),
});

/** The mark over the caller's pages, filled with the caller's own name; null when there is none. */
export const watermarkContent = watermarks.get("/content", "水印内容", "login", {
  reply: z.object({ text: z.string(), opacity: z.number(), angle: z.number(), gap: z.number() }).nullable(),
});

export const getWatermark = watermarks.get("", "水印配置", "256.query", {
  /** Version 0: nobody has chosen anything yet. */
  reply: config.extend({ version: z.number().int() }),
});

export const putWatermark = watermarks.put("", "保存水印配置", "256.edit", {
  body: config.extend({ version: version.or(z.literal(0)) }),
  reply: z.object({ version: z.number().int() }),
});
