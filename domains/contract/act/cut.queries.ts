import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Back } from "../../finance/setoff/setoff.rules.ts";
import type { Closing, Standing } from "../../finance/setoff/setoff.service.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import { backsOf, cutAfter } from "./cut.rules.ts";

/** A contract as finance closes or cuts its account. */
export const closingOf = (contract: ContractRecord): Closing => ({
  contractId: contract.id,
  villageId: contract.villageId,
  partyId: contract.partyId!,
  roomId: contract.rooms[0]?.roomId ?? null,
});

/** The day to which the tenant had paid when the contract was taken over. */
export async function paidToOf(read: Pick<Read, "tx">, contractId: number): Promise<Day | null> {
  const { rows } = await sql<{ paidTo: Day | null }>`
    select opening->>'paidTo' "paidTo" from contract where id = ${contractId}`.execute(read.tx);
  return rows[0]?.paidTo ?? null;
}

/**
 * What comes off the stored bills of a contract that is charged to a day only; a deposit that was never paid goes with it.
 * `missing`: how many planned lines no stored one answers to.
 */
export async function cutsTo(
  read: Pick<Read, "tx">,
  contract: ContractRecord,
  { bills, around }: Standing,
  last: Day,
): Promise<{ backs: Back[]; missing: number }> {
  const subjectOf = (key: "rent" | "deposit" | number) => around.subjects.find(contract.villageId, key).id;
  const input = scheduleOf({ ...contract, start: contract.start!, end: contract.end! });
  const { rows } = cutAfter(input, last, await paidToOf(read, contract.id));
  const lines = bills.flatMap((b) => b.lines);
  const scheduled = bills.filter((b) => b.source === "schedule").flatMap((b) => b.lines);
  const { backs, missing } = backsOf(rows, scheduled, subjectOf);
  for (const line of lines)
    if (around.subjects.of(line.feeSubjectId).kind === "deposit" && line.outstanding > 0)
      backs.set(line.id, line.outstanding);
  return { backs: [...backs].map(([lineId, back]) => ({ lineId, back })), missing: missing.length };
}
