import { sql } from "kysely";
import { addToMonth, firstOf, lastOf, monthOf, type Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, yuan } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { aroundOf, lockBills } from "../bill/bills.queries.ts";
import { keepAround } from "../bill/keep.service.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { freezeLateFees } from "./latefee.service.ts";

/** Villages whose setting writes late fees down once a month. */
export async function monthlyVillages(read: Pick<Read, "tx" | "today">): Promise<number[]> {
  const rows = await read.tx.selectFrom("village").select("id").orderBy("id").execute();
  const ids = rows.map((row) => row.id);
  const settings = await settingsOf(read, ids);
  return ids.filter((id) => settings(id).lateFeeEnabled && settings(id).lateFeeFreeze === "monthly");
}

/** The last day of the month that has ended: however late the run is, it writes the same. */
export const monthEnd = (today: Day): Day => lastOf(addToMonth(monthOf(today), -1));

/** Months after its payment in which a paid bill's fee is still looked at: runs that were missed are caught up. */
const LOOK_BACK = 3;

/**
 * Writes the late fees of some villages up to a day (E03), at most `limit` bills after a given one: what is still open,
 * and what was paid lately, because in these villages paying writes no fee. Answers the last bill, or nothing at the
 * end. Doing it twice adds nothing.
 */
export async function freezeMonth(
  act: Act,
  of: { villageIds: readonly number[]; until: Day; after: number; limit: number },
): Promise<number | undefined> {
  const since = addToMonth(monthOf(of.until), -LOOK_BACK);
  const { rows } = await sql<{ id: number }>`
    select b.id from bill b
    where b.village_id = ${anyOf(of.villageIds)} and b.id > ${of.after} and b.direction = 'receivable'
      and b.issued_at is not null and b.voided_at is null and b.late_fee_rate > 0 and b.amount <= ${2 * AMOUNT_MAX}
      and b.due_date < ${of.until}::date - b.grace_days
      and (b.outstanding > 0
        or exists (select from allocation a where a.bill_id = b.id and a.date >= ${firstOf(since)}))
    order by b.id limit ${of.limit}`.execute(act.tx);
  if (!rows.length) return undefined;
  const bills = await lockBills(
    act,
    rows.map((row) => row.id),
  );
  const standing = bills.filter((bill) => !bill.voidedAt);
  const around = await aroundOf(
    act,
    standing.map((bill) => bill.villageId),
  );
  const written = await freezeLateFees(act, standing, of.until, around);
  const touched = standing.filter((bill) => written.has(bill.id));
  if (touched.length) {
    await keepAround(act, touched);
    await act.note(
      touched.map((bill) => ({
        kind: "bill",
        recordId: bill.id,
        number: bill.billNo,
        villageId: bill.villageId,
        action: "滞纳金入账",
        summary: `${monthOf(of.until)} 滞纳金入账 ${yuan(written.get(bill.id)!.amount)}`,
      })),
    );
  }
  return rows.at(-1)!.id;
}
