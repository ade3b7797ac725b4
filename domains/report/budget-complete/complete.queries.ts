import { sql } from "kysely";
import type { z } from "zod";
import { firstOf } from "../../../platform/kernel/day.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { drillOf } from "../budget-indicator/drill.queries.ts";
import { type Kept, indicatorsOf, sourceReader } from "../budget-indicator/indicators.queries.ts";
import { BASES, type Indicator } from "../budget-indicator/source.rules.ts";
import { type Evaluator, figureOf, reachedOf, toneOf } from "../budget-indicator/value.rules.ts";
import { yearAsked } from "../budget/budget.queries.ts";
import { type Version, topOf } from "../budget/plan.queries.ts";
import type {
  CompleteRow,
  VillageComplete,
  budgetActual,
  indicatorComplete,
  villageComplete,
  villageCompleteRows,
} from "./budget-complete.contract.ts";
import { monthsOfPeriod } from "./complete.rules.ts";
import { type Figures, type Sums, booksOf } from "./store.queries.ts";

type Store = { id: number; name: string; version: Version | undefined };
type Span = { villages: readonly number[]; months: readonly number[] };

/** Budgets in force and what came of them, for some stores and months of a year: one home of every completion. */
async function completionOf(
  read: Read,
  { year, months, villageIds }: { year: number; months: number[]; villageIds: number[] | undefined },
) {
  const villages = villagesOf(read.who, villageIds);
  const [indicators, names] = await Promise.all([
    indicatorsOf(read),
    sql<{ id: number; name: string }>`select id, name from village where id = ${anyOf(villages)}
      order by name collate "zh-x-icu", id`.execute(read.tx),
  ]);
  const { at, plan, done, past } = await booksOf(read, indicators, villages, year, months);
  const yearTo = Array.from({ length: months.at(-1)! }, (_, i) => i + 1);
  const estimated = (one: Indicator, of: readonly number[], span: readonly number[]) =>
    of.some((villageId) => span.some((month) => at(villageId).estimated(one, villageId, month)));
  const stores: Store[] = names.rows.map((row) => ({ ...row, version: at(row.id).version }));

  const figuresOf = (one: Kept, of: readonly number[]): Figures => {
    const over = (by: Evaluator, span: readonly number[]) => by.value(one, { villages: of, months: span });
    const [budget, value] = [over(plan, months), over(done, months)];
    const [yearBudget, yearValue] = [over(plan, yearTo), over(done, yearTo)];
    const was = over(past, months);
    const grown = reachedOf(value, was);
    const shown = (v: number | null) => figureOf(one.unit, v);
    return {
      indicatorId: one.id,
      indicatorName: one.name,
      kind: one.kind,
      unit: one.unit,
      better: one.better,
      budget: shown(budget),
      actual: shown(value),
      estimated: estimated(one, of, months),
      reached: reachedOf(value, budget),
      difference: shown(budget === null || value === null ? null : value - budget),
      yearBudget: shown(yearBudget),
      yearActual: shown(yearValue),
      yearReached: reachedOf(yearValue, yearBudget),
      before: shown(was),
      growth: grown === null ? null : Math.round((grown - 1) * 10_000) / 10_000,
    };
  };
  /** The figures of one indicator over some stores, as they are written; those of one store are worked out once. */
  const figures = (one: Kept, of: readonly number[]): Figures => {
    if (of.length !== 1) return figuresOf(one, of);
    const known = at(of[0]!).figures;
    const found = known.get(one.id) ?? figuresOf(one, of);
    known.set(one.id, found);
    return found;
  };
  return {
    indicators: indicators.filter((i) => i.enabled),
    all: indicators,
    stores,
    at,
    plan,
    done,
    months,
    yearTo,
    figures,
    estimated,
  };
}

/** The worst first; what is unknown at the end. */
const byReached = (better: Indicator["better"], way: 1 | -1) => {
  const sign = better === "up" ? way : -way;
  return (a: { reached: number | null }, b: { reached: number | null }) => {
    if (a.reached === null || b.reached === null)
      return Number(a.reached === null) - Number(b.reached === null);
    return sign * (a.reached - b.reached);
  };
};

/** A page of rows, of which only those that are shown are written out. */
const paged = <T, Row>(
  rows: readonly T[],
  { pageNo, pageSize, want }: { pageNo: number; pageSize: number; want: string },
  write: (row: T, place: number) => Row,
) => {
  const from = (pageNo - 1) * pageSize;
  return {
    list: want === "totals" ? [] : rows.slice(from, from + pageSize).map((row, i) => write(row, from + i)),
    total: want === "rows" ? null : rows.length,
  };
};

/** Stores by indicator, with the whole of those that have a budget below each. */
export async function byIndicator(read: Read, query: z.output<typeof indicatorComplete.query>) {
  const month = query.month ?? Number(read.today.slice(5, 7));
  const year = yearAsked(read, query.year);
  const c = await completionOf(read, { year, months: [month], villageIds: query.villageIds });
  const wanted = query.indicatorIds?.length ? new Set(query.indicatorIds) : undefined;
  const planned = c.stores.filter((s) => s.version);
  const without = c.stores.filter((s) => !s.version);
  const way = query.order === "desc" ? -1 : 1;
  const rows = (wanted ? c.all.filter((i) => wanted.has(i.id)) : c.indicators).flatMap((one) => {
    const reached = byReached(one.better, way);
    const sorted = planned.toSorted((a, b) => reached(c.figures(one, [a.id]), c.figures(one, [b.id])));
    const whole = planned.length ? [undefined] : [];
    return [...sorted, ...whole, ...without].map((store) => ({ one, store }));
  });
  return paged(rows, query, ({ one, store }, place): CompleteRow => ({
    ...c.figures(one, store ? [store.id] : planned.map((s) => s.id)),
    // a row is a place in the list: stores stand in it once for each indicator
    id: place + 1,
    villageId: store?.id ?? null,
    villageName: store?.name ?? `合计（${planned.length} 个门店）`,
  }));
}

const sumOf = (figures: Evaluator, some: readonly Indicator[], span: Span): number | null => {
  const values = some.map((one) => figures.value(one, span));
  return values.every((v) => v === null) ? null : values.reduce<number>((sum, v) => sum + (v ?? 0), 0);
};

type PeriodQuery = {
  year?: number | undefined;
  period?: string | undefined;
  villageIds?: number[] | undefined;
};
const spanOf = (read: Read, { year, period, villageIds }: PeriodQuery) => ({
  year: yearAsked(read, year),
  months: monthsOfPeriod(period ?? `m${Number(read.today.slice(5, 7))}`),
  villageIds,
});

/** Each store against its budget; those without one at the end. */
export async function byVillage(read: Read, query: z.output<typeof villageComplete.query>) {
  const c = await completionOf(read, spanOf(read, query));
  const incomes = topOf(c.all, "income");
  const costs = topOf(c.all, "cost");
  const less = (a: number | null, b: number | null) =>
    a === null && b === null ? null : (a ?? 0) - (b ?? 0);
  const sumsOf = (id: number): Sums => {
    const now = { villages: [id], months: c.months };
    const year = { villages: [id], months: c.yearTo };
    const [income, incomeActual] = [sumOf(c.plan, incomes, now), sumOf(c.done, incomes, now)];
    const profit = less(sumOf(c.plan, incomes, year), sumOf(c.plan, costs, year));
    const profitActual = less(sumOf(c.done, incomes, year), sumOf(c.done, costs, year));
    return {
      income,
      incomeActual,
      incomeReached: reachedOf(incomeActual, income),
      profit,
      profitActual,
      profitReached: reachedOf(profitActual, profit),
    };
  };
  const rows = c.stores.map((store) => ({ ...(c.at(store.id).sums ??= sumsOf(store.id)), store }));
  const key = query.sort ?? "profitReached";
  const way = query.order === "asc" ? 1 : -1;
  const rank = ({ store }: (typeof rows)[number]) => (store.version ? 0 : 1);
  rows.sort((a, b) => rank(a) - rank(b) || way * ((a[key] ?? -1e9 * way) - (b[key] ?? -1e9 * way)));
  return paged(rows, query, ({ store: { id, name, version }, ...row }): VillageComplete => {
    const cells = c.indicators.map((one) => {
      const { reached } = c.figures(one, [id]);
      const main = one.must || one.level === 0;
      return { indicatorId: one.id, name: one.name, better: one.better, main, reached };
    });
    return {
      ...row,
      id,
      villageName: name,
      versionId: version?.id ?? null,
      no: version?.no ?? null,
      behind: cells.filter((cell) => toneOf(cell.reached, cell.better) === "red").length,
      estimated: incomes.some((one) => c.estimated(one, [id], c.months)),
      cells,
    };
  });
}

/** The indicators of each store, with what its people say about them. */
export async function villageRows(read: Read, query: z.output<typeof villageCompleteRows.query>) {
  const span = spanOf(read, query);
  const c = await completionOf(read, span);
  const month = firstOf(`${span.year}-${String(span.months.at(-1)).padStart(2, "0")}`);
  const { rows: notes } = await sql<{
    villageId: number;
    indicatorId: number;
    text: string;
    version: number;
  }>`
    select village_id "villageId", indicator_id "indicatorId", text, version from budget_note
    where month = ${month}::date and village_id = ${anyOf(c.stores.map((s) => s.id))}`.execute(read.tx);
  const noteAt = new Map(notes.map((n) => [`${n.villageId} ${n.indicatorId}`, n]));
  const rows = c.stores.flatMap((store) => c.indicators.map((one) => ({ store, one })));
  return paged(rows, query, ({ store, one }) => {
    const note = noteAt.get(`${store.id} ${one.id}`);
    return {
      ...c.figures(one, [store.id]),
      id: one.id,
      villageId: store.id,
      villageName: store.name,
      level: one.level,
      note: note?.text ?? "",
      noteVersion: note?.version ?? 0,
    };
  });
}

export async function actualBehind(read: Read, query: z.output<typeof budgetActual.query>) {
  const { indicatorId, villageId, month, to } = query;
  inScope(read.who, villageId);
  if (to && (to < month || to.slice(0, 4) !== month.slice(0, 4)))
    throw invalid({ field: "to", msg: "截止月份应在同一年，且不早于起始月份" });
  const indicators = await indicatorsOf(read);
  const one = indicators.find((i) => i.id === indicatorId);
  if (!one) throw notFound();
  const [drill, reader, store] = await Promise.all([
    drillOf(read, one, indicators, { villageId, month, to }),
    sourceReader(read, indicators),
    read.tx.selectFrom("village").select("name").where("id", "=", villageId).executeTakeFirstOrThrow(),
  ]);
  return {
    ...drill,
    indicatorName: one.name,
    villageName: store.name,
    basis: BASES[one.basis][0],
    source: reader.text(one.source),
  };
}
