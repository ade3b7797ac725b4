import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { z } from "zod";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { allOf, among, is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Act, Read, Who } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { type accountRow, type getAccount, listAccounts, type platformAccounts } from "./account.contract.ts";
import { seesHead } from "./account.service.ts";
import type { Binding, allBindings } from "./binding.contract.ts";
import { type AccountKind, bookOf } from "./channel.rules.ts";
import { type AppId, KEY_TITLES, type KeyName, keyState, maskedNumber } from "./account.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";

/** Over `merchant_account a`: held by a village in scope, or by the head office above one. */
export const visible = (
  who: Who,
): RawBuilder<SqlBool> => sql<SqlBool>`(a.holder_village_id = ${anyOf(who.villages)}
  or (a.holder_village_id is null and (a.enterprise_id = ${who.enterpriseId}
    or a.enterprise_id in (select enterprise_id from village where id = ${anyOf(who.villages)}))))`;

export type AccountFound = {
  id: number;
  name: string;
  enterpriseId: number;
  holderVillageId: number | null;
  holderName: string;
  kind: AccountKind;
  mchId: string;
  subMchId: string;
  terminalNo: string;
  bankName: string;
  accountName: string;
  bankAccountNo: string;
  appIds: AppId[];
  certExpiresOn: string | null;
  statementMode: "claim" | "reconcile";
  feeRate: string;
  feeCap: number | null;
  settleDays: number;
  settleToAccountId: number | null;
  settleToName: string;
  handover: boolean;
  supervised: boolean;
  enabled: boolean;
  version: number;
};

/** An account in scope, or 404; locked when it is going to change. */
export async function foundAccount(
  read: Read,
  id: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<AccountFound> {
  const { rows } = await sql<AccountFound>`
    select a.id, a.name, a.enterprise_id "enterpriseId", a.holder_village_id "holderVillageId",
      coalesce(v.name, '公司本部') "holderName", a.kind, a.mch_id "mchId", a.sub_mch_id "subMchId",
      a.terminal_no "terminalNo", a.bank_name "bankName", a.account_name "accountName",
      a.bank_account_no "bankAccountNo", a.app_ids "appIds", a.cert_expires_on "certExpiresOn",
      a.statement_mode "statementMode", a.fee_rate "feeRate", a.fee_cap "feeCap", a.settle_days "settleDays",
      a.settle_to_account_id "settleToAccountId", coalesce(s.name, '') "settleToName", a.handover, a.supervised,
      a.enabled, a.version
    from merchant_account a
    left join village v on v.id = a.holder_village_id
    left join merchant_account s on s.id = a.settle_to_account_id
    where a.id = ${id} and ${visible(read.who)}
    ${lock ? sql`for update of a` : sql``}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** The same for whoever is going to change it: head office's accounts are everybody's, so not any store may. */
export async function changeable(act: Act, id: number): Promise<AccountFound> {
  const account = await foundAccount(act, id, { lock: true });
  if (account.holderVillageId === null) await needHead(act, account.enterpriseId);
  return account;
}

export async function needHead(read: Read, enterpriseId: number): Promise<void> {
  if (!(await seesHead(read, enterpriseId)))
    throw new Refusal("headOnly", "公司本部的账户由可查看全部门店的人维护", 403);
}

/** Money has moved, or is about to move, through the account. */
export async function hasMoved(read: Pick<Read, "tx">, id: number): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    select exists (select from journal_line where merchant_account_id = ${id})
      or exists (select from flow where merchant_account_id = ${id}) moved`.execute(read.tx);
  return rows[0]!.moved;
}

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
    a.mch_id || a.bank_account_no plain, a.sub_mch_id "subMchId", a.statement_mode "statementMode", a.fee_rate::float8 "feeRate",
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
      subMchId: maskedNumber(row.subMchId),
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
  const { createdAt } = await theRow(read, "merchantAccount", ["createdAt"], { id });
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
    select merchant_account_id id, account, sum(debit - credit)::bigint fen
    from merchant_until(${rows.map((r) => r.id)}::bigint[], ${read.today}::date) group by 1, 2`.execute(
    read.tx,
  );
  const fenOf = (id: number, book: string) =>
    balances.rows.find((b) => b.id === id && b.account === book)?.fen ?? 0;
  return rows.map((row) => ({ ...row, balance: fenOf(row.id, bookOf(row.kind)) }));
}

const ORDER = sql`array_position(array['counter', 'miniProgram', 'h5', 'app', 'pos'], u.terminal),
  array_position(array['wechat', 'alipay', 'unionpay', 'pos', 'cash', 'bankTransfer', 'till'], u.pay_type),
  array_position(array['all', 'rent', 'deposit'], u.purpose)`;

export type BindingFound = Binding & { villageId: number; holderVillageId: number | null };

/** What some villages receive through. A holder out of scope is not named. */
async function bindingsWhere(read: Read, where: RawBuilder<unknown>): Promise<BindingFound[]> {
  const { rows } = await sql<BindingFound>`
    select u.id, u.village_id "villageId", u.terminal, u.pay_type "payType", u.purpose,
      u.merchant_account_id "merchantAccountId", a.name "accountName", a.kind,
      a.holder_village_id "holderVillageId",
      case when a.holder_village_id is null then '公司本部' else coalesce(h.name, '其他门店') end "holderName",
      case when a.enabled and u.enabled then 'enabled' else 'disabled' end state, u.version
    from village_account u join merchant_account a on a.id = u.merchant_account_id
    left join village h on h.id = a.holder_village_id and h.id = ${anyOf(read.who.villages)}
    where ${where} order by u.village_id, ${ORDER}`.execute(read.tx);
  return rows;
}

export const bindingsOf = (read: Read, villageIds: readonly number[]): Promise<BindingFound[]> =>
  bindingsWhere(read, sql`u.village_id = ${anyOf(villageIds)}`);

/** One of them in scope, or nothing. */
export async function bindingAt(read: Read, id: number): Promise<BindingFound | undefined> {
  const [row] = await bindingsWhere(read, sql`u.id = ${id} and u.village_id = ${anyOf(read.who.villages)}`);
  return row;
}

type Query = z.output<typeof allBindings.query>;

/** Every village in scope with what it receives through, the ones that work first. */
export async function villageTable(read: Read, q: Query): Promise<z.input<typeof allBindings.reply>> {
  const part = q.keyword && containing(q.keyword);
  const { rows } = await sql<{ villageId: number; villageName: string; state: "open" }>`
    select id "villageId", name "villageName", state from village
    where id = ${anyOf(villagesOf(read.who, q.villageIds))}
      ${part ? sql`and (name ilike ${part} or code ilike ${part} or pinyin ilike ${part})` : sql``}
    order by array_position(array['open', 'preparing', 'closed'], state), name collate "zh-x-icu"`.execute(
    read.tx,
  );
  const all = Map.groupBy(
    await bindingsOf(
      read,
      rows.map((v) => v.villageId),
    ),
    (b) => b.villageId,
  );
  return rows.map((village) => ({ ...village, bindings: all.get(village.villageId) ?? [] }));
}
