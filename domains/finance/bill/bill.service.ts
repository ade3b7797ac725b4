import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { keepContractMoney } from "../balance/balance.service.ts";
import { post } from "../journal/journal.service.ts";
import { taxesFor } from "../einvoice/conf.service.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { subjectsFor } from "../subject/subject.service.ts";
import { insertBills, insertLines } from "./keep.service.ts";
import { type NewBill, billRow, issueDayOf, lineRows } from "./make.rules.ts";
import { isOpen } from "./overdue.service.ts";
import { issueEntries } from "./posting.rules.ts";
import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

export type { NewBill, NewLine } from "./make.rules.ts";
export { voidBills } from "./void.service.ts";
export { aroundOf, billsOfContract, readBills } from "./bills.queries.ts";

constraintSays("bill_contract", { msg: "合同未签署生效或已作废，不能新增账单，请刷新后重试" });

/**
 * Makes any number of bills, of any number of contracts, in a few statements. A bill whose issue day has come enters
 * the ledger in the same transaction, dated today. Amounts are fen; tax follows each line's subject, at the rate of its issue
 * day, or of today where a contract fixes it for all its bills. Does not write the business log: whoever makes bills says why.
 */
export async function makeBills(
  act: Act,
  bills: readonly NewBill[],
): Promise<{ id: number; billNo: string }[]> {
  if (!bills.length) return [];
  const villageIds = bills.map((b) => b.villageId);
  const subjects = await subjectsFor(act, villageIds);
  const settings = await settingsOf(act, villageIds);
  const taxed = await taxesFor(act, villageIds);
  const numbers = await act.numbers("ZD", bills.length);
  const ids = await nextIds(act, "bill", bills.length);
  const lineIds = await nextIds(
    act,
    "bill_line",
    bills.reduce((n, b) => n + b.lines.length, 0),
  );
  let taken = 0;
  const made = bills.map((bill, i) => {
    const issueDay = issueDayOf(bill.dueDate, settings(bill.villageId).issueLeadDays);
    const day = bill.contractId || issueDay < act.today ? act.today : issueDay;
    const lines = lineRows(
      bill,
      ids[i]!,
      lineIds.slice(taken, (taken += bill.lines.length)),
      (villageId, subject) => taxed(villageId, subjects.find(villageId, subject), day),
    );
    return billRow(bill, ids[i]!, numbers[i]!, lines, { issueDay, today: act.today });
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

/** Bills by the beginning of their number, with or without ZD, or those still open of the parties given. */
export async function findBills(read: Read, typed: string, parties: readonly number[], most: number) {
  const [, digits] = /^(?:zd)?(\d{4}[\d-]*)$/i.exec(typed) ?? [];
  const found = [sql`b.party_id = ${anyOf(parties)} and ${isOpen}`];
  if (digits) found.push(sql`b.bill_no like ${`ZD${digits}%`}`);
  const { rows } = await sql<{
    id: number;
    billNo: string;
    payer: string;
    title: string;
    outstanding: number;
  }>`
    select b.id, b.bill_no "billNo", p.name payer, b.title, coalesce(b.outstanding, 0) outstanding
    from bill b join party p on p.id = b.party_id
    where b.village_id = ${anyOf(read.who.villages)} and (${sql.join(found, sql` or `)})
    order by b.outstanding > 0 desc, b.due_date, b.id limit ${most}`.execute(read.tx);
  return rows.map((b) => ({
    id: b.id,
    title: b.billNo,
    note: `${b.payer} · ${b.title}${b.outstanding > 0 ? ` · 未收 ${yuan(b.outstanding)}` : ""}`,
  }));
}
