import type { Act } from "../../../platform/server/pipeline/act.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { keepContractMoney } from "../balance/balance.service.ts";
import { post } from "../journal/journal.service.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { subjectsFor } from "../subject/subject.service.ts";
import { insertBills, insertLines } from "./keep.service.ts";
import { billRow, issueDayOf, lineRows, type NewBill } from "./make.rules.ts";
import { issueEntries } from "./posting.rules.ts";

export type { NewBill, NewLine } from "./make.rules.ts";
export { voidBills } from "./void.service.ts";
export { billsOfContract } from "./bills.queries.ts";

/**
 * Makes any number of bills, of any number of contracts, in a few statements. A bill whose issue day has come enters
 * the ledger in the same transaction, dated today. Amounts are fen; tax follows each line's subject. Does not write
 * the business log: whoever makes bills says why.
 */
export async function makeBills(
  act: Act,
  bills: readonly NewBill[],
): Promise<{ id: number; billNo: string }[]> {
  if (!bills.length) return [];
  const villageIds = bills.map((b) => b.villageId);
  const subjects = await subjectsFor(act, villageIds);
  const settings = await settingsOf(act, villageIds);
  const numbers = await act.numbers("ZD", bills.length);
  const ids = await nextIds(act, "bill", bills.length);
  const lineIds = await nextIds(
    act,
    "bill_line",
    bills.reduce((n, b) => n + b.lines.length, 0),
  );
  let taken = 0;
  const made = bills.map((bill, i) => {
    const lines = lineRows(bill, ids[i]!, lineIds.slice(taken, (taken += bill.lines.length)), subjects.find);
    return billRow(bill, ids[i]!, numbers[i]!, lines, {
      issueDay: issueDayOf(bill.dueDate, settings(bill.villageId).issueLeadDays),
      today: act.today,
    });
  });
  await insertBills(act, made);
  await insertLines(
    act,
    made.flatMap((bill) => bill.lines),
  );
  const kindOf = (id: number) => subjects.of(id).kind;
  const issued = made.filter((bill) => bill.issued);
  await post(
    act,
    issued.flatMap((bill) => issueEntries(bill, bill.lines, kindOf, bill.issueDate)),
  );
  await keepContractMoney(
    act,
    bills.map((b) => b.contractId),
  );
  return made.map(({ id, billNo }) => ({ id, billNo }));
}
