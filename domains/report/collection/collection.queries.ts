import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Collected } from "./collection.rules.ts";

export type CollectionFilter = {
  villages: readonly number[];
  from: Day;
  to: Day;
  channels?: readonly string[] | undefined;
  accountIds?: readonly number[] | undefined;
  operatorIds?: readonly number[] | undefined;
};
export type CollectedDay = Collected & { day: Day; villageId: number };

/** An empty list asks for everything. */
export const oneOf = (column: string, list: readonly (string | number)[] | undefined) =>
  list?.length ? sql`and ${sql.ref(column)} = any(${[...list]})` : sql``;

/** The report's one source: rows by day, village and channel out of the journal. */
export async function collected(read: Read, f: CollectionFilter): Promise<CollectedDay[]> {
  const { rows } = await sql<CollectedDay>`
    select day, village_id, channel, sum(amount)::bigint amount, sum(reversed)::bigint reversed,
      sum(fee)::bigint fee, sum(flows)::bigint flows
    from collected(${f.from}, ${f.to}, ${f.villages as number[]}::bigint[])
    where true ${oneOf("channel", f.channels)} ${oneOf("merchant_account_id", f.accountIds)}
      ${oneOf("operator_id", f.operatorIds)}
    group by 1, 2, 3 order by 1 desc, 2, 3`.execute(read.replica);
  return rows;
}

/** Refunds paid on each day: shown beside the takings, never inside them. */
export async function refunded(read: Read, f: CollectionFilter): Promise<Map<Day, number>> {
  const { rows } = await sql<{ day: Day; fen: number }>`
    select l.date "day", sum(l.debit - l.credit)::bigint fen
    from journal_line l join journal_entry e on e.id = l.entry_id join flow f on f.id = l.flow_id
    where l.account = '2202' and e.event = 'E13' and f.kind = 'refund'
      and l.village_id = ${anyOf(f.villages)} and l.date between ${f.from} and ${f.to}
      ${oneOf("f.channel", f.channels)} ${oneOf("f.merchant_account_id", f.accountIds)}
      ${oneOf("f.created_by", f.operatorIds)}
    group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.day, r.fen]));
}
