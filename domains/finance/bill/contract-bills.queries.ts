import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Bill } from "./bill.rules.ts";
import { readBills } from "./bills.queries.ts";

/** Every bill of a contract with its lines, voided ones too, by due day. */
export async function billsOfContract(read: Pick<Read, "tx">, contractId: number): Promise<Bill[]> {
  const rows = await read.tx.selectFrom("bill").select("id").where("contractId", "=", contractId).execute();
  const bills = await readBills(
    read,
    rows.map((r) => r.id),
  );
  return bills.toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : a.id - b.id));
}
