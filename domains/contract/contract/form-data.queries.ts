import { sql } from "kysely";
import { multiply } from "../../../platform/kernel/decimal.ts";
import type { Read } from "../../../platform/server/act.ts";

/** Fee subjects that a contract may charge beside rent and deposit, in the order of the dictionary. */
export async function feeChoices(read: Read, enterpriseId: number) {
  const rows = await read.tx
    .selectFrom("feeSubject")
    .select(["id", "code", "name", "kind", "taxMode", "taxRate"])
    .where("enterpriseId", "=", enterpriseId)
    .where("enabled", "=", true)
    .where("kind", "in", ["income", "agency", "deposit"])
    .where("code", "not in", ["rent", "deposit"])
    .where("utility", "=", "none")
    .orderBy("priority")
    .orderBy("id")
    .execute();
  return rows.map(({ id, kind, taxMode, taxRate, ...fee }) => ({
    ...fee,
    feeId: id,
    deposit: kind === "deposit",
    tax: taxMode === "none" ? "不计税" : taxMode === "reduced15" ? "减按1.5%" : `${multiply(taxRate, 100)}%`,
  }));
}

/** Who may stand as signer or keeper of a contract of the village: operators who work there. */
export async function signers(read: Read, enterpriseId: number, villageId: number) {
  const { rows } = await sql<{ operatorId: number; name: string }>`
    select id "operatorId", real_name name from operator
    where enterprise_id = ${enterpriseId} and state <> 'disabled'
      and (super_type <> '' or all_villages or village_ids @> array[${villageId}]::bigint[])
    order by real_name collate "zh-x-icu", id`.execute(read.tx);
  return rows;
}
