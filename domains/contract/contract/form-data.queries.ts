import { sql } from "kysely";
import { multiply } from "../../../platform/kernel/decimal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { PayPlan } from "../../listing/product/product.rules.ts";
import type { ProductFee } from "../terms/product.rules.ts";

/** Fee subjects that a contract may charge beside rent and deposit, in the order of the dictionary. */
export async function feeChoices(read: Pick<Read, "tx">, enterpriseId: number) {
  const rows = await read.tx
    .selectFrom("feeSubject as s")
    .innerJoin("feeChoice as c", "c.id", "s.id")
    .select(["s.id", "s.code", "s.name", "s.kind", "s.taxMode", "s.taxRate"])
    .where("enterpriseId", "=", enterpriseId)
    .where("enabled", "=", true)
    .where("utility", "=", "none")
    .orderBy("priority")
    .orderBy("s.id")
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

type StoredFee = { subjectId: number; way: string; amount: Fen | null; cycle: ProductFee["cycle"] };

/**
 * The products of rooms with their ways of paying, terms and fixed fees; one that is disabled is not for new contracts.
 * Fees by the unit are charged by readings, and those that the dictionary no longer offers are left out.
 */
export async function productsOf(read: Pick<Read, "tx">, roomIds: readonly number[]) {
  const rows = await read.tx
    .selectFrom("room as r")
    .innerJoin("product as d", "d.id", "r.productId")
    .select(["r.id", "d.name", "d.payPlans", "d.enabled", "d.minTermMonths", "d.maxTermMonths", "d.fees"])
    .select("d.enterpriseId")
    .where("r.id", "=", anyOf(roomIds))
    .execute();
  const choices = rows[0] ? await feeChoices(read, rows[0].enterpriseId) : [];
  const known = new Map(choices.map((fee) => [fee.feeId, fee]));
  return new Map(
    rows.map(({ id, name, enabled, ...product }) => [
      id,
      {
        name,
        payPlans: enabled ? (product.payPlans as unknown as PayPlan[]) : [],
        minTermMonths: enabled ? product.minTermMonths : null,
        maxTermMonths: enabled ? product.maxTermMonths : null,
        fees: (enabled ? (product.fees as unknown as StoredFee[]) : []).flatMap((stored): ProductFee[] => {
          const fee = known.get(stored.subjectId);
          if (!fee || stored.way !== "amount" || !stored.amount) return [];
          const { amount, cycle } = stored;
          return [{ feeId: fee.feeId, name: fee.name, deposit: fee.deposit, amount, cycle }];
        }),
      },
    ]),
  );
}
