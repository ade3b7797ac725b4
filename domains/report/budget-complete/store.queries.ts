import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { everEven } from "../../finance/accrual/accrual.service.ts";
import { storeKeeperOf, storeMarks } from "../../listing/status/status.service.ts";
import { actualsOf } from "../budget-indicator/actual.queries.ts";
import { type Kept, indicatorsOf } from "../budget-indicator/indicators.queries.ts";
import { type LeafOf, type WorkedOut, evaluator } from "../budget-indicator/value.rules.ts";
import { plannedOf, versionsOf } from "../budget/plan.queries.ts";
import type { CompleteRow, VillageComplete } from "./budget-complete.contract.ts";

type Side = "plan" | "done" | "past";
export type Figures = Omit<CompleteRow, "id" | "villageId" | "villageName">;
export type Sums = Pick<
  VillageComplete,
  "income" | "incomeActual" | "incomeReached" | "profit" | "profitActual" | "profitReached"
>;

/**
 * What tells that figures of a store changed: its rooms, today's and those of days that were rolled up anew; its books, whose sum of
 * debits only grows; the month that was accrued last, also where it came to nothing; its budget in force. Rent that is recognised evenly
 * follows contracts, which change without a booking: such stores are always read anew.
 */
const marksOf = (read: Read, villages: readonly number[]): Promise<Map<number, string>> =>
  storeMarks(
    read,
    villages,
    sql`, '-', (select times from village_rolled r where r.village_id = v.id),
      '-', coalesce((select sum(debit) from journal_span s where s.village_id = v.id and s.unit = 'all'), 0)
        + coalesce((select sum(debit) from journal_day d where d.village_id = v.id and not d.folded), 0),
      '-', (select max(month) from accrual_run a where a.village_id = v.id),
      '-', (select string_agg(b.id::text, ',' order by b.id) from budget_version b where b.village_id = v.id and b.state = 'inForce'),
      '-', case when ${everEven("v")} then clock_timestamp() end`,
  );

const kept = storeKeeperOf(async (read, villages, asked: string) => {
  const [year, first, last] = asked.split(" ").map(Number) as [number, number, number];
  const [indicators, versions] = await Promise.all([indicatorsOf(read), versionsOf(read, villages, year)]);
  const inForce = versions.filter((v) => v.state === "inForce");
  const [planned, actual, before] = await Promise.all([
    plannedOf(read, indicators, inForce, year),
    actualsOf(read, indicators, villages, year, { first: 1, last }),
    actualsOf(read, indicators, villages, year - 1, { first, last }),
  ]);
  const side = (leaf: LeafOf) => ({ leaf, workedOut: new Map() as WorkedOut });
  const versionOf = new Map(inForce.map((v) => [v.villageId, v]));
  return new Map(
    villages.map((id) => [
      id,
      {
        version: versionOf.get(id),
        plan: side(planned),
        done: side(actual.leaf),
        past: side(before.leaf),
        estimated: actual.estimated,
        figures: new Map<number, Figures>(),
        sums: undefined as Sums | undefined,
      },
    ]),
  );
}, marksOf);

/** Budgets in force, what came of them and what the same months of the year before came to. */
export async function booksOf(
  read: Read,
  indicators: readonly Kept[],
  villages: readonly number[],
  year: number,
  months: readonly number[],
) {
  // indicators that were changed make other figures
  const declared = indicators.map(({ id, version }) => `${id}.${version}`).join();
  const stores = await kept(read, villages, `${year} ${months[0]} ${months.at(-1)} ${declared}`);
  const at = (villageId: number) => stores.get(villageId)!;
  const sideOf = (side: Side) =>
    evaluator(
      indicators,
      (id, villageId, month) => at(villageId)[side].leaf(id, villageId, month),
      (villageId) => at(villageId)[side].workedOut,
    );
  return { at, plan: sideOf("plan"), done: sideOf("done"), past: sideOf("past") };
}
