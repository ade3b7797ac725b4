import { sql } from "kysely";
import { invalid, notFound, stale } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inChinese } from "../../../platform/server/pipeline/validation-messages.ts";
import { provedAccount, proving, type Proved } from "./statement.queries.ts";
import { templateDraft, type TemplateRow } from "./template.contract.ts";
import { type Template, type TemplateColumns, whyTwice } from "./template.rules.ts";

// two people at once: the second has not seen what the first has saved
constraintSays("statement_template_enterprise_id_name_no_key", { code: "stale", msg: stale().message });

/** The latest version of each name; `t.ended_at` is of all of them. */
const LATEST = sql`select distinct on (name) * from statement_template`;

/** Templates of the account's enterprise, and the one that read its last file. */
export async function templatesFor(
  read: Read,
  merchantAccountId: number,
): Promise<{ applies: boolean; list: TemplateRow[]; usedId: number | null }> {
  const { id, enterpriseId, kind } = await provedAccount(read, merchantAccountId);
  const { rows } = await sql<TemplateRow & { used: boolean }>`
    with last as (
      select t.name from statement s left join statement_template t on t.id = s.template_id
      where s.merchant_account_id = ${id} and s.undone_at is null order by s.id desc limit 1)
    select t.id, t.name, t.no, t.skip_lines "skipLines", t.date_format "dateFormat", t.columns,
      coalesce(o.real_name, '系统') creator, t.created_at "createdAt",
      coalesce(t.name = (select name from last), false) used
    from (${LATEST} where enterprise_id = ${enterpriseId} order by name, no desc) t
    left join operator o on o.id = t.created_by
    where t.ended_at is null order by t.name`.execute(read.tx);
  const applies = kind !== "wechat" && kind !== "alipay";
  return { applies, list: rows, usedId: rows.find((row) => row.used)?.id ?? null };
}

type Saved = Template & {
  merchantAccountId: number;
  name: string;
  version: number;
  columns: TemplateColumns;
};

/** Keeps a template as the next version of its name; refused where somebody else has changed it meanwhile. */
export async function keepTemplate(act: Act, of: Saved): Promise<{ id: number; no: number }> {
  const account = await provedAccount(act, of.merchantAccountId);
  once(of, "columns");
  const { rows: stands } = await sql<{ no: number; ended: boolean }>`
    select no, ended_at is not null ended from statement_template
    where enterprise_id = ${account.enterpriseId} and name = ${of.name} order by no desc limit 1`.execute(
    act.tx,
  );
  const before = stands[0];
  if (of.version === 0 && before && !before.ended)
    throw invalid({ field: "name", msg: "已有同名的银行模板" });
  if (of.version !== 0 && before?.no !== of.version) throw stale();
  const no = (before?.no ?? 0) + 1;
  const { id } = await act.tx
    .insertInto("statementTemplate")
    .values({
      enterpriseId: account.enterpriseId,
      name: of.name,
      no,
      skipLines: of.skipLines,
      dateFormat: of.dateFormat,
      columns: JSON.stringify(of.columns),
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await noteTemplate(act, id, of.name, no === 1 ? "新增" : "修改", `银行模板 ${of.name} 第 ${no} 版`);
  return { id, no };
}

/** It is offered no more; files that were read by it still name it. */
export async function dropTemplate(act: Act, id: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    update statement_template t set ended_at = coalesce(t.ended_at, ${act.now.toISOString()})
    where t.id = ${id} and exists (select from merchant_account a
      where a.enterprise_id = t.enterprise_id and ${proving(act.who)})
    returning t.name`.execute(act.tx);
  if (!rows[0]) throw notFound();
  await noteTemplate(act, id, rows[0].name, "停用", `停用银行模板 ${rows[0].name}`);
}

const noteTemplate = (act: Act, recordId: number, number: string, action: string, summary: string) =>
  act.note({ kind: "statementTemplate", recordId, number, action, summary });

/** How a file is read: by the draft that somebody has before them, or by a template as it stands. */
export async function templateOf(
  read: Read,
  account: Pick<Proved, "enterpriseId">,
  asked: { templateId?: number | undefined; draft?: string | undefined },
): Promise<(Template & { id?: number }) | undefined> {
  if (asked.draft) return draftOf(asked.draft);
  if (!asked.templateId) return undefined;
  const { rows } = await sql<Template & { id: number; stands: boolean }>`
    select t.id, t.name, t.skip_lines "skipLines", t.date_format "dateFormat", t.columns,
      t.ended_at is null and not exists (select from statement_template n
        where n.enterprise_id = t.enterprise_id and n.name = t.name and n.no > t.no) stands
    from statement_template t where t.id = ${asked.templateId} and t.enterprise_id = ${account.enterpriseId}`.execute(
    read.tx,
  );
  if (!rows[0]) throw notFound();
  if (!rows[0].stands) throw invalid({ field: "templateId", msg: "银行模板已被修改或停用，请重新选择" });
  return rows[0];
}

function draftOf(text: string): Template {
  let told: unknown;
  try {
    told = JSON.parse(text);
  } catch {
    throw invalid({ field: "draft", msg: "银行模板格式不正确" });
  }
  const read = templateDraft.safeParse(told, inChinese);
  if (read.success) return once(read.data, "draft");
  throw invalid({ field: "draft", msg: read.error.issues[0]!.message });
}

/** Refuses a template by which one column would be two things. */
function once<T extends Pick<Template, "columns">>(of: T, field: string): T {
  const why = whyTwice(of);
  if (why) throw invalid({ field, msg: why });
  return of;
}
