import { type RawBuilder, sql } from "kysely";
import { type Day, firstOf, lastOf } from "../../../platform/kernel/day.ts";
import { asksOnly, type FilterOf, listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../bill/overdue.service.ts";
import { billsByVillage, type VillageBills } from "./by-village.contract.ts";
import { FILTERED, UNINVOICED } from "./list.queries.ts";

type Late = Pick<VillageBills, "overdueParties" | "longest">;
type Found = Omit<VillageBills, keyof Late>;
type Asked = FilterOf<typeof billsByVillage>;
type Due = Pick<Asked, "dueMonth" | "dueFrom" | "dueTo">;

/** The months of which a store's target is meant: those in which the bills are due. */
function targetOf({ today }: Read, { dueMonth, dueFrom, dueTo }: Due) {
  const last = dueMonth ? lastOf(dueMonth) : (dueTo ?? today);
  const first = dueMonth ? firstOf(dueMonth) : (dueFrom ?? last);
  return sql`left join collection_targets(${first}::date, ${last}::date) g on g.village_id = page.id`;
}

/** Whether the sums by due day know of all that is asked. */
const isSummed = (asked: object) =>
  asksOnly(asked, ["villageIds", "dueMonth", "dueFrom", "dueTo", "direction", "status"]);

/**
 * Late bills; where only those filters are set with no more of each than the index of what is owed has, and with the sums of
 * `billsOf`, which are nothing here.
 */
const lateOf = ({ today }: Read, asked: Asked) => {
  if (!isSummed(asked)) return sql`(select * from bill b where ${isLateMoney(today)}) b`;
  return sql`(select b.village_id, b.due_date, b.direction, case when b.settled > 0 then 'partial' else 'unpaid' end status, b.party_id,
      0 bills, 0 amount, 0 adjusted, 0 settled, 0 written_off, 0 outstanding, 0 uninvoiced, b.outstanding overdue
    from bill b where ${isLateMoney(today)}) b`;
};

/** The bills as they are summed by due day, and beside them what is late; or one by one. */
const billsOf = (read: Read, asked: Asked) => {
  if (!isSummed(asked))
    return sql`bill b cross join lateral (select 1 bills, ${UNINVOICED} uninvoiced,
        case when ${isLateMoney(read.today)} then b.outstanding else 0 end overdue) x`;
  const { dueMonth, dueFrom, dueTo } = asked;
  const first = sql`greatest('-infinity'::date, ${dueFrom ?? null}::date, ${dueMonth ? firstOf(dueMonth) : null}::date)`;
  const last = sql`least('infinity'::date, ${dueTo ?? null}::date, ${dueMonth ? lastOf(dueMonth) : null}::date)`;
  const columns = sql`village_id, due_date, direction, status, bills, amount, adjusted, settled, written_off, outstanding, uninvoiced`;
  return sql`(select ${columns}, 0 overdue from bills_due(${first}, ${last})
      union all select ${columns}, overdue from ${lateOf(read, asked)}) b`;
};

/** What the bills of a store come to. Its rate is that of its sums, never a mean of rates. */
const FIGURES = sql<Omit<Found, "id" | "villageName" | "target">>`sum(bills)::int bills,
  safe_fen(coalesce(sum(b.amount), 0)) amount, safe_fen(coalesce(sum(b.adjusted), 0)) adjusted,
  safe_fen(coalesce(sum(b.settled), 0)) settled, safe_fen(coalesce(sum(b.written_off), 0)) "writtenOff",
  safe_fen(coalesce(sum(b.outstanding), 0)) outstanding, safe_fen(coalesce(sum(overdue), 0)) overdue,
  round(sum(b.settled) / nullif(sum(b.amount + b.adjusted), 0), 4)::float8 rate,
  safe_fen(coalesce(sum(uninvoiced), 0)) uninvoiced`;
const SOME = sql`sum(bills) > 0`;

/** Who is late in each store, and for how long; read from the few bills that are, not from all. */
const lateByStore = (read: Read, asked: Asked, where: RawBuilder<unknown>) => sql`
  select b.village_id id, count(distinct b.party_id)::int "overdueParties", max(${read.today}::date - b.due_date) longest
  from ${lateOf(read, asked)} where ${where} group by 1`;

/** The same of some stores. */
async function lateIn(read: Read, asked: Asked, villageIds: readonly number[]): Promise<Map<number, Late>> {
  const where = await villagesBills.condition(read, asked);
  const these = sql`b.village_id = ${anyOf(villageIds)} and ${where}`;
  const { rows } = await sql<Late & { id: number }>`${lateByStore(read, asked, these)}`.execute(read.tx);
  return new Map(rows.map((row) => [row.id, row]));
}
const NOBODY: Late = { overdueParties: 0, longest: null };

/** Found while the statement runs, so that its plan is one for all days. */
const since = (day: Day) => sql`b.due_date >= (select ${day}::date)`;
const until = (day: Day) => sql`b.due_date <= (select ${day}::date)`;

/** Bills by store, the most overdue first. */
export const villagesBills = listOf<typeof billsByVillage, Found>(billsByVillage, {
  id: "b.village_id",
  grouped: FIGURES,
  having: SOME,
  from: billsOf,
  village: "b.village_id",
  where: {
    ...FILTERED,
    dueMonth: (month) => sql`${since(firstOf(month))} and ${until(lastOf(month))}`,
    dueFrom: since,
    dueTo: until,
  },
  sort: {
    overdue: sql`overdue`,
    amount: sql`amount`,
    outstanding: sql`outstanding`,
    rate: sql`rate`,
  },
  order: "overdue",
  tie: sql`id`,
  columns: sql<Found>`page.*, v.name "villageName", g.value::float8 target`,
  join: (read, asked) => sql`join village v on v.id = page.id ${targetOf(read, asked)}`,
  rows: async (found, read, asked) => {
    const late = await lateIn(
      read,
      asked as Asked,
      found.map((row) => row.id),
    );
    return found.map((row) => ({ ...row, ...(late.get(row.id) ?? NOBODY) }));
  },
  // over the stores' own figures: the bills are read once, and a tenant of two stores counts in both
  totals: (read, asked, where) => sql<{ total: number }>`
    with late as (${lateByStore(read, asked, where)})
    select count(*)::int total, coalesce(sum(bills), 0)::int bills, coalesce(sum(amount), 0)::bigint amount,
      coalesce(sum(adjusted), 0)::bigint adjusted, coalesce(sum(settled), 0)::bigint settled,
      coalesce(sum("writtenOff"), 0)::bigint "writtenOff", coalesce(sum(outstanding), 0)::bigint outstanding,
      coalesce(sum(overdue), 0)::bigint overdue, round(sum(settled) / nullif(sum(amount + adjusted), 0), 4)::float8 rate,
      coalesce(sum(uninvoiced), 0)::bigint uninvoiced, (select coalesce(sum("overdueParties"), 0)::int from late) "overdueParties",
      (select max(longest) from late) longest
    from (select b.village_id, ${FIGURES} from ${billsOf(read, asked)} where ${where} group by 1 having ${SOME}) g`,
});
