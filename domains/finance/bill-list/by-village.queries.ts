import { type RawBuilder, sql } from "kysely";
import { firstOf, lastOf } from "../../../platform/kernel/day.ts";
import { type FilterOf, listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../bill/overdue.service.ts";
import { billsByVillage, type VillageBills } from "./by-village.contract.ts";
import { FILTERED } from "./list.queries.ts";

type Late = Pick<VillageBills, "overdueParties" | "longest">;
type Found = Omit<VillageBills, keyof Late>;
type Due = Pick<FilterOf<typeof billsByVillage>, "dueMonth" | "dueFrom" | "dueTo">;

/** The months of which a store's target is meant: those in which the bills are due. */
function targetOf({ today }: Read, { dueMonth, dueFrom, dueTo }: Due) {
  const last = dueMonth ? lastOf(dueMonth) : (dueTo ?? today);
  const first = dueMonth ? firstOf(dueMonth) : (dueFrom ?? last);
  return sql`collection_target(page.id, ${first}::date, ${last}::date)::float8 target`;
}

/** What the bills of a store come to. Its rate is that of its sums, never a mean of rates. */
const figures = ({ today }: Read) => sql<Omit<Found, "id" | "villageName" | "target">>`count(*)::int bills,
  safe_fen(coalesce(sum(b.amount), 0)) amount, safe_fen(coalesce(sum(b.adjusted), 0)) adjusted,
  safe_fen(coalesce(sum(b.settled), 0)) settled, safe_fen(coalesce(sum(b.written_off), 0)) "writtenOff",
  safe_fen(coalesce(sum(b.outstanding), 0)) outstanding,
  safe_fen(coalesce(sum(b.outstanding) filter (where ${isLateMoney(today)}), 0)) overdue,
  round(sum(b.settled) / nullif(sum(b.amount + b.adjusted), 0), 4)::float8 rate,
  safe_fen(coalesce(sum(greatest(b.amount + b.adjusted - b.invoiced, 0)), 0)) uninvoiced`;

/** Who is late in each of some stores, and for how long; read from the few bills that are, not from all. */
async function lateIn(
  read: Read,
  where: RawBuilder<unknown>,
  villageIds: readonly number[],
): Promise<Map<number, Late>> {
  const { rows } = await sql<Late & { id: number }>`
    select b.village_id id, count(distinct b.party_id)::int "overdueParties", max(${read.today}::date - b.due_date) longest
    from bill b where b.village_id = ${anyOf(villageIds)} and ${isLateMoney(read.today)} and ${where} group by 1`.execute(
    read.tx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
const NOBODY: Late = { overdueParties: 0, longest: null };

/** Bills by store, the most overdue first. */
export const villagesBills = listOf<typeof billsByVillage, Found>(billsByVillage, {
  id: "b.village_id",
  grouped: figures,
  from: sql`bill b`,
  village: "b.village_id",
  where: {
    ...FILTERED,
    dueMonth: (month) => sql`b.due_date between ${firstOf(month)} and ${lastOf(month)}`,
  },
  sort: {
    overdue: sql`overdue`,
    amount: sql`amount`,
    outstanding: sql`outstanding`,
    rate: sql`rate`,
  },
  order: "overdue",
  tie: sql`id`,
  columns: (read, asked) => sql<Found>`page.*, v.name "villageName", ${targetOf(read, asked)}`,
  join: sql`join village v on v.id = page.id`,
  rows: async (found, read, asked) => {
    const where = await villagesBills.condition(read, asked as FilterOf<typeof billsByVillage>);
    const late = await lateIn(
      read,
      where,
      found.map((row) => row.id),
    );
    return found.map((row) => ({ ...row, ...(late.get(row.id) ?? NOBODY) }));
  },
  // over the stores' own figures: the bills are read once, and a tenant of two stores counts in both
  totals: (read, _asked, where) => sql<{ total: number }>`
    select count(*)::int total, coalesce(sum(bills), 0)::int bills, coalesce(sum(amount), 0)::bigint amount,
      coalesce(sum(adjusted), 0)::bigint adjusted, coalesce(sum(settled), 0)::bigint settled,
      coalesce(sum("writtenOff"), 0)::bigint "writtenOff", coalesce(sum(outstanding), 0)::bigint outstanding,
      coalesce(sum(overdue), 0)::bigint overdue, round(sum(settled) / nullif(sum(amount + adjusted), 0), 4)::float8 rate,
      coalesce(sum(uninvoiced), 0)::bigint uninvoiced,
      (select count(distinct (b.village_id, b.party_id))::int from bill b
        where ${isLateMoney(read.today)} and ${where}) "overdueParties",
      (select max(${read.today}::date - b.due_date) from bill b where ${isLateMoney(read.today)} and ${where}) longest
    from (select b.village_id, ${figures(read)} from bill b where ${where} group by 1) g`,
});
