import { sql } from "kysely";
import type { Day, Month, Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

export type Due = { billed: number; settled: number };

/** Bills that fall due in a period, and what had been paid on them at the end of a day: a past day stays as it was. */
const dueAt = (villages: readonly number[], { from, to }: Period, asOf: Day) => sql`
  select village_id, due_date, billed, settled from receivable_day
  where village_id = ${anyOf(villages)} and due_date between ${from}::date and ${to}::date and day <= ${asOf}::date`;

export async function dueOf(
  read: Read,
  villages: readonly number[],
  period: Period,
  asOf: Day,
): Promise<Map<number, Due>> {
  const { rows } = await sql<Due & { villageId: number }>`
    select village_id "villageId", sum(billed)::bigint billed, sum(settled)::bigint settled
    from (${dueAt(villages, period, asOf)}) x group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.villageId, r]));
}

/** The same by month of the due day over all of the stores. */
export async function dueMonths(
  read: Read,
  villages: readonly number[],
  period: Period,
  asOf: Day,
): Promise<Map<Month, Due>> {
  const { rows } = await sql<Due & { month: Month }>`
    select to_char(month_of(due_date), 'YYYY-MM') "month", sum(billed)::bigint billed, sum(settled)::bigint settled
    from (${dueAt(villages, period, asOf)}) x group by month_of(due_date)`.execute(read.replica);
  return new Map(rows.map((r) => [r.month, r]));
}

/** What came in, by store: the daily collection report, summed. */
export async function takenBy(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ villageId: number; fen: number }>`
    select village_id "villageId", sum(amount)::bigint fen from taking_day
    where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date group by 1`.execute(
    read.replica,
  );
  return new Map(rows.map((r) => [r.villageId, r.fen]));
}

export async function takenMonths(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Map<Month, number>> {
  const { rows } = await sql<{ month: Month; fen: number }>`
    select to_char(month_of(day), 'YYYY-MM') "month", sum(amount)::bigint fen from taking_day
    where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date group by month_of(day)`.execute(
    read.replica,
  );
  return new Map(rows.map((r) => [r.month, r.fen]));
}

/** Arrears at the end of a day, by store. */
export async function owedBy(
  read: Read,
  villages: readonly number[],
  asOf: Day,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ villageId: number; fen: number }>`
    select village_id "villageId", sum(fen)::bigint fen from arrears_day
    where village_id = ${anyOf(villages)} and day <= ${asOf}::date group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.villageId, r.fen]));
}

/** Ages of the dashboard: broader than those of the arrears report, and adding up to the same. */
const AGES = [
  { key: "d30", title: "30 天以内", from: 1, to: 30 },
  { key: "d60", title: "31-60 天", from: 31, to: 60 },
  { key: "d90", title: "61-90 天", from: 61, to: 90 },
  { key: "over", title: "90 天以上", from: 91, to: 100_000 },
] as const;

export async function ageing(read: Read, villages: readonly number[], asOf: Day) {
  const { rows } = await sql<{ at: number; fen: number; bills: number }>`
    select width_bucket(${asOf}::date - due_date, array[1, 31, 61, 91]) at, sum(outstanding)::bigint fen, count(*) bills
    from owing_at(${asOf}, ${villages as number[]}::bigint[]) group by 1`.execute(read.replica);
  const at = new Map(rows.map((r) => [r.at, r]));
  const ages = AGES.map(({ key, title }, i) => ({
    key,
    title,
    fen: at.get(i + 1)?.fen ?? 0,
    bills: at.get(i + 1)?.bills ?? 0,
  }));
  return {
    owed: ages.reduce((sum, a) => sum + a.fen, 0),
    bills: ages.reduce((sum, a) => sum + a.bills, 0),
    ages,
  };
}

/** What is earned on the days of a period, by store. */
export async function earnedBy(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ villageId: number; fen: number }>`
    select village_id "villageId", sum(fen)::bigint fen from income_day
    where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date group by 1`.execute(
    read.replica,
  );
  return new Map(rows.map((r) => [r.villageId, r.fen]));
}

export async function earnedMonths(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Map<Month, number>> {
  const { rows } = await sql<{ month: Month; fen: number }>`
    select to_char(month_of(day), 'YYYY-MM') "month", sum(fen)::bigint fen from income_day
    where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date group by month_of(day)`.execute(
    read.replica,
  );
  return new Map(rows.map((r) => [r.month, r.fen]));
}
