import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { keepContractMoney } from "../balance/balance.service.ts";
import { post } from "../journal/journal.service.ts";
import { subjectsFor, type Subjects } from "../subject/subject.service.ts";
import type { Bill } from "./bill.rules.ts";
import { lockBills } from "./bills.queries.ts";
import { issueEntries } from "./posting.rules.ts";

/** Puts planned bills (locked by the caller) on the ledger as of a day; the ones issued already are left alone. */
export async function issueBills(
  act: Act,
  bills: readonly Bill[],
  subjects: Subjects,
  dayOf: (bill: Bill) => Day = () => act.today,
): Promise<Bill[]> {
  const planned = bills.filter((bill) => !bill.issuedAt && !bill.voidedAt);
  if (!planned.length) return [];
  const kindOf = (id: number) => subjects.of(id).kind;
  await post(
    act,
    planned.flatMap((bill) => issueEntries(bill, bill.lines, kindOf, dayOf(bill))),
  );
  const rows = planned.map((bill) => ({ id: bill.id, day: dayOf(bill) }));
  await sql`
    update bill b set issued_at = ${act.now.toISOString()}, issue_date = r.day, version = b.version + 1
    from json_to_recordset(${JSON.stringify(rows)}::json) r(id bigint, day date) where b.id = r.id`.execute(
    act.tx,
  );
  for (const bill of planned) {
    bill.issuedAt = act.now.toISOString();
    bill.issueDate = dayOf(bill);
    bill.version += 1;
  }
  return planned;
}

/**
 * Puts bills whose issue day has come on the ledger, at most `limit`, each dated its own issue day. Answers how many;
 * call it until that is fewer than the limit. One beyond the largest amount, made before there was a bound, waits to be
 * voided.
 */
export async function issueDue(act: Act, limit = 1000): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from bill where issued_at is null and voided_at is null and issue_date <= ${act.today}
      and amount <= ${AMOUNT_MAX}
    order by issue_date, id limit ${limit} for update skip locked`.execute(act.tx);
  const bills = await lockBills(
    act,
    rows.map((r) => r.id),
  );
  if (!bills.length) return 0;
  const subjects = await subjectsFor(
    act,
    bills.map((b) => b.villageId),
  );
  await issueBills(act, bills, subjects, (bill) => bill.issueDate);
  await keepContractMoney(
    act,
    bills.map((b) => b.contractId),
  );
  return rows.length;
}
