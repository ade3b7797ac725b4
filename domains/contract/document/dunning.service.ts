import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Bill } from "../../finance/bill/bill.rules.ts";
import { aroundOf, readBills } from "../../finance/bill/bill.service.ts";
import { isAskedFor, isLateMoney } from "../../finance/bill/overdue.service.ts";
import { DISPUTED } from "../../finance/checkout/remind.rules.ts";
import { type BillLateFee, lateFeesOf } from "../../finance/latefee/latefee.service.ts";
import { type ContractRecord, contractRecord } from "../contract/record.queries.ts";
import { leaseFacts } from "../paper/paper.queries.ts";
import { documentFile } from "../template/document.service.ts";
import { dunningContent, type DunningFacts, type Owed } from "./dunning.rules.ts";
import { payTo } from "./pay-to.queries.ts";

/** What of a bill is owed, and what has grown on it: the part that is written already is a line of it. */
function owedOf(bill: Bill, fee: BillLateFee | undefined): Owed {
  const written = bill.lines.reduce((sum, l) => (l.kind === "lateFee" ? sum + l.outstanding : sum), 0);
  const { billNo, title, periodStart, periodEnd, dueDate, outstanding } = bill;
  const lateFee = written + Math.max(fee?.expected ?? 0, 0);
  return { billNo, title, periodStart, periodEnd, dueDate, owed: outstanding - written, lateFee };
}

/** What a letter about the arrears of each contract says today; contracts where nothing is late, or all of it disputed, are left out. */
export async function dunningFactsOf(
  read: Read,
  contracts: readonly ContractRecord[],
): Promise<{ contract: ContractRecord; facts: DunningFacts }[]> {
  const { rows } = await sql<{ id: number }>`
    select b.id from bill b where b.contract_id = ${anyOf(contracts.map((c) => c.id))}
      and ${isAskedFor(read.today)}`.execute(read.tx);
  const late = await readBills(
    read,
    rows.map((row) => row.id),
  );
  const villages = [...new Set(contracts.map((c) => c.villageId))];
  const around = await aroundOf(read, villages);
  const fees = await lateFeesOf(read, late, read.today, around);
  const accounts = new Map<number, string[]>();
  for (const villageId of villages) accounts.set(villageId, await payTo(read, villageId));
  const byContract = Map.groupBy(late, (bill) => bill.contractId);
  const all: { contract: ContractRecord; facts: DunningFacts }[] = [];
  for (const contract of contracts) {
    const bills = byContract.get(contract.id);
    if (!bills) continue;
    const facts = {
      lease: await leaseFacts(read, contract),
      bills: bills
        .map((bill) => owedOf(bill, fees.get(bill.id)))
        .toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : 0)),
      payTo: accounts.get(contract.villageId)!,
      today: read.today,
    };
    all.push({ contract, facts });
  }
  return all;
}

/** What a letter about the arrears of a contract says today; refused where nothing is late, or all of it disputed. */
export async function dunningFacts(read: Read, contract: ContractRecord): Promise<DunningFacts> {
  const [found] = await dunningFactsOf(read, [contract]);
  if (found) return found.facts;
  const { rows } = await sql`
    select 1 from bill b where b.contract_id = ${contract.id} and ${isLateMoney(read.today)} limit 1`.execute(
    read.tx,
  );
  throw new Refusal("notAllowed", rows.length ? DISPUTED : "该合同没有逾期账单，不需要催缴");
}

/** The letter as PDF, in the words that are in force today: each is a new one. The caller has let the reader in. */
export async function dunningFile(read: Read, contractId: number) {
  const contract = await contractRecord(read, contractId);
  const { contractNo, villageId, kind: contractKind } = contract;
  const content = dunningContent(await dunningFacts(read, contract));
  const name = `催缴函_${contractNo}_${read.today}`;
  return documentFile(read, { docKind: "dunningLetter", villageId, contractKind }, { ...content, name });
}
