import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { oneEnterprise } from "../../place/village/village.service.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import type { DocKind } from "../template/doc-kind.rules.ts";
import { cleaned } from "../template/html.rules.ts";
import { anchorsIn, namesUsed } from "../template/template.rules.ts";
import { newest } from "./template.queries.ts";

constraintSays("document_template_code", { field: "code", msg: "编码已存在" });
constraintSays("contract_template_version_id_fkey", { msg: "模板已被合同使用，或刚刚被删除，请刷新后重试" });
constraintSays("document_wording_template_version_id_fkey", {
  msg: "模板已被文件使用，或刚刚被删除，请刷新后重试",
});
constraintSays("template_version_stays", { msg: "已发布的版本不能修改" });

export type Template = {
  id: number;
  enterpriseId: number;
  code: string;
  name: string;
  docKind: DocKind;
  /** Empty: for contracts of any kind. */
  contractKind: ContractKind | null;
  enabled: boolean;
};

/** A locked template, which only who manages all of its villages may change. */
export async function lockTemplate(act: Act, id: number, version: number): Promise<Template> {
  const template = await act.tx
    .selectFrom("documentTemplate")
    .select(["id", "enterpriseId", "code", "name", "docKind", "contractKind", "enabled", "version"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  const villages = await villagesOfTemplate(act, id);
  const mine = new Set(act.who.villages);
  if (!template || !villages.some((one) => mine.has(one))) throw notFound();
  if (!villages.every((one) => mine.has(one)))
    throw new Refusal("noPermission", "该模板含您不能管理的门店，请由可管理其全部门店的人员修改", 403);
  asSeen(template, version);
  return template as typeof template & Pick<Template, "docKind" | "contractKind">;
}

export const villagesOfTemplate = async (act: Pick<Act, "tx">, templateId: number): Promise<number[]> =>
  (
    await act.tx
      .selectFrom("documentTemplateVillage")
      .select("villageId")
      .where("templateId", "=", templateId)
      .orderBy("villageId")
      .execute()
  ).map((row) => row.villageId);

/** The enterprise of the villages, which must be one. */
export const enterpriseOfVillages = (act: Act, villageIds: readonly number[]): Promise<number> =>
  oneEnterprise(act, villageIds, "一份模板只能包含同一企业的门店");

export async function writeVillages(
  act: Act,
  templateId: number,
  villageIds: readonly number[],
): Promise<void> {
  await act.tx.deleteFrom("documentTemplateVillage").where("templateId", "=", templateId).execute();
  await act.tx
    .insertInto("documentTemplateVillage")
    .values(villageIds.map((villageId) => ({ templateId, villageId })))
    .execute();
}

export type Text = { html: string; head: string; foot: string };

/** A text as it was typed, cleaned; refused with the reason where it cannot be taken. */
export function readText({ html, head, foot }: Text) {
  const { wrong, pieces, html: clean, removed } = cleaned(html);
  if (wrong) throw invalid({ field: "html", msg: wrong });
  const row = {
    html: clean,
    head,
    foot,
    fieldsUsed: namesUsed(pieces, head, foot),
    anchors: anchorsIn(pieces),
  };
  return { row, removed, pieces, head, foot };
}

/** Keeps a text as the draft of its template; one that says what the newest version says makes none. */
export async function saveText(act: Act, templateId: number, text: Text): Promise<string[]> {
  const { row, removed } = readText(text);
  const last = await newest(act, templateId);
  const by = act.who.operatorId;
  if (!last.publishedAt)
    await act.tx
      .updateTable("templateVersion")
      .set({ ...row, updatedBy: by, updatedAt: act.now.toISOString() })
      .where("id", "=", last.id)
      .execute();
  else if (last.html !== row.html || last.head !== row.head || last.foot !== row.foot)
    await act.tx
      .insertInto("templateVersion")
      .values({ templateId, no: last.no + 1, ...row, createdBy: by, updatedBy: by })
      .execute();
  return removed;
}

/** A new template with its first draft. */
export async function makeTemplate(
  act: Act,
  {
    villageIds,
    ...facts
  }: Pick<Template, "code" | "name" | "docKind" | "contractKind"> & { villageIds: readonly number[] },
  text: Text,
): Promise<number> {
  const by = act.who.operatorId;
  const { id } = await act.tx
    .insertInto("documentTemplate")
    .values({
      ...facts,
      enterpriseId: await enterpriseOfVillages(act, villageIds),
      createdBy: by,
      updatedBy: by,
      updatedAt: act.now.toISOString(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await writeVillages(act, id, villageIds);
  await act.tx
    .insertInto("templateVersion")
    .values({ templateId: id, no: 1, ...readText(text).row, createdBy: by, updatedBy: by })
    .execute();
  return id;
}
