import type { TestHouse, Person } from "../../../platform/server/process/house.sample.ts";
import type { March } from "../../finance/check/march.sample.ts";
import { listIndicators } from "../budget-indicator/budget-indicator.contract.ts";
import { budgetMarch } from "../budget-indicator/budget-march.sample.ts";
import { MONTHS } from "../budget-indicator/value.rules.ts";
import * as calls from "./budget.contract.ts";

export type Typed = { indicatorId: number; month: number; value: number | null; version: number };
export type Planning = Awaited<ReturnType<typeof planning>>;

/** The example month, somebody who plans, and how budgets of it are made. */
export async function planning(house: TestHouse) {
  const m: March = await budgetMarch(house);
  const finance: Person = await house.person({ superType: "1", name: "周财务" });
  const { list } = await house.did(listIndicators, { as: finance }, { query: { pageSize: 200 } });
  const ids: Record<string, number> = Object.fromEntries(list.map((one) => [one.code, one.id]));
  const drafted = async (villageIds: number[], year: number, more: object = {}) =>
    (
      await house.did(
        calls.addBudgets,
        { as: finance },
        { body: { villageIds, year, from: "blank", name: `${year} 年预算`, ...more } },
      )
    ).ids;
  const cell = (code: string, month: number, value: number | null, version = 0): Typed => ({
    indicatorId: ids[code]!,
    month,
    value,
    version,
  });
  const whole = (code: string, value: number) => MONTHS.map((month) => cell(code, month, value));
  const save = (id: number, cells: Typed[], as = finance) =>
    house.ask(calls.saveCells, { as }, { params: { id }, body: { cells } });
  const grid = (id: number, as = finance) => house.did(calls.budgetCells, { as }, { params: { id } });
  const versionOf = async (id: number) => (await grid(id)).version;
  return {
    m,
    finance,
    ids,
    drafted,
    cell,
    whole,
    save,
    grid,
    versionOf,
    /** What must be filled before a budget is handed in. */
    musts: (rent: number, cost: number, occupancy: number) => [
      ...whole("rentIncome", rent),
      ...whole("operatingCost", cost),
      ...whole("occupancy", occupancy),
    ],
    submit: async (id: number, as = finance) =>
      house.ask(calls.submitBudget, { as }, { params: { id }, body: { version: await versionOf(id) } }),
    rowOf: async (villageId: number, year = 2026) =>
      (
        await house.did(
          calls.listBudgets,
          { as: finance },
          { query: { year, villageIds: String(villageId) } },
        )
      ).list[0]!,
  };
}
