import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { recordById, type ContractRecord } from "../contract/record.queries.ts";
import {
  shopMonths,
  type ShopMonth,
  type StatementState,
  type STATEMENT_SOURCES,
} from "./statement.rules.ts";

export type Statement = {
  id: number;
  contractId: number;
  villageId: number;
  monthNo: number;
  fromDate: Day;
  toDate: Day;
  gross: Fen;
  refunds: Fen;
  excluded: Fen;
  net: Fen;
  declared: Fen | null;
  source: keyof typeof STATEMENT_SOURCES;
  state: StatementState;
  correctsId: number | null;
  baseRent: Fen | null;
  turnoverRent: Fen | null;
  topUp: Fen | null;
  charged: Fen;
  billId: number | null;
  note: string;
  reason: string;
  version: number;
};

/** A merchant's contract that came into force, with its months. */
export type Shop = ContractRecord & { partyId: number; start: Day; end: Day; months: ShopMonth[] };

/** States of a contract that is, or was, in force. */
const CAME_INTO_FORCE = ["effective", "expired", "ended", "terminated", "renewed", "changedRoom"];

/** The shop of a contract in scope; `lock` lets one at a time reckon what it owes. */
export async function shopOf(read: Read, contractId: number, lock = false): Promise<Shop> {
  const contract = seen(read.who, await recordById(read, contractId, lock));
  const { kind, state, partyId, start, end } = contract;
  if (kind !== "merchant" || !CAME_INTO_FORCE.includes(state) || !partyId || !start || !end) throw notFound();
  return { ...contract, partyId, start, end, months: shopMonths({ ...contract, start, end }) };
}

export async function statementsOf(read: Pick<Read, "tx">, contractId: number): Promise<Statement[]> {
  const rows = await read.tx
    .selectFrom("salesStatement")
    .selectAll()
    .where("contractId", "=", contractId)
    .orderBy("monthNo")
    .orderBy("id")
    .execute();
  return rows as Statement[];
}

/** One statement with its shop, both locked where something is to be changed. */
export async function statementFor(read: Read, id: number, lock = false) {
  const at = await read.tx
    .selectFrom("salesStatement")
    .select("contractId")
    .where("id", "=", id)
    .executeTakeFirst();
  if (!at) throw notFound();
  const shop = await shopOf(read, at.contractId, lock);
  const all = await statementsOf(read, at.contractId);
  const statement = all.find((s) => s.id === id);
  if (!statement) throw notFound();
  return { shop, all, statement };
}

/** Contracts of a merchant that are or were in force, newest first. */
export async function shopsOf(read: Read, merchantId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number | null }>`
    select c.id from firm x join firm y on y.id = x.id or y.merged_into_id = x.id
    left join contract c on c.party_id = y.id and c.kind = 'merchant' and c.village_id = ${anyOf(read.who.villages)}
      and c.state = any(${CAME_INTO_FORCE}::text[])
    where x.id = ${merchantId} and x.kind = 'merchant' and x.merged_into_id is null
      and exists (select 1 from party_village w where w.party_id = x.id and w.village_id = ${anyOf(read.who.villages)})
    order by c.start_date desc, c.id desc limit 20`.execute(read.tx);
  if (!rows.length) throw notFound();
  return rows.flatMap((r) => r.id ?? []);
}

type BillRow = {
  id: number;
  billNo: string;
  amount: Fen;
  status: "unpaid";
  source: string;
  start: Day;
  end: Day;
};

/** The bills of a contract that carry rent, with the days they are for. */
export async function rentBills(read: Read, contractId: number): Promise<BillRow[]> {
  const { rows } = await sql<BillRow>`
    select b.id, b.bill_no "billNo", b.amount + b.adjusted amount, b.status, b.source, min(l.period_start) "start", max(l.period_end) "end"
    from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id and s.code = 'rent'
    where b.contract_id = ${contractId} and b.voided_at is null and l.kind = 'normal' and l.period_start is not null
    group by b.id order by 6, b.id`.execute(read.tx);
  return rows;
}

/** Lines that were billed beyond the base for some statements, the newest first, with what is left of them. */
export async function chargedLines(
  read: Read,
  statementIds: readonly number[],
): Promise<{ id: number; left: Fen }[]> {
  const { rows } = await sql<{ id: number; left: Fen }>`
    select l.id, l.amount + l.adjusted "left" from bill b join bill_line l on l.bill_id = b.id
    where b.source = 'turnover' and b.source_id = ${anyOf(statementIds)} and b.voided_at is null
      and l.kind = 'normal' and l.amount + l.adjusted > 0
    order by l.id desc`.execute(read.tx);
  return rows;
}
