import { sql } from "kysely";
import { type Day, maxDay } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Paying } from "../allocation/allocation.rules.ts";
import { insertAllocations } from "../allocation/allocation.service.ts";
import { addHeld } from "../balance/balance.service.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { keepSums } from "../bill/keep.service.ts";
import { depositEntry } from "../bill/posting.rules.ts";
import { entriesOf, mirrorOf, partOf, post } from "../journal/journal.service.ts";

/** Whose deposit it is. */
type Of = { contractId: number; villageId: number };

/** E14, line by line; booked on `bookedOn` where it comes in place of what the deposit had paid until then. */
export async function payByDeposit(
  act: Act,
  of: Of,
  bills: readonly Bill[],
  paying: readonly Paying[],
  day: Day,
  bookedOn?: Day,
): Promise<number[]> {
  if (!paying.length) return [];
  const ids = await nextIds(act, "allocation", paying.length);
  const billOf = new Map(bills.map((b) => [b.id, b]));
  const lineOf = new Map(bills.flatMap((b) => b.lines).map((l) => [l.id, l]));
  const rows = paying.map(({ billId, lineId, amount }, i) => {
    const bill = billOf.get(billId)!;
    return { id: ids[i]!, bill, line: lineOf.get(lineId!)!, amount, date: maxDay(day, bill.issueDate) };
  });
  await insertAllocations(
    act,
    rows.map(({ bill, line, ...row }) => ({
      ...row,
      billId: bill.id,
      billLineId: line.id,
      flowId: null,
      villageId: of.villageId,
      undoesId: null,
    })),
    "deposit",
  );
  await post(
    act,
    rows.map(({ id, bill, line, amount, date }) => ({
      ...depositEntry(bill, line, id, amount, date),
      ...(bookedOn && { bookedOn }),
    })),
  );
  const spent = rows.reduce((sum, r) => sum + r.amount, 0);
  await addHeld(act, [
    { contractId: of.contractId, kind: "deposit", villageId: of.villageId, amount: -spent },
  ]);
  await keepSums(
    act,
    rows.map(({ bill, line, amount }) => ({ billId: bill.id, lineId: line.id, settled: amount })),
  );
  return ids;
}

/** What a deposit paid of one line, or what of that is to be held again. */
export type SetOff = { id: number; billId: number; billLineId: number; amount: Fen };

/** What the deposit of a contract paid of its bills and was not taken back, the oldest first. */
export async function setOffOf(
  read: Pick<Read, "tx">,
  contractId: number,
): Promise<(SetOff & { date: Day })[]> {
  const { rows } = await sql<SetOff & { date: Day }>`
    select a.id, a.bill_id "billId", a.bill_line_id "billLineId", a.amount, a.date
    from allocation_standing a join bill b on b.id = a.bill_id
    where b.contract_id = ${contractId} and a.kind = 'deposit'
    order by a.id`.execute(read.tx);
  return rows;
}

/** The mirror of E14, of all of it or a part: the deposit is held again. */
export async function undoDeposit(act: Act, of: Of, setOff: readonly SetOff[]): Promise<void> {
  if (!setOff.length) return;
  const ids = await nextIds(act, "allocation", setOff.length);
  await insertAllocations(
    act,
    setOff.map(({ billId, billLineId, amount, id: undoesId }, i) => ({
      id: ids[i]!,
      billId,
      billLineId,
      flowId: null,
      villageId: of.villageId,
      amount: -amount,
      date: act.today,
      undoesId,
    })),
    "deposit",
  );
  const posted = await entriesOf(act, {
    sourceType: "allocation",
    sourceIds: setOff.map((a) => a.id),
    events: ["E14"],
  });
  const undoOf = new Map(setOff.map((was, i) => [was.id, { sourceId: ids[i]!, amount: was.amount }]));
  await post(
    act,
    posted.map((entry) => {
      const { sourceId, amount } = undoOf.get(entry.sourceId)!;
      return mirrorOf(partOf(entry, amount), {
        event: "E14",
        sourceType: "allocation",
        sourceId,
        businessDate: act.today,
      });
    }),
  );
  const amount = setOff.reduce((sum, a) => sum + a.amount, 0);
  await addHeld(act, [{ contractId: of.contractId, kind: "deposit", villageId: of.villageId, amount }]);
  await keepSums(
    act,
    setOff.map((a) => ({ billId: a.billId, lineId: a.billLineId, settled: -a.amount })),
  );
}
