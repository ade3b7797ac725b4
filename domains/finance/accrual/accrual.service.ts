import { sql } from "kysely";
import { firstOf, lastOf, monthOf, type Day, type Month } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, type Fen } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { credit, debit, type Entry, type Leg } from "../journal/journal.rules.ts";
import { holdBooks, postNow } from "../journal/journal.service.ts";
import { daysWith } from "../setting/setting.service.ts";

export const LOCKED = "该月已锁账";

/** What a line, or a contract that is recognised evenly, brings to a month. */
export type Due = {
  lineId: number | null;
  contractId: number | null;
  partyId: number | null;
  feeSubjectId: number;
  month: Day;
  kind: "normal" | "catchUp" | "straightLine";
  gross: Fen;
  tax: Fen;
};
export type Accrued = { villageId: number; rows: number; gross: Fen; net: Fen; tax: Fen };

/** Whether a store, or its enterprise, has ever recognised rent evenly. */
export const everEven = (village: string) => sql<boolean>`exists (
  select from billing_setting s where s.enterprise_id = ${sql.ref(`${village}.enterprise_id`)}
    and (s.village_id is null or s.village_id = ${sql.ref(`${village}.id`)}) and s.setting ->> 'recognition' = 'straightLine')`;

/** Those of some stores in which contracts are or were recognised evenly, with the days on which such were signed, as ranges. */
export async function evenStores(
  read: Pick<Read, "tx" | "today">,
  villageIds: readonly number[],
): Promise<{ villageId: number; even: string[] }[]> {
  const { rows } = await sql<{ id: number }>`
    select v.id from village v where v.id = any(${[...villageIds]}::bigint[]) and ${everEven("v")}`.execute(
    read.tx,
  );
  const stores = [];
  for (const { id: villageId } of rows) {
    const spans = await daysWith(read, villageId, "recognition", "straightLine");
    stores.push({ villageId, even: spans.map(({ from, until }) => `[${from},${until ?? ""}]`) });
  }
  return stores;
}

/** What the books of a store lack of the income up to the end of a month. */
export async function dueOf(
  read: Pick<Read, "tx" | "today">,
  villageId: number,
  month: Month,
): Promise<Due[]> {
  const even = (await evenStores(read, [villageId]))[0]?.even ?? [];
  const { rows } = await sql<Due>`
    select line_id "lineId", contract_id "contractId", party_id "partyId", fee_subject_id "feeSubjectId", month, kind, gross, tax
    from accrual_due(${villageId}, ${lastOf(month)}, ${even}::daterange[])
    order by month, fee_subject_id, line_id, contract_id`.execute(read.tx);
  return rows;
}

/** The stores whose month is open for income, among some or all of them. */
export async function stillOpen(
  read: Pick<Read, "tx">,
  month: Month,
  villageIds: readonly number[] | null = null,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from village where (${villageIds && [...villageIds]}::bigint[] is null or id = any(${villageIds && [...villageIds]}::bigint[]))
      and coalesce(income_opens(id) <= ${firstOf(month)}, true)
    order by id`.execute(read.tx);
  return rows.map(({ id }) => id);
}

/** Those of some stores whose month may still be booked; refused where there is none, or the month has not ended. */
export async function openVillages(act: Act, villageIds: readonly number[], month: Month): Promise<number[]> {
  if (lastOf(month) > act.today) throw invalid({ field: "month", msg: "本月尚未结束" });
  const open = await stillOpen(act, month, villageIds);
  if (!open.length) throw new Refusal("monthLocked", LOCKED);
  return open;
}

/**
 * Brings the books of some stores up to the end of a month (E24): what their lines have earned by then and the books lack, each
 * part in its own month, or in the first open one where that is locked. Doing it twice adds nothing. A store whose month is locked is
 * left out; refused where it is every one, or the month has not ended.
 */
export async function runAccrual(
  act: Act,
  { villageIds, month }: { villageIds: readonly number[]; month: Month },
): Promise<Accrued[]> {
  const open = await openVillages(act, villageIds, month);
  const accrued: Accrued[] = [];
  for (const villageId of open) accrued.push(await accrueVillage(act, villageId, month));
  return accrued;
}

export async function accrueVillage(act: Act, villageId: number, month: Month): Promise<Accrued> {
  // one run of a store at a time, and none while its month is locked
  await sql`select pg_advisory_xact_lock(hashtextextended(${`accrual ${villageId}`}, 0))`.execute(act.tx);
  await holdBooks(act, [villageId]);
  const due = await dueOf(act, villageId, month);
  const gross = due.reduce((sum, row) => sum + row.gross, 0);
  const tax = due.reduce((sum, row) => sum + row.tax, 0);
  const { id } = await act.tx
    .insertInto("accrualRun")
    .values({
      villageId,
      month,
      rows: due.length,
      gross,
      tax,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const groups = [...Map.groupBy(due, (row) => `${row.month} ${row.feeSubjectId}`).values()];
  const ids = await postNow(
    act,
    groups.map((rows, seq) => recognised(villageId, rows, { sourceId: id, seq })),
  );
  const rows = groups.flatMap((group, i) =>
    group.map((row) => ({
      villageId,
      month: monthOf(row.month),
      billLineId: row.lineId,
      contractId: row.lineId === null ? row.contractId : null,
      feeSubjectId: row.feeSubjectId,
      gross: row.gross,
      tax: row.tax,
      kind: row.kind,
      entryId: ids[i],
    })),
  );
  if (rows.length)
    await sql`
      insert into accrual_row (village_id, month, bill_line_id, contract_id, fee_subject_id, gross, tax, kind, entry_id)
      select r."villageId", r.month, r."billLineId", r."contractId", r."feeSubjectId", r.gross, r.tax, r.kind, r."entryId"
      from json_to_recordset(${JSON.stringify(rows)}::json) r("villageId" bigint, month text, "billLineId" bigint,
        "contractId" bigint, "feeSubjectId" bigint, gross bigint, tax bigint, kind text, "entryId" bigint)`.execute(
      act.tx,
    );
  return { villageId, rows: due.length, gross, net: gross - tax, tax };
}

/**
 * E24 of a month and subject: 递延收入 by contract and customer, income and tax as a whole, each what it comes to. Only where all of
 * it comes to nothing what adds and what takes away are legs of their own, so that its rows have an entry.
 */
function recognised(
  villageId: number,
  rows: readonly Due[],
  { sourceId, seq }: { sourceId: number; seq: number },
): Entry {
  const { month } = rows[0]!;
  const signed = (row: Due) => ((row.gross || row.tax) < 0 ? -1 : 1);
  const whole = legsOf(villageId, rows);
  const legs = whole.some((leg) => leg.amount)
    ? whole
    : [...Map.groupBy(rows, signed).values()].flatMap((of) => legsOf(villageId, of));
  return {
    event: "E24",
    sourceType: "accrual",
    sourceId,
    seq,
    businessDate: lastOf(monthOf(month)),
    memo: `${monthOf(month)} 收入确认`,
    legs,
  };
}

function legsOf(villageId: number, rows: readonly Due[]): Leg[] {
  const { feeSubjectId } = rows[0]!;
  const gross = (of: readonly Due[]) => of.reduce((sum, row) => sum + row.gross, 0);
  const tax = rows.reduce((sum, row) => sum + row.tax, 0);
  const deferred = [...Map.groupBy(rows, (row) => `${row.contractId} ${row.partyId}`).values()].map((of) => {
    const { contractId, partyId } = of[0]!;
    return debit("2204", villageId, gross(of), { feeSubjectId, contractId, partyId });
  });
  const earned = credit("6001", villageId, gross(rows) - tax, { feeSubjectId });
  return [...deferred, earned, credit("2222", villageId, tax, { feeSubjectId })].flatMap(within);
}

/** A leg in as many pieces as the bound of a line asks for. */
export function within(leg: Leg): Leg[] {
  if (Math.abs(leg.amount) <= AMOUNT_MAX) return [leg];
  const piece = Math.sign(leg.amount) * AMOUNT_MAX;
  return [{ ...leg, amount: piece }, ...within({ ...leg, amount: leg.amount - piece })];
}
