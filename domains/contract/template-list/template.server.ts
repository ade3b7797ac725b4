import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { printed } from "../../system/paper/print.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { type Content, paperIn } from "../template/blocks.rules.ts";
import { defaultText } from "../template/default-text.rules.ts";
import * as calls from "../template/template.contract.ts";
import { contractKindOf, differences, linesOf } from "../template/template.rules.ts";
import type { Version } from "../template/template.service.ts";
import { publish } from "./publish.service.ts";
import { realContent } from "./real.service.ts";
import { specimenOf } from "./specimens.rules.ts";
import { newest, templateDetailOf, templates, versionSeen, versionsOf } from "./template.queries.ts";
import {
  type Template,
  enterpriseOfVillages,
  lockTemplate,
  makeTemplate,
  readText,
  saveText,
  villagesOfTemplate,
  writeVillages,
} from "./template.service.ts";

const noted = (act: Act, { id, name }: Pick<Template, "id" | "name">, action: string, summary: string) =>
  act.note({ kind: "template", recordId: id, number: name, action, summary });

async function drawn(read: Read, version: Version, content: Content) {
  const title = `${version.name} 第 ${version.no} 版`;
  const body = await printed(paperIn(version, content), title, await markOf(read, "pdfs"));
  const name = `${version.name}_第${version.no}版.pdf`;
  return { name, type: "application/pdf", body };
}

/** Switches a template on or off; its contracts keep what they have. */
const switches = (call: typeof calls.enableTemplate, enabled: boolean) =>
  serve(call, async (act, { params: { id }, body: { version } }) => {
    const template = await lockTemplate(act, id, version);
    const word = enabled ? "启用" : "停用";
    const published = (await versionsOf(act, id)).some((v) => v.state !== "draft");
    if (enabled && !published) throw new Refusal("notAllowed", "模板还没有发布过，请先发布");
    if (template.enabled === enabled || !published) throw new Refusal("notAllowed", `模板已${word}`);
    const { aloneIn } = await templates.one(act, id);
    const after = await revise(act, "documentTemplate", { id, version }, { enabled, ...stamp(act) });
    const more = !enabled && aloneIn ? `，${aloneIn} 将无可用模板` : "";
    await noted(act, template, word, `${word}模板 ${template.name}${more}`);
    return { id, version: after.version };
  });

export default [
  serveList(templates),

  serveRead(calls.getTemplate, (read, { params }) => templateDetailOf(read, params.id)),

  serve(calls.addTemplate, async (act, { body }) => {
    for (const villageId of body.villageIds) inScope(act.who, villageId);
    const text = { html: defaultText(body.docKind), head: "", foot: "" };
    const contractKind = contractKindOf(body.docKind, body.contractKind);
    const id = await makeTemplate(act, { ...body, contractKind }, text);
    await noted(act, { id, name: body.name }, "新增", `新增模板 ${body.name}（${body.code}）`);
    return { id };
  }),

  serve(calls.editTemplate, async (act, { params: { id }, body }) => {
    const { version, name, villageIds, ...text } = body;
    for (const villageId of villageIds) inScope(act.who, villageId);
    const template = await lockTemplate(act, id, version);
    if ((await enterpriseOfVillages(act, villageIds)) !== template.enterpriseId)
      throw invalid({ field: "villageIds", msg: "一份模板只能包含同一企业的门店" });
    const removed = await saveText(act, id, text);
    await writeVillages(act, id, villageIds);
    const after = await revise(act, "documentTemplate", { id, version }, { name, ...stamp(act) });
    await noted(act, after, "修改", `修改模板 ${name}`);
    return { id, version: after.version, removed };
  }),

  serve(calls.deleteTemplate, async (act, { params: { id }, query: { version } }) => {
    const template = await lockTemplate(act, id, version);
    const { uses } = await templates.one(act, id);
    if (uses) throw new Refusal("inUse", `模板已被 ${uses} 份文件使用，不能删除，可以停用`);
    await removeAt(act, "documentTemplate", { id, version });
    await noted(act, template, "删除", `删除模板 ${template.name}（${template.code}）`);
    return null;
  }),

  serve(calls.copyTemplate, async (act, { params: { id }, body: { code, name } }) => {
    const source = await templates.one(act, id);
    const mine = new Set(act.who.villages);
    const villageIds = (await villagesOfTemplate(act, id)).filter((one) => mine.has(one));
    const { html, head, foot } = await newest(act, id);
    const { docKind, contractKind } = source;
    const facts = { code, name, docKind, contractKind, villageIds };
    const made = await makeTemplate(act, facts, { html, head, foot });
    await noted(act, { id: made, name }, "复制", `由 ${source.name} 复制为模板 ${name}（${code}）`);
    return { id: made };
  }),

  serve(calls.publishTemplate, async (act, { params: { id }, body: { version, effectiveFrom } }) => {
    const template = await lockTemplate(act, id, version);
    const no = await publish(act, template, effectiveFrom);
    const after = await revise(act, "documentTemplate", { id, version }, { enabled: true, ...stamp(act) });
    await noted(act, template, "发布", `发布模板 ${template.name} 第 ${no} 版，${effectiveFrom} 起生效`);
    return { id, version: after.version, no };
  }),

  switches(calls.disableTemplate, false),
  switches(calls.enableTemplate, true),

  serveRead(calls.templateVersions, async (read, { params: { id } }) => {
    await templates.one(read, id);
    return versionsOf(read, id);
  }),

  serveRead(calls.compareVersions, async (read, { params: { id }, query }) => {
    const [from, to] = await Promise.all([versionSeen(read, query.from), versionSeen(read, query.to)]);
    if (from.templateId !== id || to.templateId !== id) throw notFound();
    const said = ({ pieces, head, foot }: Version) => [
      ...(head ? [`页眉：${head}`] : []),
      ...linesOf(pieces),
      ...(foot ? [`页脚：${foot}`] : []),
    ];
    return { from: from.no, to: to.no, lines: differences(said(from), said(to)) };
  }),

  serveRead(calls.renderTemplate, async (read, { body }) => {
    const kept = await versionSeen(read, body.templateVersionId);
    const version = body.text ? { ...kept, ...readText(body.text) } : kept;
    const template = await templates.one(read, kept.templateId);
    const content = body.contractId
      ? await realContent(read, template, body.contractId)
      : specimenOf(template.docKind, body.sample);
    return { ...(await drawn(read, version, content)), inline: true };
  }),

  serveRead(calls.templatePdf, async (read, { params: { id } }) => {
    const { docKind, contractKind, versionId } = await templates.one(read, id);
    const version = await versionSeen(read, versionId ?? (await newest(read, id)).id);
    return drawn(read, version, specimenOf(docKind, contractKind ?? "renter"));
  }),
];
