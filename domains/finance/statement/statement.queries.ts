import { type RawBuilder, type SqlBool, sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { beginning, containing } from "../../../platform/kernel/texts/like.ts";
import { is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read, Who } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { AccountKind } from "../account/channel.rules.ts";
import { listStatements, type StatementRow } from "./statement.contract.ts";

/**
 * Over `merchant_account a`: whose takings somebody may prove. One that a store holds, for who has the store; one of head office
 * for who has every store of the enterprise, since money of all of them lies there.
 */
export const proving = (who: Who): RawBuilder<SqlBool> => sql<SqlBool>`(
  a.holder_village_id = ${anyOf(who.villages)} or (a.holder_village_id is null
    and exists (select from village v where v.enterprise_id = a.enterprise_id and v.id = ${anyOf(who.villages)})
    and not exists (select from village v where v.enterprise_id = a.enterprise_id and v.id <> all(${who.villages as number[]}::bigint[]))))`;

/**
 * Over `statement s`: it stands and says what moved on its days. A fund bill proves balances and is compared with nothing, so
 * no day is reconciled by it.
 */
export const COMPARED = sql<SqlBool>`(s.undone_at is null and s.format not in ('wechatFund', 'alipayFund'))`;

/** The same of what moved one way: a bill of payments alone says nothing of refunds, one of refunds nothing of payments. */
export const tells = (direction: RawBuilder<unknown>) => sql<SqlBool>`(${COMPARED}
  and s.format <> case ${direction} when 'in' then 'wechatRefund' else 'wechatSuccess' end)`;

/** Over all of a day that are compared: together they say what came in and what went out. */
export const WHOLE = sql<SqlBool>`(bool_or(s.format <> 'wechatRefund') and bool_or(s.format <> 'wechatSuccess'))`;

/** Kinds of account of which there are statements. */
export const WITH_STATEMENTS: readonly AccountKind[] = [
  "wechat",
  "alipay",
  "unionpay",
  "pos",
  "bank",
  "till",
];

export type Proved = {
  id: number;
  enterpriseId: number;
  name: string;
  kind: AccountKind;
  mchId: string;
  subMchId: string;
  holderVillageId: number | null;
  statementMode: "claim" | "reconcile";
};

/** The same over `merchant_account a`. */
export const PROVED = sql`a.id, a.enterprise_id "enterpriseId", a.name, a.kind, a.mch_id "mchId", a.sub_mch_id "subMchId",
  a.holder_village_id "holderVillageId", a.statement_mode "statementMode"`;

/** An account that the caller may reconcile, or 404; locked for changes of its statements or their comparison. */
export async function provedAccount(read: Read, id: number, lock = false): Promise<Proved> {
  const { rows } = await sql<Proved>`
    select ${PROVED} from merchant_account a where a.id = ${id} and ${proving(read.who)}
    ${lock ? sql`for no key update of a` : sql``}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return rows[0];
}

export const statements = listOf(listStatements, {
  id: "s.id",
  from: sql`statement s`,
  scope: ({ who }) =>
    sql`s.merchant_account_id in (select a.id from merchant_account a where ${proving(who)})`,
  where: {
    merchantAccountId: is("s.merchant_account_id"),
    mode: (mode) =>
      sql`s.merchant_account_id in (select id from merchant_account where statement_mode = ${mode})`,
    keyword: (text) =>
      /^DZ\d/i.test(text)
        ? sql`s.statement_no like ${beginning(text.toUpperCase())}`
        : sql`s.file_name ilike ${containing(text)}`,
  },
  sort: { createdAt: "s.created_at" },
  order: "createdAt",
  columns: sql<StatementRow>`s.id, s.statement_no "statementNo", a.name "accountName", a.statement_mode mode, s.format, s.line_count "lineCount",
    s.new_count "newCount", s.sum_in "sumIn", s.sum_out "sumOut", s.sum_fee "sumFee", s.date_from "dateFrom",
    s.date_to "dateTo", s.file_name "fileName", s.encoding, s.note,
    coalesce(t.name || ' 第 ' || t.no || ' 版', '') "templateName", coalesce(o.real_name, '系统') creator,
    s.created_at "createdAt", s.undone_at "undoneAt", s.version`,
  join: sql`join statement s on s.id = page.id join merchant_account a on a.id = s.merchant_account_id
    left join statement_template t on t.id = s.template_id left join operator o on o.id = s.created_by`,
});
