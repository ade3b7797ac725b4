import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { lookedUp } from "../../../platform/server/database/prepared.ts";
import type { Read, Who } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import type { BillingSetting } from "../setting/setting.rules.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { type Subjects, subjectsFor } from "../subject/subject.service.ts";
import type { Bill, Line } from "./bill.rules.ts";

const lockClause = sql`for update`;
const nothing = sql``;

/**
 * Bills with their lines, in id order. With `lock` both are locked until the end of the transaction, bills first;
 * every act on money takes balances before bills, so two acts never wait for each other in a circle.
 */
export async function readBills(
  read: Pick<Read, "tx">,
  ids: readonly number[],
  { lock = false }: { lock?: boolean } = {},
): Promise<Bill[]> {
  const wanted = [...new Set(ids)].sort((a, b) => a - b);
  if (!wanted.length) return [];
  const bills = await sql<Omit<Bill, "lines">>`
    select id, bill_no "billNo", direction, village_id "villageId", room_id "roomId", contract_id "contractId",
      party_id "partyId", title, due_date "dueDate", issue_date "issueDate", issued_at "issuedAt",
      created_at "createdAt", period_start "periodStart", period_end "periodEnd", source, grace_days "graceDays",
      late_fee_rate "lateFeeRate", late_fee_cap "lateFeeCap", disputed_from "disputedFrom",
      disputed_to "disputedTo", voided_at "voidedAt", amount, adjusted, settled, written_off "writtenOff", invoiced,
      invoicing, outstanding, status, version
    from bill where id = ${lookedUp(wanted)} order by id ${lock ? lockClause : nothing}`.execute(read.tx);
  const lines = await sql<Line>`
    select id, bill_id "billId", fee_subject_id "feeSubjectId", kind, room_id "roomId", amount, adjusted, settled,
      written_off "writtenOff", invoiced, invoicing, outstanding, tax_mode "taxMode", tax_rate "taxRate", tax,
      adjusts_line_id "adjustsLineId", period_start "periodStart", period_end "periodEnd", slices
    from bill_line where bill_id = ${lookedUp(wanted)} order by id ${lock ? lockClause : nothing}`.execute(
    read.tx,
  );
  const byBill = Map.groupBy(lines.rows, (line) => line.billId);
  return bills.rows.map((bill) => ({ ...bill, lines: byBill.get(bill.id) ?? [] }));
}

export const lockBills = (read: Pick<Read, "tx">, ids: readonly number[]) =>
  readBills(read, ids, { lock: true });

type Kept = {
  id: number;
  contractNo: string;
  villageId: number;
  partyId: number | null;
  state: string;
  bears: boolean;
};

/** Contracts that somebody hangs bills on, kept as they are until the commit; before any bill is locked. */
export async function keepContracts(act: Pick<Read, "tx">, ids: readonly number[]): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select id, contract_no "contractNo", village_id "villageId", party_id "partyId", state, bears
    from contracts_kept(${[...ids]}::bigint[])`.execute(act.tx);
  return rows;
}

/** Every bill of a batch is there and in scope; nothing is done before the last of them was looked at. */
export function allSeen(who: Who, bills: readonly Bill[], ids: readonly number[]): Bill[] {
  return ids.map((id) =>
    seen(
      who,
      bills.find((b) => b.id === id),
    ),
  );
}

/** A payment that is planned and not written yet. */
export type Paid = { lineId: number; day: Day; amount: Fen };

/** What every act on money looks things up in. */
export type Around = {
  subjects: Subjects;
  settings: (villageId: number) => BillingSetting;
  /** Counted as if they were paid already. */
  paid?: readonly Paid[];
};

/** Subjects and settings of the villages of some bills. */
export async function aroundOf(read: Read, villageIds: readonly number[]): Promise<Around> {
  return { subjects: await subjectsFor(read, villageIds), settings: await settingsOf(read, villageIds) };
}

export async function billIdsOf(read: Pick<Read, "tx">, contractId: number): Promise<number[]> {
  const rows = await read.tx.selectFrom("bill").select("id").where("contractId", "=", contractId).execute();
  return rows.map((r) => r.id);
}

export const byDueDay = (bills: readonly Bill[]): Bill[] =>
  bills.toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : a.id - b.id));

/** Every bill of a contract with its lines, voided ones too, by due day. */
export const billsOfContract = async (read: Pick<Read, "tx">, contractId: number): Promise<Bill[]> =>
  byDueDay(await readBills(read, await billIdsOf(read, contractId)));
