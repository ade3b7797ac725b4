import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { actualsOf, nightsOf } from "../budget-indicator/actual.queries.ts";
import { indicatorsOf, sourceReader } from "../budget-indicator/indicators.queries.ts";
import { type Indicator, isInput } from "../budget-indicator/source.rules.ts";
import {
  type Evaluator,
  MONTHS,
  evaluator,
  hundredthsOf,
  reachedOf,
  shownValue,
} from "../budget-indicator/value.rules.ts";
import {
  type BudgetGrid,
  type BudgetRow,
  type compareBudgets,
  type indicatorBudgetRow,
  type indicatorBudgets,
  type listBudgets,
} from "./budget.contract.ts";
import { monthsText, titleOf } from "./budget.rules.ts";
import { type Version, cellsOf, plannedOf, topOf, versionById, versionsOf } from "./plan.queries.ts";

/** `picked`: of an export, the rows that were ticked. */
type Query = z.output<typeof listBudgets.query> & { picked?: readonly number[] };

/** The year that is asked for, else this one. */
export const yearAsked = (read: Read, year: number | undefined): number =>
  year ?? Number(read.today.slice(0, 4));

const plus = (values: readonly (number | null)[]): number | null =>
  values.every((v) => v === null) ? null : values.reduce<number>((sum, v) => sum + (v ?? 0), 0);

const wholeOf = (figures: Evaluator, some: readonly Indicator[], villages: readonly number[]) =>
  plus(some.map((one) => figures.value(one, { villages, months: MONTHS })));

/** A row for each store that has a budget of the year, in the order of the stores. */
async function rowsOf(read: Read, villages: readonly number[], year: number): Promise<BudgetRow[]> {
  const [indicators, versions] = await Promise.all([indicatorsOf(read), versionsOf(read, villages, year)]);
  const stores = [...Map.groupBy(versions, (v) => v.villageId).values()].map((all) => {
    const inForce = all.find((v) => v.state === "inForce");
    const open = all.find((v) => v.state === "draft" || v.state === "approving");
    return { all, inForce, open, shown: inForce ?? open ?? all[0]! };
  });
  const ids = stores.map(({ shown }) => shown.villageId);
  const [planned, actual] = await Promise.all([
    plannedOf(
      read,
      indicators,
      stores.map((s) => s.shown),
      year,
    ),
    actualsOf(read, indicators, ids, year),
  ]);
  const [plan, done] = [evaluator(indicators, planned), evaluator(indicators, actual.leaf)];
  const [incomes, costs] = [topOf(indicators, "income"), topOf(indicators, "cost")];
  return stores.map(({ all, inForce, open, shown }) => {
    const of = [shown.villageId];
    const [income, cost] = [wholeOf(plan, incomes, of), wholeOf(plan, costs, of)];
    const earned = wholeOf(done, incomes, of);
    return {
      id: shown.id,
      villageId: shown.villageId,
      villageName: shown.villageName,
      year: String(year),
      inForceNo: inForce?.no ?? null,
      versions: all.length,
      income,
      cost,
      profit: income === null && cost === null ? null : (income ?? 0) - (cost ?? 0),
      actual: earned,
      reached: reachedOf(earned, income),
      state: shown.state,
      name: shown.name,
      updatedAt: shown.updatedAt,
      updatedName: shown.updatedName,
      version: shown.version,
      openId: open?.id ?? null,
      openNo: open?.no ?? null,
      openState: (open?.state as "draft" | "approving" | undefined) ?? null,
      openVersion: open?.version ?? null,
    };
  });
}

export async function budgetList(read: Read, query: Query) {
  const { state, picked, pageNo, pageSize, want, order } = query;
  const rows = (
    await rowsOf(read, villagesOf(read.who, query.villageIds), yearAsked(read, query.year))
  ).filter(
    (row) =>
      (!state?.length || state.includes(row.state) || (row.openState && state.includes(row.openState))) &&
      (!picked || picked.includes(row.id)),
  );
  if (order === "desc") rows.reverse();
  const sum = (of: (row: BudgetRow) => number | null) => plus(rows.map(of));
  const [income, actual] = [sum((r) => r.income), sum((r) => r.actual)];
  return {
    list: want === "totals" ? [] : rows.slice((pageNo - 1) * pageSize, pageNo * pageSize),
    total: want === "rows" ? null : rows.length,
    sums:
      want === "rows"
        ? null
        : {
            income,
            cost: sum((r) => r.cost),
            profit: sum((r) => r.profit),
            actual,
            reached: reachedOf(actual, income),
          },
  };
}

export async function budgetDetail(read: Read, id: number) {
  const of = seen(read.who, await versionById(read, id));
  const [row] = await rowsOf(read, [of.villageId], of.year);
  const list = await versionsOf(read, [of.villageId], of.year);
  const no = new Map(list.map((v) => [v.id, v.no]));
  const log = await read.tx
    .selectFrom("businessLog")
    .select(["id", "recordId", "at", "operatorName", "action", "summary"])
    .where("kind", "=", "budget")
    .where("recordId", "in", [...no.keys()])
    .orderBy("id", "desc")
    .limit(200)
    .execute();
  return {
    ...row!,
    list,
    log: log.map(({ recordId, operatorName, ...one }) => ({
      ...one,
      no: no.get(recordId!)!,
      who: operatorName || "系统",
    })),
  };
}

export async function monthsOf(read: Read, villageId: number, year: number) {
  const villages = villagesOf(read.who, [villageId]);
  const [indicators, versions] = await Promise.all([indicatorsOf(read), versionsOf(read, villages, year)]);
  const shown = versions.find((v) => v.state === "inForce") ?? versions[0];
  const [planned, actual] = await Promise.all([
    plannedOf(read, indicators, shown ? [shown] : [], year),
    actualsOf(read, indicators, villages, year),
  ]);
  const [plan, done] = [evaluator(indicators, planned), evaluator(indicators, actual.leaf)];
  const incomes = topOf(indicators, "income");
  const at = (figures: Evaluator, month: number) =>
    plus(incomes.map((one) => figures.value(one, { villages, months: [month] })));
  return MONTHS.map((month) => ({ month, budget: at(plan, month), actual: at(done, month) }));
}

/** A version that may be seen, as its grid. */
export async function gridOf(read: Read, id: number): Promise<BudgetGrid> {
  const version = seen(read.who, await versionById(read, id));
  const villages = [version.villageId];
  const all = await indicatorsOf(read);
  const [cells, before, nights, reader] = await Promise.all([
    cellsOf(read, [id]),
    actualsOf(read, all, villages, version.year - 1),
    nightsOf(read, villages, version.year),
    sourceReader(read, all),
  ]);
  const filled = new Set(cells.map((c) => c.indicatorId));
  const past = evaluator(all, before.leaf);
  const value = (one: Indicator, months: number[]) => past.value(one, { villages, months });
  return {
    ...version,
    // what was taken out of use stays readable where it has been planned
    rows: all
      .filter((i) => i.enabled || filled.has(i.id))
      .map((i) => ({
        id: i.id,
        code: i.code,
        name: i.name,
        level: i.level,
        parentId: i.parentId,
        kind: i.kind,
        unit: i.unit,
        agg: i.agg,
        better: i.better,
        basis: i.basis,
        must: i.must,
        enabled: i.enabled,
        formula: isInput(i) ? null : i.source.by === "formula" ? i.source.formula : "",
        formulaText: isInput(i) ? "" : reader.text(i.source),
        before: MONTHS.map((m) => value(i, [m])),
        beforeYear: value(i, MONTHS),
      })),
    cells: cells.map(({ indicatorId, month, value: fen, version: seenAs }) => ({
      indicatorId,
      month,
      value: fen,
      version: seenAs,
    })),
    nights: MONTHS.map((m) => nights(version.villageId, m)),
  };
}

/** What one version has otherwise than another of the same store and year, indicator by indicator. */
export async function comparison(
  read: Read,
  id: number,
  other: number,
): Promise<z.input<typeof compareBudgets.reply>> {
  const [a, b] = [
    seen(read.who, await versionById(read, other)),
    seen(read.who, await versionById(read, id)),
  ];
  if (a.villageId !== b.villageId || a.year !== b.year) throw notFound();
  const indicators = await indicatorsOf(read);
  const [was, is] = await Promise.all([
    plannedOf(read, indicators, [a], a.year),
    plannedOf(read, indicators, [b], b.year),
  ]);
  const [before, after] = [evaluator(indicators, was), evaluator(indicators, is)];
  const villages = [a.villageId];
  const list = indicators.flatMap((one) => {
    const line = (months: number[], called: string) => {
      const [x, y] = [before.value(one, { villages, months }), after.value(one, { villages, months })];
      if (x === y) return [];
      return [
        {
          indicatorName: one.name,
          months: called,
          unit: one.unit,
          x,
          y,
        },
      ];
    };
    // months that changed by the same stand in one line
    const months = MONTHS.flatMap((m) => line([m], `${m}`));
    const groups = Map.groupBy(months, ({ x, y }) => `${x} ${y}`);
    return [
      ...[...groups.values()].map((same) => ({
        ...same[0]!,
        months: monthsText(same.map((s) => Number(s.months))),
      })),
      ...line(MONTHS, "全年"),
    ];
  });
  const UNIT = { yuan: "元", percent: "%", room: "间", roomNight: "间夜", yuanPerRoomMonth: "元/间月" };
  return {
    before: titleOf(a),
    after: titleOf(b),
    list: list.map(({ x, y, unit, ...row }) => ({
      ...row,
      unit: UNIT[unit],
      before: shownValue(unit, x),
      after: shownValue(unit, y),
      change: x === null || y === null ? "—" : shownValue(unit, y - x),
    })),
  };
}

type Detail = z.output<typeof indicatorBudgets.query>;
type DetailRow = z.output<typeof indicatorBudgetRow>;

/** One indicator over the stores that have a budget of the year, the largest first; the whole is worked out, not added. */
export async function indicatorDetail(read: Read, indicatorId: number, query: Detail) {
  const year = yearAsked(read, query.year);
  const indicators = await indicatorsOf(read);
  const one = indicators.find((i) => i.id === indicatorId);
  if (!one) throw notFound();
  const all = await versionsOf(read, villagesOf(read.who, query.villageIds), year);
  const wanted = (v: Version) =>
    query.which === "draft" ? v.state === "draft" || v.state === "approving" : v.state === "inForce";
  const versions = all.filter(wanted);
  const ids = versions.map((v) => v.villageId);
  const [planned, past] = await Promise.all([
    plannedOf(read, indicators, versions, year),
    actualsOf(read, indicators, ids, year - 1),
  ]);
  const [plan, before] = [evaluator(indicators, planned), evaluator(indicators, past.leaf)];
  const figures = (villages: readonly number[]) => {
    const whole = plan.value(one, { villages, months: MONTHS });
    const was = before.value(one, { villages, months: MONTHS });
    const months = Object.fromEntries(
      MONTHS.map((m) => [`m${m}`, hundredthsOf(one.unit, plan.value(one, { villages, months: [m] }))]),
    ) as Record<`m${number}`, number | null>;
    const growth = (now: number | null, then: number | null) => {
      const share = reachedOf(now, then);
      return share === null ? null : Math.round((share - 1) * 10_000) / 10_000;
    };
    return {
      value: whole,
      grown: () =>
        MONTHS.map((m) =>
          growth(plan.value(one, { villages, months: [m] }), before.value(one, { villages, months: [m] })),
        ),
      shown: {
        ...months,
        whole: hundredthsOf(one.unit, whole),
        before: hundredthsOf(one.unit, was),
        growth: growth(whole, was),
      },
    };
  };
  const sum = figures(ids);
  const rows = versions.map((v): DetailRow => {
    const { value, shown, grown } = figures([v.villageId]);
    return {
      id: v.id,
      villageId: v.villageId,
      villageName: v.villageName,
      no: v.no,
      state: v.state,
      ...shown,
      grown: grown(),
      share: one.unit === "yuan" && one.agg === "sum" ? reachedOf(value, sum.value) : null,
    } as DetailRow;
  });
  const key = query.sort ?? "whole";
  const way = query.order === "asc" ? 1 : -1;
  rows.sort((a, b) => way * ((a[key] ?? -Infinity) - (b[key] ?? -Infinity)) || a.villageId - b.villageId);
  const parts = plan.parts(one, { villages: ids, months: MONTHS });
  const { pageNo, pageSize, want } = query;
  return {
    list: want === "totals" ? [] : rows.slice((pageNo - 1) * pageSize, pageNo * pageSize),
    total: want === "rows" ? null : rows.length,
    sums:
      want === "rows"
        ? null
        : ({ ...sum.shown, numerator: parts?.num ?? null, denominator: parts?.den ?? null } as never),
  };
}
