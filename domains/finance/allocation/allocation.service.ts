import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { maxDay } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { lookedUp } from "../../../platform/server/database/prepared.ts";
import {
  addEarnest,
  addHeld,
  addPrepaid,
  type EarnestChange,
  type HeldChange,
} from "../balance/balance.service.ts";
import { isHeld, type Bill } from "../bill/bill.rules.ts";
import { keepSums } from "../bill/keep.service.ts";
import { allocationEntry, freedEntry } from "../bill/posting.rules.ts";
import { entriesOf, mirrorOf, partOf, post } from "../journal/journal.service.ts";
import type { Subjects } from "../subject/subject.service.ts";
import { NO_FLOW, type Share } from "./allocation.rules.ts";

type Row = {
  id: number;
  billId: number;
  billLineId: number;
  flowId: number | null;
  villageId: number;
  amount: Fen;
  date: Day;
  undoesId: number | null;
};

/**
 * Pays lines out of prepaid money, flow by flow (E08). Balances, flows and bills are locked by the caller, and the
 * bills are issued. `date` is the money's day; a bill issued later is paid on its own issue day. It is booked on that day, or on
 * `bookedOn` where it comes in place of a payment that stood in the books until then. Answers the ids of the allocations.
 */
export async function allocate(
  act: Act,
  of: { villageId: number; partyId: number },
  shares: readonly Share[],
  bills: readonly Bill[],
  subjects: Subjects,
  date: Day,
  bookedOn?: Day,
): Promise<number[]> {
  if (!shares.length) return [];
  const byBill = new Map(bills.map((bill) => [bill.id, bill]));
  const ids = await nextIds(act, "allocation", shares.length);
  const rows = shares.map((share, i): Row => {
    const bill = byBill.get(share.billId)!;
    return {
      id: ids[i]!,
      billId: share.billId,
      billLineId: share.lineId,
      flowId: share.flowId === NO_FLOW ? null : share.flowId,
      villageId: of.villageId,
      amount: share.amount,
      date: maxDay(date, bill.issueDate),
      undoesId: null,
    };
  });
  await insertAllocations(act, rows);
  const held: Held[] = [];
  const entries = rows.map((row) => {
    const bill = byBill.get(row.billId)!;
    const line = bill.lines.find((l) => l.id === row.billLineId)!;
    const { kind } = subjects.of(line.feeSubjectId);
    if (isHeld(kind)) held.push(heldChange(bill, kind, row.amount));
    return { ...allocationEntry(bill, row, line, kind, row.date), ...(bookedOn && { bookedOn }) };
  });
  await post(act, entries);
  const total = rows.reduce((sum, row) => sum + row.amount, 0);
  const opening = rows.reduce((sum, row) => sum + (row.flowId === null ? row.amount : 0), 0);
  await addPrepaid(act, of.villageId, of.partyId, -total, -opening);
  await keepHeld(act, held);
  await keepFlows(act, rows);
  await keepSums(
    act,
    rows.map((row) => ({ billId: row.billId, lineId: row.billLineId, settled: row.amount })),
  );
  return ids;
}

/** Pays a cost bill out of a flow of money that left; the flow's own entry (E26) is all that is posted. */
export async function allocateCost(
  act: Act,
  flow: { id: number; villageId: number; paidOn: Day },
  paying: readonly { billId: number; lineId: number; amount: Fen }[],
): Promise<void> {
  const ids = await nextIds(act, "allocation", paying.length);
  const rows = paying.map((pay, i): Row => ({
    id: ids[i]!,
    billId: pay.billId,
    billLineId: pay.lineId,
    flowId: flow.id,
    villageId: flow.villageId,
    amount: pay.amount,
    date: flow.paidOn,
    undoesId: null,
  }));
  await insertAllocations(act, rows);
  await keepFlows(act, rows);
  await keepSums(
    act,
    paying.map((pay) => ({ billId: pay.billId, lineId: pay.lineId, settled: pay.amount })),
  );
}

/** What of an allocation stands, or, with a smaller amount, what of it is to be taken back. */
export type Undoing = Row & { partyId: number; feeSubjectId: number; contractId: number | null };

/** Allocations that still stand, of flows or by id, each with what of it does. */
export async function standing(
  act: Pick<Act, "tx">,
  of: { flowIds?: readonly number[]; ids?: readonly number[]; billIds?: readonly number[] },
): Promise<Undoing[]> {
  const asked = [
    of.flowIds && sql`a.flow_id = ${lookedUp(of.flowIds)}`,
    of.ids && sql`a.id = ${lookedUp(of.ids)}`,
    of.billIds && sql`a.bill_id = ${lookedUp(of.billIds)}`,
  ].filter((one) => one !== undefined);
  const { rows } = await sql<Undoing>`
    select a.id, a.bill_id "billId", a.bill_line_id "billLineId", a.flow_id "flowId", a.village_id "villageId",
      a.amount, a.date, null "undoesId", b.party_id "partyId", l.fee_subject_id "feeSubjectId",
      b.contract_id "contractId"
    from allocation_standing a join bill b on b.id = a.bill_id join bill_line l on l.id = a.bill_line_id
    where a.kind = 'money' and (${sql.join(asked, sql` or `)})
    order by a.id`.execute(act.tx);
  return rows;
}

/**
 * Takes payments back, whole or in part (E09): the money returns to the party's 预存款. Everything is locked by the caller. Refused when
 * a deposit that was paid is no longer held. Earnest money that goes into a contract leaves as E15: its bill was paid
 * and stays so in the books.
 */
export async function undoAllocations(
  act: Act,
  undoing: readonly Undoing[],
  bills: readonly Bill[],
  subjects: Subjects,
  event: "E09" | "E15" = "E09",
): Promise<void> {
  if (!undoing.length) return;
  const ids = await nextIds(act, "allocation", undoing.length);
  const rows = undoing.map((was, i): Row => ({
    ...was,
    id: ids[i]!,
    amount: -was.amount,
    date: act.today,
    undoesId: was.id,
  }));
  await insertAllocations(act, rows);
  const posted = await entriesOf(act, {
    sourceType: "allocation",
    sourceIds: undoing.map((u) => u.id),
    events: ["E08"],
  });
  const undoOf = new Map(rows.map((row) => [row.undoesId, row]));
  await post(
    act,
    posted.map((whole) => {
      const { id: sourceId, amount } = undoOf.get(whole.sourceId)!;
      const entry = partOf(whole, -amount);
      return event === "E15"
        ? freedEntry(entry, sourceId, act.today)
        : mirrorOf(entry, { event, sourceType: "allocation", sourceId, businessDate: act.today });
    }),
  );
  const held = undoing.flatMap((was) => {
    const bill = bills.find((b) => b.id === was.billId)!;
    const { kind } = subjects.of(was.feeSubjectId);
    return isHeld(kind) ? [heldChange(bill, kind, -was.amount)] : [];
  });
  await keepHeld(act, held);
  const payable = new Set(bills.filter((b) => b.direction === "payable").map((b) => b.id));
  const back = undoing.filter((was) => !payable.has(was.billId));
  const sum = (some: readonly Undoing[]) => some.reduce((fen, was) => fen + was.amount, 0);
  for (const whose of Map.groupBy(back, (was) => `${was.villageId} ${was.partyId}`).values()) {
    const { villageId, partyId } = whose[0]!;
    await addPrepaid(act, villageId, partyId, sum(whose), sum(whose.filter((was) => was.flowId === null)));
  }
  await keepFlows(act, rows);
  await keepSums(
    act,
    rows.map((row) => ({ billId: row.billId, lineId: row.billLineId, settled: row.amount })),
  );
}

/** Held for a contract, or, as earnest money that has none yet, for the bill itself. */
type Held = { contract: HeldChange } | { bill: EarnestChange };

async function keepHeld(act: Act, held: readonly Held[]): Promise<void> {
  await addHeld(
    act,
    held.flatMap((h) => ("contract" in h ? [h.contract] : [])),
  );
  await addEarnest(
    act,
    held.flatMap((h) => ("bill" in h ? [h.bill] : [])),
  );
}

function heldChange(bill: Bill, kind: string, amount: Fen): Held {
  const { villageId } = bill;
  if (!bill.contractId && kind === "earnest") return { bill: { billId: bill.id, villageId, amount } };
  if (!bill.contractId) throw new Refusal("noContract", "押金账单没有关联合同，不能收款");
  return {
    contract: {
      contractId: bill.contractId,
      kind: kind === "earnest" ? "earnest" : "deposit",
      villageId,
      amount,
    },
  };
}

/** Writes allocations as they are; `kind` says what pays: money, or what is held. */
export async function insertAllocations(
  act: Act,
  rows: readonly Row[],
  kind: "money" | "deposit" | "earnest" = "money",
): Promise<void> {
  await sql`
    insert into allocation (id, bill_id, bill_line_id, kind, flow_id, village_id, amount, date, undoes_id, created_at,
      created_by)
    select r.id, r."billId", r."billLineId", ${kind}, r."flowId", r."villageId", r.amount, r.date, r."undoesId",
      ${act.now.toISOString()}, ${act.who.operatorId || null}
    from json_to_recordset(${JSON.stringify(rows)}::json) r(id bigint, "billId" bigint, "billLineId" bigint,
      "flowId" bigint, "villageId" bigint, amount bigint, date date, "undoesId" bigint)`.execute(act.tx);
}

/** What is taken out of (or given back to) each flow. */
async function keepFlows(act: Act, rows: readonly Row[]): Promise<void> {
  await sql`
    update flow f set allocated = f.allocated + c.amount, version = f.version + 1,
      updated_at = ${act.now.toISOString()}, updated_by = ${act.who.operatorId || null}
    from (
      select "flowId" id, sum(amount) amount
      from json_to_recordset(${JSON.stringify(rows)}::json) r("flowId" bigint, amount bigint)
      where "flowId" is not null group by 1) c
    where f.id = c.id`.execute(act.tx);
}
