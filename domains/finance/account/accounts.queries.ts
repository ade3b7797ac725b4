import { sql } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";
import type { z } from "zod";
import { allOf, among, is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { bookOf, type AccountKind } from "./channel.rules.ts";
import {
  listAccounts,
  type accountRow,
  type getAccount,
  type platformAccounts,
} from "./accounts.contract.ts";
import { KEY_TITLES, keyState, type KeyName } from "./keys.rules.ts";
import { maskedNumber } from "./kind.rules.ts";
import { foundAccount, hasMoved, seesHead, visible } from "./scope.queries.ts";

type Row = z.input<typeof accountRow>;
type Raw = Omit<Row, "number" | "keys" | "state" | "changeable"> & {
  enterpriseId: number;
  kind: AccountKind;
  plain: string;
  keyCount: number;
  enabled: boolean;
};

const KIND_ORDER = sql`array_position(array['wechat', 'alipay', 'unionpay', 'pos', 'bank', 'cash'], a.kind)`;

/** Receiving accounts, those in use first; numbers only with their middle hidden. */
export const accounts = listOf(listAccounts, {
  id: "a.id",
  from: sql`merchant_account a`,
  scope: (read, { villageIds }) =>
    allOf([
      visible(read.who),
      ...(villageIds?.length ? [among("a.holder_village_id")(villagesOf(read.who, villageIds))] : []),
    ]),
  where: {
    kind: is("a.kind"),
    enterpriseId: is("a.enterprise_id"),
    holder: (held) =>
      held === "head" ? sql`a.holder_village_id is null` : sql`a.holder_village_id is not null`,
    state: (state) => sql`a.enabled = ${state === "enabled"}`,
    keyword: (text) => {
      const part = containing(text);
      return sql`(a.name ilike ${part} or a.mch_id ilike ${part}
        or replace(a.bank_account_no, '-', '') like ${part.replaceAll("-", "")})`;
    },
  },
  sort: {
    name: sql`a.name collate "zh-x-icu"`,
    kind: KIND_ORDER,
    certExpiresOn: "a.cert_expires_on",
    feeRate: "a.fee_rate",
  },
  way: "asc",
  order: sql`a.enabled desc, ${KIND_ORDER}, a.id`,
  tie: sql`a.id`,
  columns: (
    read: Read,
  ) => sql<Raw>`a.id, a.name, a.kind, a.enterprise_id "enterpriseId", e.name "enterpriseName",
    coalesce(a.holder_village_id, 0) "holderVillageId", coalesce(v.name, '公司本部') "holderName",
    a.mch_id || a.bank_account_no plain, a.statement_mode "statementMode", a.fee_rate::float8 "feeRate",
    a.settle_days "settleDays", coalesce(s.name, '') "settleToName", a.supervised,
    a.cert_expires_on "certExpiresOn",
    (select count(*) from merchant_key k where k.merchant_account_id = a.id) "keyCount",
    (select count(distinct u.village_id) from village_account u
      where u.merchant_account_id = a.id and u.village_id = ${anyOf(read.who.villages)}) villages,
    a.enabled, a.version`,
  join: (
    read: Read,
  ) => sql`join merchant_account a on a.id = page.id join enterprise e on e.id = a.enterprise_id
    left join village v on v.id = a.holder_village_id
    left join merchant_account s on s.id = a.settle_to_account_id
      and (s.holder_village_id is null or s.holder_village_id = ${anyOf(read.who.villages)})`,
  rows: async (raws, read) => {
    const heads = [...new Set(raws.filter((r) => !r.holderVillageId).map((r) => r.enterpriseId))];
    const mine = await Promise.all(heads.map(async (id) => ((await seesHead(read, id)) ? id : 0)));
    return raws.map(({ plain, keyCount, enabled, enterpriseId, ...row }) => ({
      ...row,
      changeable: row.holderVillageId > 0 || mine.includes(enterpriseId),
      number: maskedNumber(plain),
      keys: keyState(row.kind, keyCount),
      state: enabled ? ("enabled" as const) : ("disabled" as const),
    }));
  },
});

/** One account with everything but its keys, of which only the names come back. */
export async function accountDetail(read: Read, id: number): Promise<z.input<typeof getAccount.reply>> {
  const found = await foundAccount(read, id);
  const [row] = await accounts.rowsOf(read, [id]);
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
  const found = await sql<{ id: number }>`
    select a.id from merchant_account a where a.holder_village_id is null and ${visible(read.who)}
    order by ${KIND_ORDER}, a.id`.execute(read.tx);
  const rows = await accounts.rowsOf(
    read,
    found.rows.map((row) => row.id),
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
