import type { BillRow, LineRow } from "../domains/finance/bill/make.rules.ts";
import { lineEntry } from "../domains/finance/bill/posting.rules.ts";
import type { Day } from "../platform/kernel/day.ts";
import type { Company } from "./company.ts";
import type { DemoRoom } from "./stores.ts";
import type { Tenant } from "./tenant.ts";

export type Settling = {
  id: number;
  contractNo: string;
  end: Day;
  signedOn: Day;
  gone: boolean;
  voided: boolean;
  tenant: Tenant;
  room: DemoRoom;
};
export type Held = { bill: BillRow; settled: Map<number, number>; issuedOn: Day | undefined };

/** E03: the fee enters the ledger on the day it is paid. */
export async function freeze(co: Company, held: Held, fee: LineRow, day: Day): Promise<void> {
  held.bill.lines.push(fee);
  held.bill.amount += fee.amount;
  held.bill.subjectIds = [...new Set([...held.bill.subjectIds, fee.feeSubjectId])];
  await co.post([lineEntry("E03", held.bill, fee, "lateFee", day)]);
}
