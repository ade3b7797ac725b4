import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";

export type CollectionFilter = {
  villages: readonly number[];
  from: Day;
  to: Day;
  channels?: readonly string[] | undefined;
  accountIds?: readonly number[] | undefined;
  operatorIds?: readonly number[] | undefined;
};
export type Collected = {
  day: Day;
  villageId: number;
  channel: string;
  amount: number;
  reversed: number;
  fee: number;
  flows: number;
};

const some = (list?: readonly unknown[]) => !!list?.length;

/** The report's one source: rows by day, village and channel out of the journal (R11). */
export async function collected(read: Read, f: CollectionFilter): Promise<Collected[]> {
  const { rows } = await sql<Collected>`
    select day, village_id, channel, sum(amount)::bigint amount, sum(reversed)::bigint reversed,
      sum(fee)::bigint fee, sum(flows)::bigint flows
    from collected(${f.from}, ${f.to}, ${f.villages as number[]}::bigint[])
    where (${!some(f.channels)} or channel = any(${f.channels ?? []}::text[]))
      and (${!some(f.accountIds)} or merchant_account_id = any(${f.accountIds ?? []}::bigint[]))
      and (${!some(f.operatorIds)} or operator_id = any(${f.operatorIds ?? []}::bigint[]))
    group by 1, 2, 3 order by 1 desc, 2, 3`.execute(read.replica);
  return rows;
}

/** Refunds paid that day: shown beside the takings, never inside them. */
export async function refunded(read: Read, f: CollectionFilter): Promise<Map<Day, number>> {
  const { rows } = await sql<{ day: Day; fen: number }>`
    select paid_on "day", sum(amount)::bigint fen from flow
    where kind = 'refund' and direction = 'out' and state = 'confirmed'
      and village_id = any(${f.villages as number[]}::bigint[]) and paid_on between ${f.from} and ${f.to}
      and (${!some(f.channels)} or channel = any(${f.channels ?? []}::text[]))
      and (${!some(f.accountIds)} or merchant_account_id = any(${f.accountIds ?? []}::bigint[]))
    group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.day, r.fen]));
}

/** True when every month of the range is locked in every village asked for. */
export async function isLocked(read: Read, f: CollectionFilter): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (
      select 1 from generate_series(date_trunc('month', ${f.from}::date), ${f.to}::date, interval '1 month') m,
        unnest(${f.villages as number[]}::bigint[]) v
      where not exists (select 1 from period_lock p where p.village_id = v and p.side = 'income'
        and p.month = to_char(m, 'YYYY-MM'))) "open"`.execute(read.replica);
  return !rows[0]!.open;
}
