import { sql } from "kysely";
import { lastOf, type Month } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { credit, debit, type Dims } from "../journal/journal.rules.ts";
import { post } from "../journal/journal.service.ts";
import type { TaxPoint } from "../setting/setting.rules.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { accrueVillage, openVillages, within } from "./accrual.service.ts";

/** A bill line with its corrections, a contract recognised evenly, or what has no bill at all. */
type TaxDue = {
  billLineId: number | null;
  contractId: number | null;
  partyId: number | null;
  feeSubjectId: number | null;
  tax: Fen;
};

/** The tax that a store has not declared by the end of a month, though its tax point asks for it. */
export async function taxDueOf(
  read: Pick<Read, "tx">,
  villageId: number,
  month: Month,
  taxPoint: TaxPoint,
): Promise<TaxDue[]> {
  if (taxPoint === "invoice") return [];
  const { rows } = await sql<TaxDue>`
    select line_id "billLineId", contract_id "contractId", party_id "partyId", fee_subject_id "feeSubjectId", tax
    from tax_due(${villageId}, ${lastOf(month)}, ${taxPoint}) order by line_id, contract_id`.execute(read.tx);
  return rows;
}

/**
 * Declares the tax of what no invoice was issued for, by the tax point of each store (E23, on the month's last day). Income is
 * brought up to the month first. Doing it twice moves nothing. Answers how many lines moved how much.
 */
export async function declareTax(
  act: Act,
  { villageIds, month }: { villageIds: readonly number[]; month: Month },
): Promise<{ villageId: number; lines: number; tax: Fen }[]> {
  const open = await openVillages(act, villageIds, month);
  const settings = await settingsOf(act, open);
  const declared = [];
  for (const villageId of open) {
    await accrueVillage(act, villageId, month);
    const due = await taxDueOf(act, villageId, month, settings(villageId).taxPoint);
    const tax = due.reduce((sum, row) => sum + row.tax, 0);
    const { id } = await act.tx
      .insertInto("taxRun")
      .values({
        villageId,
        month,
        tax,
        createdAt: act.now.toISOString(),
        createdBy: act.who.operatorId || null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await post(act, [
      {
        event: "E23",
        sourceType: "taxRun",
        sourceId: id,
        businessDate: lastOf(month),
        memo: `${month} 未开票税金申报`,
        legs: due.flatMap(({ tax: moved, ...dims }: TaxDue & Dims) => [
          ...within(debit("2222", villageId, moved, dims)),
          ...within(credit("2221", villageId, moved, dims)),
        ]),
      },
    ]);
    declared.push({ villageId, lines: due.length, tax });
  }
  return declared;
}
