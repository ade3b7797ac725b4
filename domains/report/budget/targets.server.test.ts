import { expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addIndicator, deleteIndicator } from "../budget-indicator/budget-indicator.contract.ts";
import {
  bringBudgets,
  budgetsToBring,
  copyTargets,
  saveTargets,
  targetChanges,
  targets,
  unlinkBudgets,
} from "../target/target.contract.ts";
import { renewBudget } from "./budget.contract.ts";
import { planning } from "./budget.sample.ts";

const house = await testHouse();
const { m, finance, ids, drafted, cell, save, grid, musts, submit } = await planning(house);
const [a, b] = [m.a.villageId, m.b.villageId];
const as = await house.person({ permits: ["139.query", "139.edit"], villages: [a, b], name: "总部" });
const [first] = await drafted([a], 2026);
await save(first!, musts(29_400_000, 50_000, 9500));
await submit(first!);

const bring = (code: "incomeAccrued" | "occupancyRate" | "arrears", indicator: string, more: object = {}) =>
  house.ask(
    bringBudgets,
    { as },
    {
      body: {
        code,
        year: 2026,
        villageIds: [a, b],
        budgetIndicatorId: ids[indicator]!,
        note: "按预算考核",
        ...more,
      },
    },
  );
const cellsOf = async (code: "incomeAccrued" | "occupancyRate", villageId = a) =>
  (await house.did(targets, { as }, { query: { code, year: 2026, villageIds: String(villageId) } }))[0]!
    .cells;
/** The next version of the store's budget, in force. */
const renewed = async (id: number, changes: Record<string, number | null>) => {
  const next = await house.did(
    renewBudget,
    { as: finance },
    { params: { id }, body: { name: "调整", reason: "上调租金" } },
  );
  const { cells } = await grid(next.id);
  await save(
    next.id,
    Object.entries(changes).map(([key, value]) => {
      const [code, month] = key.split(" ") as [string, string];
      const now = cells.find((c) => c.indicatorId === ids[code] && c.month === Number(month));
      return cell(code, Number(month), value, now?.version ?? 0);
    }),
  );
  await submit(next.id);
  return next.id;
};

let second: number;

test("what is planned on the same basis is offered, and nothing else", async () => {
  const offered = (code: "occupancyRate" | "incomeAccrued" | "renewalRate") =>
    house.did(budgetsToBring, { as }, { query: { code } });
  expect((await offered("occupancyRate")).map((one) => one.name)).toEqual(["出租率"]);
  expect((await offered("incomeAccrued")).map((one) => one.name)).toContain("租金收入");
  expect((await offered("incomeAccrued")).map((one) => one.name)).not.toContain("营业成本");
  expect(await offered("renewalRate")).toEqual([]);
  expect((await bring("arrears", "rentIncome")).body.fields).toEqual([
    { field: "budgetIndicatorId", msg: "请选择预算指标" },
  ]);
});

test("targets are brought in from the budget in force, and follow the next one that is", async () => {
  expect((await bring("incomeAccrued", "rentIncome", { note: "" })).body.fields).toEqual([
    { field: "note", msg: "修改历史目标请填写原因" },
  ]);
  expect((await bring("incomeAccrued", "rentIncome")).body.data).toEqual({ saved: 12, without: 1 });
  expect((await bring("occupancyRate", "occupancy")).body.data).toEqual({ saved: 12, without: 1 });
  expect((await cellsOf("incomeAccrued"))[2]).toMatchObject({ value: 29_400_000, source: "budget" });
  expect((await cellsOf("occupancyRate"))[2]).toMatchObject({ value: 0.95, source: "budget" });
  expect((await cellsOf("incomeAccrued", b))[2]).toMatchObject({ value: null, source: null });
  // once more changes nothing
  expect((await bring("incomeAccrued", "rentIncome")).body.data).toMatchObject({ saved: 0 });

  second = await renewed(first!, { "rentIncome 3": 30_000_000 });
  expect((await cellsOf("incomeAccrued"))[2]).toMatchObject({ value: 30_000_000, source: "budget" });
  expect((await cellsOf("incomeAccrued"))[3]).toMatchObject({ value: 29_400_000, version: 1 });
  const { list } = await house.did(targetChanges, { as }, { query: { code: "incomeAccrued" } });
  expect(list[0]).toMatchObject({
    month: "2026-03",
    before: "294,000.00",
    after: "300,000.00",
    note: "预算第 2 版生效",
  });
});

test("such a cell is not typed until it is unlinked; it then keeps its value and follows no more", async () => {
  const before = await cellsOf("incomeAccrued");
  const typed = { villageId: a, month: "2026-05", value: 1, version: before[4]!.version };
  const refused = await house.ask(saveTargets, { as }, { body: { code: "incomeAccrued", cells: [typed] } });
  expect(refused.body.fields).toEqual([{ field: "cells.0", msg: "由预算带入，请先改为手工" }]);
  const over = { code: "incomeAccrued" as const, year: 2026, from: b, to: [a], note: "复制" };
  expect((await house.ask(copyTargets, { as }, { body: over })).body.message).toBe(
    "12 格目标由预算带入，请先改为手工",
  );
  const one = { villageId: a, month: "2026-05", version: before[4]!.version };
  const unlink = () => house.ask(unlinkBudgets, { as }, { body: { code: "incomeAccrued", cells: [one] } });
  expect((await unlink()).body.data).toEqual({ saved: 1 });
  expect((await unlink()).status).toBe(409);
  const may = (await cellsOf("incomeAccrued"))[4]!;
  expect(may).toMatchObject({ value: 29_400_000, source: "manual" });
  const { list } = await house.did(targetChanges, { as }, { query: { code: "incomeAccrued" } });
  expect(list[0]).toMatchObject({
    month: "2026-05",
    before: "294,000.00",
    after: "294,000.00",
    note: "改为手工",
  });
  second = await renewed(second, { "rentIncome 5": 31_000_000, "rentIncome 6": 31_000_000 });
  const after = await cellsOf("incomeAccrued");
  expect(after.slice(4, 6).map((c) => c.value)).toEqual([29_400_000, 31_000_000]);
});

test("an indicator that targets follow is not deleted; a store out of sight is not brought in", async () => {
  const stranger = await house.person({ permits: ["139.edit"], villages: [b] });
  const body = {
    code: "occupancyRate" as const,
    year: 2026,
    villageIds: [a],
    budgetIndicatorId: ids["occupancy"]!,
  };
  expect((await house.ask(bringBudgets, { as: stranger }, { body })).status).toBe(404);
  const none = await house.ask(bringBudgets, { as: stranger }, { body: { ...body, villageIds: [b] } });
  expect(none.body.message).toBe("所选门店没有 2026 年生效的预算");
  const { id } = await house.did(
    addIndicator,
    { as: finance },
    {
      body: {
        code: "stretch",
        name: "挑战收入",
        kind: "income",
        unit: "yuan",
        basis: "accrual",
        by: "formula",
        formula: "租金收入 + 租金收入",
        agg: "sum",
        better: "up",
      },
    },
  );
  ids["stretch"] = id;
  await bring("incomeAccrued", "stretch");
  expect((await cellsOf("incomeAccrued"))[0]).toMatchObject({ value: 58_800_000, source: "budget" });
  // what no target can be is not brought in, and keeps no budget from coming in force
  await renewed(second, { "rentIncome 7": AMOUNT_MAX, "rentIncome 8": 400_000_000 });
  const cells = await cellsOf("incomeAccrued");
  expect(cells.slice(6, 8).map((c) => c.value)).toEqual([null, 800_000_000]);
  const gone = await house.ask(deleteIndicator, { as: finance }, { params: { id }, query: { version: 1 } });
  expect(gone.body.message).toBe("有目标值由该指标带入，不能删除，可停用");
});
