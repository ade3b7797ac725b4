import { z } from "zod";
import { dayInput, id, link, text } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { check, type Validator } from "../../../platform/kernel/validators.ts";
import { versionNote } from "../../../platform/kernel/texts/version-note.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const PATH = "/system/api/v3/version" as const;
const versions = callsAt(PATH, "versionNote");

export const versionRow = z.object({
  id,
  version: link("版本号"),
  /** "2026-11-20 10:00:00" on the business's clocks. */
  releaseTime: text("发布时间"),
  type: text("类型"),
  module: text("模块"),
  content: text("内容"),
});

const word = (title: string, max: number) =>
  filter.by(z.string().trim().max(max).optional(), { kind: "text", title });

export const listVersions = versions.get("", "版本说明", "login", {
  query: pageQuery("releaseTime").extend({
    version: word("版本号", 64),
    module: word("模块", 200),
    type: word("类型", 64),
    ...filter.between("from", "to", dayInput("日期").optional(), { kind: "days", title: "发布时间" }),
  }),
  reply: pageReply(versionRow),
});

/** A field with the sentences of the specification, also when it is left out. */
const typed = (title: string, validator: Validator, missing: string, max?: number) =>
  z
    .string({ error: missing })
    .trim()
    .superRefine(check(validator))
    .meta({ title, kind: "text", ...(max && { max }) });

const fields = {
  releaseTime: typed("发布时间", versionNote.releaseTime, "请选择发布时间"),
  version: typed("版本号", versionNote.version, "请输入版本号", 64),
  module: typed("模块", versionNote.module, "请输入模块", 200),
  type: typed("类型", versionNote.type, "请输入类型", 64),
  content: typed("内容", versionNote.content, "请输入相关内容", 200),
};

/** Whoever runs the platform writes notes. */
export const addVersion = versions.post("", "新增版本说明", "super", {
  body: z.object(fields),
  reply: z.object({ id }),
});

export const editVersion = versions.put("", "编辑版本说明", "super", {
  body: z.object({ id, ...fields }),
  reply: z.object({ id }),
});

export const deleteVersion = versions.delete("/:id", "删除版本说明", "super", { reply: z.null() });
