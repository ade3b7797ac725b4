import { sql, type RawBuilder, type SqlBool } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { bookOf, type AccountKind } from "../flow/flow.rules.ts";
import type { accountRow, getAccount, listAccounts, platformAccounts } from "./accounts.contract.ts";
import { KEY_TITLES, keyState, type KeyName } from "./keys.rules.ts";
import { maskedNumber } from "./kind.rules.ts";
import { foundAccount, hasMoved, seesHead, visible } from "./scope.queries.ts";

type Query = z.output<typeof listAccounts.query>;
type Row = z.input<typeof accountRow>;

const KIND_ORDER = sql`array_position(array['wechat', 'alipay', 'unionpay', 'pos', 'bank', 'cash'], a.kind)`;
const SORTS: Record<NonNullable<Query["sort"]>, RawBuilder<unknown>> = {
  name: sql`a.name collate "zh-x-icu"`,
  kind: KIND_ORDER,
  certExpiresOn: sql`a.cert_expires_on`,
  feeRate: sql`a.fee_rate`,
};

function matching(read: Read, q: Query): RawBuilder<SqlBool> {
  const all: RawBuilder<SqlBool>[] = [visible(read.who)];
  if (q.kind) all.push(sql`a.kind = ${q.kind}`);
  if (q.enterpriseId) all.push(sql`a.enterprise_id = ${q.enterpriseId}`);
  if (q.holder)
    all.push(q.holder === "head" ? sql`a.holder_village_id is null` : sql`a.holder_village_id is not null`);
  if (q.villageIds?.length) all.push(sql`a.holder_village_id = ${anyOf(villagesOf(read.who, q.villageIds))}`);
  if (q.state) all.push(sql`a.enabled = ${q.state === "enabled"}`);
  if (q.keyword) {
    const part = containing(q.keyword);
    all.push(sql`(a.name ilike ${part} or a.mch_id ilike ${part}
      or replace(a.bank_account_no, '-', '') like ${part.replaceAll("-", "")})`);
  }
  return sql<SqlBool>`${sql.join(all, sql` and `)}`;
}

type Raw = Omit<Row, "number" | "keys" | "state" | "changeable"> & {
  enterpriseId: number;
  kind: AccountKind;
  plain: string;
  keyCount: number;
  enabled: boolean;
};

/** What a list shows of accounts; numbers only with their middle hidden. */
async function rowsWhere(read: Read, where: RawBuilder<SqlBool>, rest: RawBuilder<unknown>): Promise<Row[]> {
  const mine = anyOf(read.who.villages);
  const { rows } = await sql<Raw>`
    select a.id, a.name, a.kind, a.enterprise_id "enterpriseId", e.name "enterpriseName", coalesce(a.holder_village_id, 0) "holderVillageId",
      coalesce(v.name, '公司本部') "holderName", a.mch_id || a.bank_account_no plain,
      a.statement_mode "statementMode", a.fee_rate::float8 "feeRate", a.settle_days "settleDays",
      coalesce(s.name, '') "settleToName", a.supervised, a.cert_expires_on "certExpiresOn",
      (select count(*) from merchant_key k where k.merchant_account_id = a.id) "keyCount",
      (select count(distinct u.village_id) from village_account u
        where u.merchant_account_id = a.id and u.village_id = ${mine}) villages, a.enabled, a.version
    from merchant_account a join enterprise e on e.id = a.enterprise_id
    left join village v on v.id = a.holder_village_id
    left join merchant_account s on s.id = a.settle_to_account_id
      and (s.holder_village_id is null or s.holder_village_id = ${mine})
    where ${where} ${rest}`.execute(read.tx);
  const heads = [...new Set(rows.filter((r) => !r.holderVillageId).map((r) => r.enterpriseId))];
  const seen = await Promise.all(heads.map(async (id) => ((await seesHead(read, id)) ? id : 0)));
  return rows.map(({ plain, keyCount, enabled, enterpriseId, ...row }) => ({
    ...row,
    changeable: row.holderVillageId > 0 || seen.includes(enterpriseId),
    number: maskedNumber(plain),
    keys: keyState(row.kind, keyCount),
    state: enabled ? "enabled" : "disabled",
  }));
}

export function accountRows(read: Read, q: Query): Promise<Row[]> {
  const order = sql.raw(q.order === "desc" ? "desc" : "asc");
  const by = q.sort ? sql`${SORTS[q.sort]} ${order} nulls last,` : sql`a.enabled desc, ${KIND_ORDER},`;
  return rowsWhere(
    read,
    matching(read, q),
    sql`order by ${by} a.id limit ${q.pageSize} offset ${(q.pageNo - 1) * q.pageSize}`,
  );
}

export async function accountTotal(read: Read, q: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) n from merchant_account a where ${matching(read, q)}`.execute(read.tx);
  return rows[0]!.n;
}

/** One account with everything but its keys, of which only the names come back. */
export async function accountDetail(read: Read, id: number): Promise<z.input<typeof getAccount.reply>> {
  const found = await foundAccount(read, id);
  const [row] = await rowsWhere(read, sql`a.id = ${id}`, sql``);
  const whole = read.who.permits.has("252.edit") && row!.changeable;
  const hide = (number: string) => (whole ? number : maskedNumber(number));
  const keys = await read.tx
    .selectFrom("merchantKey")
    .select(["name", "setAt"])
    .where("merchantAccountId", "=", id)
    .orderBy("name")
    .execute();
  const { createdAt } = await read.tx
    .selectFrom("merchantAccount")
    .select("createdAt")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return {
    ...found,
    ...row!,
    mchId: hide(found.mchId),
    subMchId: hide(found.subMchId),
    bankAccountNo: hide(found.bankAccountNo),
    used: await hasMoved(read, id),
    keySet: keys.map((k) => ({ ...k, title: KEY_TITLES[k.name as KeyName], setAt: String(k.setAt) })),
    createdAt: String(createdAt),
  };
}

/** Head office's accounts, each with what stands in it today by the journal. */
export async function headAccounts(read: Read): Promise<z.input<typeof platformAccounts.reply>> {
  const rows = await rowsWhere(
    read,
    sql<SqlBool>`a.holder_village_id is null and ${visible(read.who)}`,
    sql`order by ${KIND_ORDER}, a.id`,
  );
  if (!(await seesHead(read, read.who.enterpriseId))) return rows.map((row) => ({ ...row, balance: null }));
  const balances = await sql<{ id: number; account: string; fen: number }>`
    select merchant_account_id id, account, sum(debit - credit)::bigint fen from journal_line
    where merchant_account_id = ${anyOf(rows.map((r) => r.id))} and date <= ${read.today}
    group by 1, 2`.execute(read.tx);
  const fenOf = (id: number, book: string) =>
    balances.rows.find((b) => b.id === id && b.account === book)?.fen ?? 0;
  return rows.map((row) => ({ ...row, balance: fenOf(row.id, bookOf(row.kind)) }));
}
