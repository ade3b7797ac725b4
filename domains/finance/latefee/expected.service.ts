import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { aroundOf, readBills } from "../bill/bills.queries.ts";
import { lateFeesOf } from "./latefee.service.ts";

/**
 * 预计滞纳金 of bills at the end of a day, by bill: what the fee has grown to, less what stood on the bill by then. It is
 * in no balance until it is written. Bills that bear none are left out.
 */
export async function expectedLateFees(
  read: Read,
  billIds: readonly number[],
  day: Day,
): Promise<Map<number, Fen>> {
  const bills = await readBills(read, billIds);
  const around = await aroundOf(
    read,
    bills.map((bill) => bill.villageId),
  );
  const fees = await lateFeesOf(read, bills, day, around);
  const expected = new Map<number, Fen>();
  for (const bill of bills) {
    const written = bill.lines.reduce(
      (sum, l) => sum + (l.kind === "lateFee" && (l.periodEnd ?? day) <= day ? l.amount : 0),
      0,
    );
    const fee = (fees.get(bill.id)?.total ?? 0) - written;
    if (fee > 0) expected.set(bill.id, fee);
  }
  return expected;
}
