import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { HTML_MAX } from "./html.rules.ts";
import { DOC_KINDS } from "./doc-kind.rules.ts";
import { DRAFT_STATES, SAMPLES, TEMPLATE_STATES, VERSION_STATES } from "./template.rules.ts";
import { PARTY_WORDS } from "../terms/kind.rules.ts";

const BASE = "/system/api/v3/template";
const family = recordCalls({ path: BASE, code: 10, title: "模板", target: "template" });
const templates = callsAt(BASE, "template");

const CODE = "编码由字母、数字和短横线组成，最多30位";
const code = f.worded(
  "program",
  z
    .string({ error: "请输入编码" })
    .trim()
    .regex(/^[A-Za-z0-9-]{1,30}$/, CODE)
    .meta({ title: "编码", kind: "text", max: 30 }),
);
const name = f.input("名称", 2, 30);
const villageIds = f
  .ids()
  .min(1, "请选择门店")
  .max(2000, "门店最多2000个")
  .meta({ title: "门店", kind: "text" });

const line = (title: string) =>
  z
    .string()
    .trim()
    .max(60, `${title}最多60个字`)
    .default("")
    .meta({ title, kind: "text", max: 60, wording: "template" });
/** What a version says. Its HTML is cleaned by html.rules.ts before anything is done with it. */
const wording = {
  html: z
    .string({ error: "请输入正文" })
    .max(HTML_MAX, `模板内容过大，最多 ${HTML_MAX / 1000}KB`)
    .meta({ title: "正文", kind: "text", wording: "marked" }),
  head: line("页眉"),
  foot: line("页脚"),
};

const row = z.object({
  id: f.id,
  code: f.text("编码"),
  name: f.link("名称"),
  docKind: f.status("文件类型", DOC_KINDS),
  contractKind: f.status("合同类型", PARTY_WORDS).nullable(),
  /** "3 个门店": those of them that the reader may see by name. */
  villages: f.text("适用门店"),
  /** Version that is in force today, or waits. */
  no: f.number("当前版本").nullable(),
  versionId: f.id.nullable(),
  effectiveFrom: f.day("生效日").nullable(),
  uses: f.number("使用次数", { help: "按此模板签约的合同和办理的文件份数，每个版本各最多数到一千" }),
  draft: f.status("草稿", DRAFT_STATES),
  state: f.status("状态", TEMPLATE_STATES),
  updatedBy: f.person("更新人"),
  updatedAt: f.instant("更新时间"),
  /** Stores that would have no template of this kind without it. */
  aloneIn: z.string(),
  /** All of its villages are the reader's: only then it can be changed. */
  editable: z.boolean(),
  version: f.version,
});

export const listTemplates = family.list(
  pageQuery("updatedAt", "code", "name").extend({
    villageIds: filter.villages(),
    docKind: filter.choices("文件类型", DOC_KINDS),
    contractKind: filter.choice("合同类型", PARTY_WORDS),
    state: filter.choice("状态", TEMPLATE_STATES),
    keyword: filter.keyword("名称、编码"),
  }),
  row,
);

export const TEMPLATES: filter.Source = {
  call: listTemplates,
  option: (t: { id: number; name: string; code: string }) => ({ value: t.id, label: t.name, note: t.code }),
};

/** With the text to be edited: the draft, where there is one. */
export const templateDetail = row.extend({
  villageIds: z.array(f.id),
  draftNo: z.number().int().nullable(),
  html: z.string(),
  head: f.text("页眉"),
  foot: f.text("页脚"),
});
export const getTemplate = family.get(templateDetail);

export const addTemplate = family.add(
  z.object({
    code,
    name,
    docKind: f.choice("文件类型", DOC_KINDS),
    contractKind: f.choice("合同类型", PARTY_WORDS).nullish(),
    villageIds,
  }),
);

export const editTemplate = family.edit(z.object({ name, villageIds, ...wording }), {
  reply: z.object({
    id: f.id,
    version: f.version,
    /** Tags that were taken out of the text. */
    removed: z.array(z.string()),
  }),
});

export const deleteTemplate = family.delete();

export const copyTemplate = templates.post("/:id/copy", "复制模板", "10.add", {
  body: z.object({ code, name }),
  reply: z.object({ id: f.id }),
});

const changed = z.object({ id: f.id, version: f.version });
export const publishTemplate = templates.post("/:id/publish", "发布模板", "10.enable", {
  body: z.object({ effectiveFrom: f.dayInput("生效日"), version: f.version }),
  reply: changed.extend({ no: z.number().int() }),
  timeout: 60_000,
  perMinute: 60,
});
export const disableTemplate = templates.post("/:id/disable", "停用模板", "10.disable", {
  body: z.object({ version: f.version }),
  reply: changed,
});
export const enableTemplate = templates.post("/:id/enable", "启用模板", "10.enable", {
  body: z.object({ version: f.version }),
  reply: changed,
});

const versionRow = z.object({
  id: f.id,
  no: f.number("版本"),
  state: f.status("状态", VERSION_STATES),
  effectiveFrom: f.day("生效日").nullable(),
  publishedBy: f.person("发布人").nullable(),
  publishedAt: f.instant("发布时间").nullable(),
  uses: f.number("使用次数"),
  hash: f.text("SHA-256").nullable(),
});
export const templateVersions = templates.get("/:id/versions", "模板版本", "10.get", {
  reply: z.array(versionRow),
});

const versionId = z.coerce.number().pipe(f.id);
export const compareVersions = templates.get("/:id/compare", "比较模板版本", "10.get", {
  query: z.object({ from: versionId, to: versionId }),
  reply: z.object({
    from: z.number().int(),
    to: z.number().int(),
    lines: z.array(z.object({ kind: z.enum(["same", "added", "removed"]), text: z.string() })),
  }),
});

/** A version as PDF: with a made-up document, or with the newest one of a contract in scope. */
export const renderTemplate = call({
  method: "POST",
  path: `${BASE}/render`,
  summary: "预览模板",
  needs: "10.get",
  effect: "read",
  body: z.object({
    templateVersionId: f.pick("模板版本"),
    contractId: f.pick("合同").nullish(),
    sample: f.choice("样例", SAMPLES).default("renter"),
    /** Shown instead of what the version says: a text that is still being written. */
    text: z.object(wording).nullish(),
  }),
  timeout: 300_000,
  perMinute: 60,
});

export const templatePdf = templates.get("/:id/pdf", "导出模板", "10.export", {
  timeout: 60_000,
  perMinute: 60,
});
