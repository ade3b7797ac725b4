import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { entryOn, type Act, type Read } from "../../../platform/server/pipeline/act.ts";
import { needsWhole } from "../../access/operator/scope.service.ts";
import { mappingsOf } from "./books.queries.ts";
import { listMappings, type MappingRow, type Unmapped } from "./mapping.contract.ts";
import { mappingOf, MERCHANT_ACCOUNTS, type Mapping, SUBJECT_ACCOUNTS } from "./posting.rules.ts";

constraintSays("gl_mapping_key", { msg: "该科目、费用、账户和门店已有映射", field: "account" });

export const mappings = listOf(listMappings, {
  id: "g.id",
  from: sql`gl_mapping g join account a on a.code = g.account`,
  scope: ({ who }) => sql`g.enterprise_id = ${who.enterpriseId}`,
  where: {
    keyword: (text) =>
      sql`(g.account = ${text} or a.name ilike ${containing(text)} or g.gl_code ilike ${containing(text)})`,
  },
  sort: { account: "g.account" },
  order: sql`g.account, g.id`,
  way: "asc",
  columns: sql<MappingRow>`g.id, g.account, a.name "accountName", g.fee_subject_id "feeSubjectId", s.name "subjectName",
    g.merchant_account_id "merchantAccountId", m.name "merchantName", g.village_id "villageId", v.name "villageName",
    g.gl_code "glCode", g.auxiliary, g.version`,
  join: sql`join gl_mapping g on g.id = page.id join account a on a.code = g.account
    left join fee_subject s on s.id = g.fee_subject_id left join merchant_account m on m.id = g.merchant_account_id
    left join village v on v.id = g.village_id`,
});

/** What the books of the last two years have used and no mapping of the enterprise fits. */
export async function unmappedOf(read: Read): Promise<Unmapped[]> {
  const { enterpriseId } = read.who;
  const { rows } = await sql<Unmapped & { villageId: number | null }>`
    with used as (
      select distinct j.account, nullif(greatest(j.village_id, 0), 0) village_id,
        case when j.account = any(${SUBJECT_ACCOUNTS}::text[]) then j.fee_subject_id end fee_subject_id,
        case when j.account = any(${MERCHANT_ACCOUNTS}::text[]) then j.merchant_account_id end merchant_account_id
      from journal_over(array(select id from village where enterprise_id = ${enterpriseId}) || -${enterpriseId}::bigint,
        ${addDays(read.today, -730)}::date, 'infinity') j)
    select u.account, a.name "accountName", u.village_id "villageId", u.fee_subject_id "feeSubjectId", s.name "subjectName",
      u.merchant_account_id "merchantAccountId", m.name "merchantName"
    from used u join account a on a.code = u.account left join fee_subject s on s.id = u.fee_subject_id
      left join merchant_account m on m.id = u.merchant_account_id
    where a.code <> '3999'
    order by u.account, s.name, m.name`.execute(read.tx);
  const known = await mappingsOf(read, enterpriseId);
  const missing = rows.filter((row) => !mappingOf(known, row));
  const keyOf = ({ account, feeSubjectId, merchantAccountId }: Unmapped) =>
    `${account} ${feeSubjectId} ${merchantAccountId}`;
  return [...new Map(missing.map(({ villageId: _, ...row }) => [keyOf(row), row])).values()];
}

const noted = (act: Act, id: number, code: string, action: string, summary: string) =>
  act.note(entryOn("posting", { id }, code, action, summary));

export async function addMapping(act: Act, mapping: Mapping): Promise<number> {
  const { enterpriseId } = act.who;
  await needsWhole(act, enterpriseId);
  const { account, feeSubjectId, merchantAccountId } = mapping;
  const { rows } = await sql<{ known: boolean; owned: boolean }>`
    select exists (select from account where code = ${account}) known,
      ${merchantAccountId}::bigint is null or exists (
        select from merchant_account where id = ${merchantAccountId} and enterprise_id = ${enterpriseId}) owned`.execute(
    act.tx,
  );
  if (!rows[0]!.known) throw invalid({ field: "account", msg: "请选择科目" });
  if (!rows[0]!.owned) throw notFound();
  if (feeSubjectId !== null && !SUBJECT_ACCOUNTS.includes(account))
    throw invalid({ field: "feeSubjectId", msg: "该科目不按费用区分" });
  if (merchantAccountId !== null && !MERCHANT_ACCOUNTS.includes(account))
    throw invalid({ field: "merchantAccountId", msg: "该科目不按账户区分" });
  const { id } = await act.tx
    .insertInto("glMapping")
    .values({ ...mapping, enterpriseId, createdBy: act.who.operatorId || null })
    .returning("id")
    .executeTakeFirstOrThrow();
  await noted(act, id, mapping.account, "新增映射", `科目 ${mapping.account} 映射为 ${mapping.glCode}`);
  return id;
}

export async function editMapping(
  act: Act,
  id: number,
  { version, ...to }: { glCode: string; auxiliary: string; version: number },
): Promise<void> {
  const { enterpriseId } = act.who;
  await needsWhole(act, enterpriseId);
  await ownMapping(act, id);
  const row = await revise(act, "glMapping", { id, version, enterpriseId }, { ...to, ...stamp(act) });
  await noted(act, id, row.account, "修改映射", `科目 ${row.account} 映射为 ${row.glCode}`);
}

export async function removeMapping(act: Act, id: number, version: number): Promise<void> {
  const { enterpriseId } = act.who;
  await needsWhole(act, enterpriseId);
  await ownMapping(act, id);
  const row = await removeAt(act, "glMapping", { id, version, enterpriseId });
  await noted(act, id, row.account, "删除映射", `科目 ${row.account} 不再映射为 ${row.glCode}`);
}

/** A mapping for whoever changes it. */
export async function mappingAt(read: Read, id: number): Promise<MappingRow> {
  await needsWhole(read, read.who.enterpriseId);
  await ownMapping(read, id);
  const [row] = await mappings.rowsOf(read, [id]);
  return row!;
}

async function ownMapping(act: Pick<Act, "tx" | "who">, id: number): Promise<void> {
  const row = await act.tx
    .selectFrom("glMapping")
    .select("id")
    .where("id", "=", id)
    .where("enterpriseId", "=", act.who.enterpriseId)
    .executeTakeFirst();
  if (!row) throw notFound();
}

/** Codes of the Ministry of Finance's chart (企业会计准则) to begin with; each enterprise changes them to its own. */
const USUAL: Record<string, string> = {
  "1001": "1001",
  "1002": "1002",
  "1012": "1012",
  "1019": "1012.09",
  "1122": "1122",
  "1131": "1221.02",
  "1221": "1221.01",
  "2202": "2202",
  "2203": "2203",
  "2204": "2401",
  "2205": "2241.09",
  "2221": "2221.01",
  "2222": "2221.07",
  "2241": "2241.01",
  "2242": "2241.02",
  "2243": "2241.03",
  "2299": "3001",
  "6001": "6001",
  "6052": "6051.01",
  "6053": "6051.02",
  "6061": "6603.01",
  "6401": "6401",
  "6602": "6603.02",
  "6701": "6701",
  "6702": "6711",
};

/** Gives every account without any mapping its usual code; answers how many. */
export async function mapUsual(act: Act): Promise<number> {
  const { enterpriseId } = act.who;
  await needsWhole(act, enterpriseId);
  const { numInsertedOrUpdatedRows } = await act.tx
    .insertInto("glMapping")
    .values(
      Object.entries(USUAL).map(([account, glCode]) => ({
        account,
        glCode,
        enterpriseId,
        createdBy: act.who.operatorId || null,
      })),
    )
    .onConflict((on) => on.constraint("gl_mapping_key").doNothing())
    .executeTakeFirstOrThrow();
  const made = Number(numInsertedOrUpdatedRows ?? 0);
  await noted(act, enterpriseId, "", "常用映射", `按企业会计准则填入 ${made} 个科目`);
  return made;
}
