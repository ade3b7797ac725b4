import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";

/** Accounts that money may be transferred to, as they are told to who pays. */
export async function payTo(read: Pick<Read, "tx">, villageId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string; bankName: string | null; bankAccountNo: string | null }>`
    select a.name, a.bank_name "bankName", a.bank_account_no "bankAccountNo" from merchant_account a
    where a.enabled and coalesce(a.bank_account_no, '') <> '' and (a.holder_village_id = ${villageId}
      or a.id in (select merchant_account_id from village_account where village_id = ${villageId} and enabled))
    order by a.id limit 3`.execute(read.tx);
  return rows.map((a) => [a.name, a.bankName, a.bankAccountNo].filter(Boolean).join(" "));
}
