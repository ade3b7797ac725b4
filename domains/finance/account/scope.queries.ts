import { sql, type RawBuilder, type SqlBool } from "kysely";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read, Who } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { AccountKind } from "./channel.rules.ts";
import type { AppId } from "./kind.rules.ts";

/** Over `merchant_account a`: held by a village in scope, or by the head office above one. */
export const visible = (
  who: Who,
): RawBuilder<SqlBool> => sql<SqlBool>`(a.holder_village_id = ${anyOf(who.villages)}
  or (a.holder_village_id is null and (a.enterprise_id = ${who.enterpriseId}
    or a.enterprise_id in (select enterprise_id from village where id = ${anyOf(who.villages)}))))`;

/** Head office is in scope of whoever sees every store of the enterprise. */
export async function seesHead(read: Read, enterpriseId: number): Promise<boolean> {
  const { who } = read;
  if (who.superType === "0") return true;
  if (who.enterpriseId !== enterpriseId) return false;
  const { rows } = await sql`select from village where enterprise_id = ${enterpriseId}
    and id <> all(${who.villages as number[]}::bigint[]) limit 1`.execute(read.tx);
  return !rows.length;
}

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
