import { sql } from "kysely";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { type Bill, whyNotRecover, whyNotWriteOff } from "../bill/bill.rules.ts";
import { billReopened } from "../bill/events.contract.ts";
import { lockBills } from "../bill/bills.queries.ts";
import { keepAround, keepSums, billNote } from "../bill/keep.service.ts";
import { writeOffEntry } from "../bill/posting.rules.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { subjectsFor } from "../subject/subject.service.ts";

/** Why a bill cannot be given up today, by the days that its store waits; or nothing. */
export async function whyNotWriteOffNow(read: Read, bill: Bill): Promise<string | undefined> {
  const { writeOffMinDays } = (await settingsOf(read, [bill.villageId]))(bill.villageId);
  return whyNotWriteOff(bill, daysBetween(bill.dueDate, read.today), writeOffMinDays, read.today);
}

/** Gives up what is still open of a bill: a loss (E11), the bill counts as settled. */
export async function writeOffBill(act: Act, billId: number, reason: string): Promise<Bill> {
  const [bill] = await lockBills(act, [billId]);
  if (!bill) throw notFound();
  const why = await whyNotWriteOffNow(act, bill);
  if (why) throw new Refusal("notAllowed", why);
  const lines = bill.lines.filter((line) => line.outstanding > 0);
  const ids = await nextIds(act, "allocation", lines.length);
  const rows = lines.map((line, i) => ({ id: ids[i]!, lineId: line.id, amount: line.outstanding }));
  await sql`
    insert into allocation (id, bill_id, bill_line_id, kind, village_id, amount, date, created_at, created_by)
    select r.id, ${bill.id}, r."lineId", 'writeOff', ${bill.villageId}, r.amount, ${act.today},
      ${act.now.toISOString()}, ${act.who.operatorId || null}
    from json_to_recordset(${JSON.stringify(rows)}::json) r(id bigint, "lineId" bigint, amount bigint)`.execute(
    act.tx,
  );
  const subjects = await subjectsFor(act, [bill.villageId]);
  await post(
    act,
    lines.map((line, i) => {
      const { kind } = subjects.of(line.feeSubjectId);
      return writeOffEntry(bill, ids[i]!, line, kind, line.outstanding, act.today);
    }),
  );
  await keepSums(
    act,
    lines.map((line) => ({ billId: bill.id, lineId: line.id, writtenOff: line.outstanding })),
  );
  await act.note(billNote(bill, "核销", `坏账核销 ${yuan(bill.outstanding)}：${reason}`));
  await keepAround(act, [bill]);
  return bill;
}

/** What was given up of a locked bill is owed again: the mirrors of its write-offs (E11), dated today. */
export async function recoverBill(act: Act, bill: Bill, reason: string): Promise<void> {
  const why = whyNotRecover(bill);
  if (why) throw new Refusal("notAllowed", why);
  const { rows: written } = await sql<{ id: number; billLineId: number; amount: Fen }>`
    select id, bill_line_id "billLineId", amount from allocation_standing
    where bill_id = ${bill.id} and kind = 'writeOff' order by id`.execute(act.tx);
  const ids = await nextIds(act, "allocation", written.length);
  const idOf = new Map(written.map((was, i) => [was.id, ids[i]!]));
  const rows = written.map((was) => ({ ...was, undoing: idOf.get(was.id) }));
  await sql`
    insert into allocation (id, bill_id, bill_line_id, kind, village_id, amount, date, undoes_id, created_at, created_by)
    select r.undoing, ${bill.id}, r."billLineId", 'writeOff', ${bill.villageId}, -r.amount, ${act.today}, r.id,
      ${act.now.toISOString()}, ${act.who.operatorId || null}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      r(id bigint, undoing bigint, "billLineId" bigint, amount bigint)`.execute(act.tx);
  const sourceIds = written.map((was) => was.id);
  const posted = await entriesOf(act, { sourceType: "allocation", sourceIds, events: ["E11"] });
  const as = { event: "E11" as const, sourceType: "allocation", businessDate: act.today, memo: reason };
  await post(
    act,
    posted.map((entry) => mirrorOf(entry, { ...as, sourceId: idOf.get(entry.sourceId)! })),
  );
  await keepSums(
    act,
    written.map(({ billLineId, amount }) => ({ billId: bill.id, lineId: billLineId, writtenOff: -amount })),
  );
  await act.note(billNote(bill, "撤销核销", `撤销坏账核销 ${yuan(bill.writtenOff)}：${reason}`));
  await keepAround(act, [bill]);
  await act.emit(billReopened, { billIds: [bill.id] });
}

/** Marks a bill as disputed from today on, or ends the dispute today; the days between bear no late fee. */
export async function setDispute(
  act: Act,
  bill: Bill,
  { disputed, reason }: { disputed: boolean; reason: string },
): Promise<void> {
  const open = bill.disputedFrom !== null && bill.disputedTo === null;
  if (bill.status === "void" || bill.outstanding === 0)
    throw new Refusal("notAllowed", "账单没有未收金额，不能标记争议");
  if (disputed && open) throw new Refusal("notAllowed", "账单已在争议中");
  if (!disputed && !open) throw new Refusal("notAllowed", "账单不在争议中");
  const by = act.who.operatorId || null;
  if (disputed)
    await act.tx
      .insertInto("billDispute")
      .values({ billId: bill.id, fromDay: act.today, reason, createdBy: by })
      .execute();
  else
    await act.tx
      .updateTable("billDispute")
      .set({ toDay: act.today })
      .where("billId", "=", bill.id)
      .where("toDay", "is", null)
      .execute();
  await act.tx
    .updateTable("bill")
    .set({
      ...(disputed ? { disputedFrom: act.today, disputedTo: null } : { disputedTo: act.today }),
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
      updatedBy: by,
    })
    .where("id", "=", bill.id)
    .execute();
  await act.note(billNote(bill, disputed ? "标记争议" : "解除争议", reason));
}
