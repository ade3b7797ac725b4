import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { amongWords, howMany, is, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { type Version, versionOf } from "../template/template.service.ts";
import { listTemplates } from "../template/template.contract.ts";

const PUBLISHED = sql`exists (select from template_version p where p.template_id = t.id and p.published_at is not null)`;
const STATE = sql`case when not ${PUBLISHED} then 'draft' when t.enabled then 'enabled' else 'disabled' end`;

/**
 * Stores of a template, as far as the reader may see them, in which no other of its kind is switched on and published. The others are
 * probed one by one up to the first that is: joined, they would be hashed whole for every row of the page.
 */
const ALONE = ({
  who,
}: Read) => sql`(select coalesce(string_agg(v.name, '、' order by v.id), '') from village v
  where v.id = ${anyOf(who.villages)} and t.enabled and ${PUBLISHED}
    and v.id = any(array(select village_id from document_template_village where template_id = t.id))
    and v.id <> all(array(select ov.village_id from document_template o
      join document_template_village ov on ov.template_id = o.id
      where o.id <> t.id and o.enabled and o.doc_kind = t.doc_kind
        and (o.contract_kind is null or o.contract_kind = t.contract_kind)
        and exists (select from template_version p where p.template_id = o.id and p.published_at is not null))))`;

/** Contracts and documents of the reader's villages that were written in a version. */
const USES = ({ who }: Read, version: RawBuilder<unknown>) => {
  const theirs = sql`template_version_id = ${version} and village_id = ${anyOf(who.villages)}`;
  return sql`(${howMany(sql`from contract where ${theirs}`)} + ${howMany(sql`from document_wording where ${theirs}`)})`;
};

/** Templates of at least one village in scope. A keyword leaves few: with `offset 0` they are probed, instead of all being hashed. */
export const templates = listOf(listTemplates, {
  id: "t.id",
  from: sql`document_template t`,
  scope: ({ who }, { villageIds, keyword }) => sql`exists (select from document_template_village tv
    where tv.template_id = t.id and tv.village_id = ${anyOf(villagesOf(who, villageIds))}
    ${keyword ? sql`offset 0` : sql``})`,
  where: {
    docKind: amongWords("t.doc_kind"),
    // one that is for contracts of any kind is for this one, too
    contractKind: (kind) => sql`(t.contract_kind is null or t.contract_kind = ${kind})`,
    state: is(STATE),
    keyword: phrase("t.name", "t.code"),
  },
  sort: {
    updatedAt: "t.updated_at",
    code: "t.code",
    name: { by: sql`t.name collate "zh-x-icu"`, way: "asc" },
  },
  order: "updatedAt",
  columns: (read: Read) => sql<
    RowOf<typeof listTemplates>
  >`t.id, t.code, t.name, t.doc_kind "docKind", t.contract_kind "contractKind",
    (select case count(*) when 1 then min(v.name) else count(*) || ' 个门店' end
      from document_template_village tv join village v on v.id = tv.village_id where tv.template_id = t.id) villages,
    now.no, now.id "versionId", now.effective_from "effectiveFrom",
    (select coalesce(sum(${USES(read, sql`u.id`)}), 0)::int from template_version u where u.template_id = t.id) uses,
    case when exists (select from template_version d where d.template_id = t.id and d.published_at is null)
      then 'open' else 'none' end draft,
    ${STATE} state, coalesce(o.real_name, '系统') "updatedBy", t.updated_at "updatedAt", ${ALONE(read)} "aloneIn",
    not exists (select from document_template_village tv where tv.template_id = t.id
      and tv.village_id <> all(${read.who.villages as number[]}::bigint[])) editable,
    t.version`,
  join: ({
    today,
  }) => sql`join document_template t on t.id = page.id left join operator o on o.id = t.updated_by
    left join lateral (select no, id, effective_from from template_version
      where template_id = t.id and published_at is not null
      order by effective_from <= ${today} desc,
        case when effective_from <= ${today} then effective_from end desc, effective_from, no desc limit 1) now on true`,
});

/** A template with the text that is edited: its draft, else the newest version. */
export async function templateDetailOf(read: Read, id: number) {
  const row = await templates.one(read, id);
  const [villages, text] = await Promise.all([
    read.tx
      .selectFrom("documentTemplateVillage")
      .select("villageId")
      .where("templateId", "=", id)
      .where("villageId", "=", anyOf(read.who.villages))
      .orderBy("villageId")
      .execute(),
    newest(read, id),
  ]);
  const { html, head, foot, no, publishedAt } = text;
  const villageIds = villages.map((v) => v.villageId);
  return { ...row, villageIds, html, head, foot, draftNo: publishedAt ? null : no };
}

/** The draft of a template, else its newest version. */
export const newest = (read: Pick<Read, "tx">, templateId: number) =>
  read.tx
    .selectFrom("templateVersion")
    .selectAll()
    .where("templateId", "=", templateId)
    .orderBy("no", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();

/** A version of a template that the caller may see. */
export async function versionSeen(read: Read, id: number): Promise<Version> {
  const version = await versionOf(read, id);
  if (!version) throw notFound();
  await templates.one(read, version.templateId);
  return version;
}

type Row = {
  id: number;
  no: number;
  state: "draft" | "waiting" | "published" | "retired";
  effectiveFrom: string | null;
  publishedBy: string | null;
  publishedAt: string | null;
  uses: number;
  hash: string | null;
};

/** The versions of a template, the newest first; which of them is in force follows from the day. */
export async function versionsOf(read: Read, templateId: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select v.id, v.no, v.effective_from "effectiveFrom", o.real_name "publishedBy", v.published_at "publishedAt", v.hash,
      ${USES(read, sql`v.id`)} uses,
      case when v.published_at is null then 'draft' when v.effective_from > ${read.today} then 'waiting'
        when exists (select from template_version l where l.template_id = v.template_id and l.published_at is not null
          and l.effective_from <= ${read.today} and (l.effective_from, l.no) > (v.effective_from, v.no)) then 'retired'
        else 'published' end state
    from template_version v left join operator o on o.id = v.published_by
    where v.template_id = ${templateId} order by v.no desc`.execute(read.tx);
  return rows;
}
