import { sql } from "kysely";
import type { z } from "zod";
import { allows } from "../../../platform/kernel/call.ts";
import { forbidden, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { isAskedFor, isDisputed, isLateMoney } from "../../finance/bill/overdue.service.ts";
import { type Chosen, type previewLetters, printLetters } from "../../finance/checkout/letter.contract.ts";
import { type ContractRecord, contractRecord } from "../contract/record.queries.ts";
import { documentsFile } from "../template/document.service.ts";
import { type ContractKind, needsOf } from "../terms/kind.rules.ts";
import { dunningContent } from "./dunning.rules.ts";
import { dunningFactsOf } from "./dunning.service.ts";
import { type Standing, tooMany, whyNoLetter, whyNothing } from "./letters.rules.ts";

type Found = Standing & {
  id: number;
  billNo: string;
  kind: ContractKind | null;
  letVillageId: number | null;
};

/** The chosen bills in the order in which they were chosen; refused where whoever asks may read the contract of none. */
async function chosenOf(read: Read, { billIds, partyIds, villageIds }: Chosen): Promise<Found[]> {
  const villages = villagesOf(read.who, villageIds);
  const which = billIds?.length
    ? sql`b.id = ${anyOf(billIds)}`
    : sql`b.party_id = ${anyOf(partyIds!)} and ${isLateMoney(read.today)}`;
  const place = billIds?.length
    ? sql`array_position(${billIds}::bigint[], b.id)`
    : sql`array_position(${partyIds}::bigint[], b.party_id)`;
  const { rows } = await sql<Omit<Found, "readable">>`
    select b.id, b.bill_no "billNo", b.contract_id "contractId", b.voided_at is not null voided,
      b.direction = 'receivable' receivable, b.outstanding, b.issued_at is not null issued, b.due_date "dueDate",
      ${isDisputed} disputed, c.kind, c.village_id "letVillageId"
    from bill b left join contract c on c.id = b.contract_id
    where ${which} and b.village_id = ${anyOf(villages)} order by ${place}, b.due_date, b.id`.execute(
    read.tx,
  );
  if (billIds?.length && rows.length < billIds.length) throw notFound();
  for (const villageId of new Set(rows.map((row) => row.letVillageId)))
    if (villageId !== null) inScope(read.who, villageId);
  const reads = (kind: ContractKind | null) =>
    kind === null || allows(read.who.permits, needsOf(printLetters.needs, kind));
  const found = rows.map((row) => ({ ...row, readable: reads(row.kind) }));
  if (found.length && !found.some((bill) => bill.readable)) throw forbidden();
  return found;
}

/** The contracts that get a letter, in the order of their bills, and the bills that no letter is about. */
async function sorted(read: Read, chosen: Chosen) {
  const found = (await chosenOf(read, chosen)).map((bill) => ({ bill, why: whyNoLetter(bill, read.today) }));
  const contractIds = [
    ...new Set(found.flatMap(({ bill, why }) => (why === undefined ? [bill.contractId!] : []))),
  ];
  const many = tooMany(contractIds.length);
  if (many) throw new Refusal("notAllowed", many);
  return {
    contractIds,
    leftOut: found.flatMap(({ bill: { id: billId, billNo }, why }) =>
      why === undefined ? [] : [{ billId, billNo, why }],
    ),
  };
}

type Previewed = z.input<typeof previewLetters.reply>;

/** What each letter would be about, and what none is about. */
export async function previewedLetters(read: Read, chosen: Chosen): Promise<Previewed> {
  const { contractIds, leftOut } = await sorted(read, chosen);
  const { rows } = await sql<Previewed["letters"][number]>`
    select c.id "contractId", c.contract_no "contractNo", coalesce(c.party_snapshot ->> 'name', p.name) "partyName", v.name "villageName",
      c.room_names rooms, count(*)::int bills, sum(b.outstanding)::bigint amount, min(b.due_date) since
    from contract c join village v on v.id = c.village_id join party p on p.id = c.party_id
      join bill b on b.contract_id = c.id
    where c.id = ${anyOf(contractIds)} and ${isAskedFor(read.today)}
    group by c.id, v.name, p.name order by array_position(${contractIds}::bigint[], c.id)`.execute(read.tx);
  return { letters: rows, leftOut };
}

/** A letter for each contract of the chosen bills, as the single one says it, in one PDF; refused where none is due. */
export async function lettersFile(read: Read, chosen: Chosen) {
  const { contractIds, leftOut } = await sorted(read, chosen);
  const contracts: ContractRecord[] = [];
  for (const id of contractIds) contracts.push(await contractRecord(read, id));
  const letters = (await dunningFactsOf(read, contracts)).map(({ contract, facts }) => ({
    villageId: contract.villageId,
    contractKind: contract.kind,
    ...dunningContent(facts),
  }));
  if (!letters.length) throw new Refusal("notAllowed", whyNothing(leftOut.map(({ why }) => why)));
  return documentsFile(read, "dunningLetter", letters, `催缴函_${letters.length}份_${read.today}`);
}
