import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { credit, debit } from "../../finance/journal/journal.rules.ts";
import { post } from "../../finance/journal/journal.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aModule, asking, from, otherwise } from "../../approval/module/module.sample.ts";
import { indicatorComplete } from "../budget-complete/budget-complete.contract.ts";
import { editIndicator, getIndicator } from "../budget-indicator/budget-indicator.contract.ts";
import * as calls from "./budget.contract.ts";
import { planning } from "./budget.sample.ts";

const house = await testHouse();
const { m, finance, ids, drafted, cell, save, grid, versionOf, musts, submit, rowOf } = await planning(house);
const { pool } = house.database;

test("a budget is drafted, filled, handed in and in force; a second version replaces it for all months", async () => {
  const { villageId } = m.a;
  const [one] = await drafted([villageId], 2026);
  expect((await submit(one!)).body.message).toBe("以下指标未填写：租金收入、营业成本、出租率");
  await save(one!, musts(800_000, 50_000, 9000));
  const again = await house.ask(
    calls.addBudgets,
    { as: finance },
    { body: { villageIds: [villageId], year: 2026, from: "blank", name: "再来" } },
  );
  expect(again.body.message).toContain("该门店该年度已有草稿版本");
  expect((await submit(one!)).body).toMatchObject({ data: { waiting: null } });
  expect(await rowOf(villageId)).toMatchObject({
    inForceNo: 1,
    versions: 1,
    income: 9_600_000,
    cost: 600_000,
    profit: 9_000_000,
    state: "inForce",
    openId: null,
  });
  expect((await save(one!, [cell("rentIncome", 1, 1, 2)])).body.message).toBe("仅草稿可编辑");

  const { id: two } = await house.did(
    calls.renewBudget,
    { as: finance },
    { params: { id: one! }, body: { name: "调整", reason: "三月起上调租金" } },
  );
  const twice = await house.ask(
    calls.renewBudget,
    { as: finance },
    { params: { id: one! }, body: { name: "调整", reason: "再调" } },
  );
  expect(twice.body.message).toBe("该门店该年度已有草稿版本");
  const march = (await grid(two)).cells.find((c) => c.indicatorId === ids["rentIncome"] && c.month === 3)!;
  await save(two, [cell("rentIncome", 3, 1_000_000, march.version)]);
  const compared = await house.did(
    calls.compareBudgets,
    { as: finance },
    { params: { id: two }, query: { with: one! } },
  );
  expect(compared.list.find((row) => row.indicatorName === "租金收入")).toEqual({
    indicatorName: "租金收入",
    months: "3月",
    unit: "元",
    before: "8,000.00",
    after: "10,000.00",
    change: "2,000.00",
  });
  expect(compared.list.find((row) => row.indicatorName === "利润" && row.months === "全年")).toMatchObject({
    before: "90,000.00",
    after: "92,000.00",
  });
  await submit(two);
  expect(await rowOf(villageId)).toMatchObject({
    inForceNo: 2,
    versions: 2,
    income: 9_800_000,
    state: "inForce",
  });
  const { list, log } = await house.did(calls.getBudget, { as: finance }, { params: { id: two } });
  // both versions are told of, whichever is in force
  expect(log.find((one) => one.action === "填写" && one.no === 1)).toBeDefined();
  expect(log.find((one) => one.action === "填写" && one.no === 2)).toMatchObject({ who: "周财务" });
  expect(list.map((v) => [v.no, v.state])).toEqual([
    [2, "inForce"],
    [1, "superseded"],
  ]);
  expect(
    (await grid(one!)).cells.find((c) => c.indicatorId === ids["rentIncome"] && c.month === 3)!.value,
  ).toBe(800_000);
  const done = await house.did(
    indicatorComplete,
    { as: finance },
    {
      query: { year: 2026, month: 3, indicatorIds: String(ids["rentIncome"]), villageIds: String(villageId) },
    },
  );
  expect(done.list[0]).toMatchObject({ budget: 10_000, yearBudget: 26_000 });
});

test("a new year begins as the last one was planned, or as it came out and some percent", async () => {
  const [base] = await drafted([m.b.villageId], 2026);
  await save(base!, musts(1_200_000, 50_000, 8000));
  await submit(base!);
  const [copied] = await drafted([m.b.villageId], 2027, { from: "copy" });
  expect((await grid(copied!)).cells).toHaveLength(36);
  const none = await house.ask(
    calls.addBudgets,
    { as: finance },
    { body: { villageIds: [m.b.villageId], year: 2029, from: "copy", name: "空" } },
  );
  expect(none.body.fields![0]!.msg).toMatch(/没有 2028 年生效的预算$/);
  await house.did(
    calls.deleteBudget,
    { as: finance },
    { params: { id: copied! }, query: { version: await versionOf(copied!) } },
  );
  const [raised] = await drafted([m.b.villageId], 2027, { from: "actual", percent: 10 });
  const { cells } = await grid(raised!);
  const march = cells.find((c) => c.indicatorId === ids["rentIncome"] && c.month === 3);
  expect(march!.value).toBe(1_226_031);
  // on 2 April the days of April so far are not the month
  expect(Math.max(...cells.map((c) => c.month))).toBe(3);
});

test("where approval is asked for, it waits, comes back as a draft when it is withdrawn or refused, and counts once approved", async () => {
  const { villageId } = m.b;
  const boss = await house.person({ villages: [villageId], permits: ["136.query"], name: "刘总" });
  await aModule(house, finance, {
    moduleType: "budget",
    villageIds: [villageId],
    fallback: boss,
    processes: [from(100, asking("总经理", [boss])), otherwise()],
  });
  const id = (await rowOf(villageId, 2027)).id;
  await save(
    id,
    musts(100_000, 1000, 8000).filter((c) => c.month > 4 || c.indicatorId === ids["occupancy"]),
  );
  const missing = await submit(id);
  if (missing.status !== 200) {
    const { cells } = await grid(id);
    const has = new Set(cells.map((c) => `${c.indicatorId} ${c.month}`));
    await save(
      id,
      musts(100_000, 1000, 8000).filter((c) => !has.has(`${c.indicatorId} ${c.month}`)),
    );
    expect((await submit(id)).body).toMatchObject({ data: { waiting: expect.stringMatching(/^SP/) } });
  }
  expect((await rowOf(villageId, 2027)).state).toBe("approving");
  expect((await save(id, [cell("rentIncome", 1, 5, 1)])).body.message).toBe("仅草稿可编辑");
  await house.did(
    calls.withdrawBudget,
    { as: finance },
    { params: { id }, body: { version: await versionOf(id) } },
  );
  expect((await rowOf(villageId, 2027)).state).toBe("draft");

  const decide = async (decision: "approve" | "reject") => {
    await submit(id);
    const { rows } = await pool.query<{ id: number; version: number }>(
      "select id, version from examine where target_kind = 'budget' and target_id = $1 and state = 'approving'",
      [id],
    );
    const { body } = await house.ask(
      decideExamine,
      { as: boss, key: `decide-${decision}-of-the-budget` },
      { params: { id: rows[0]!.id }, body: { decision, version: rows[0]!.version, comment: "看过了" } },
    );
    return body;
  };
  await decide("reject");
  expect((await rowOf(villageId, 2027)).state).toBe("draft");
  // the work on it, and why it came back, can be read
  const { log } = await house.did(calls.getBudget, { as: finance }, { params: { id } });
  expect(log[0]).toMatchObject({ no: 1, action: "退回草稿", summary: expect.stringContaining("看过了") });
  expect(log.map((one) => one.action)).toContain("填写");
  await decide("approve");
  expect(await rowOf(villageId, 2027)).toMatchObject({ state: "inForce", inForceNo: 1 });
});

test("who sees one store neither sees nor plans another; who only reads changes nothing", async () => {
  const clerk = await house.person({
    permits: ["136.query", "136.add", "136.edit"],
    villages: [m.b.villageId],
  });
  const reader = await house.person({ permits: ["136.query"], villages: [m.a.villageId] });
  const { id } = await rowOf(m.a.villageId);
  expect((await house.ask(calls.budgetCells, { as: clerk }, { params: { id } })).status).toBe(404);
  expect((await save(id, [cell("rentIncome", 1, 1)], clerk)).status).toBe(404);
  expect((await save(id, [cell("rentIncome", 1, 1)], reader)).status).toBe(403);
  const { list } = await house.did(calls.listBudgets, { as: clerk }, { query: { year: 2026 } });
  expect(list.map((row) => row.villageId)).toEqual([m.b.villageId]);
  const add = { villageIds: [m.a.villageId], year: 2030, from: "blank" as const, name: "别家" };
  expect((await house.ask(calls.addBudgets, { as: clerk }, { body: add })).status).toBe(404);
});

test("an indicator with planned cells keeps its unit, its kind, its sum and that it is typed; its source may change", async () => {
  const { villageId } = m.a;
  const [id] = await drafted([villageId], 2028);
  await save(id!, [...musts(800_000, 50_000, 9000), cell("otherIncome", 1, 800_000)]);
  await submit(id!);
  const at = () => house.did(getIndicator, { as: finance }, { params: { id: ids["otherIncome"]! } });
  const { name, parentId, kind, unit, basis, by, parts, measure, formula, agg, better, must, version } =
    await at();
  const body = { name, parentId, kind, unit, basis, by, parts, measure, formula, agg, better, must, version };
  const change = async (more: object) => {
    const sent = { params: { id: ids["otherIncome"]! }, body: { ...body, ...more } };
    return (await house.ask(editIndicator, { as: finance }, sent)).body;
  };
  const rate = { kind: "ratio", unit: "percent", basis: "timeline", by: "measure", measure: "occupancy" };
  expect((await change(rate)).fields).toEqual([
    { field: "kind", msg: "已有预算数据，不能修改类型，可停用后新建指标" },
    { field: "unit", msg: "已有预算数据，不能修改单位，可停用后新建指标" },
  ]);
  expect((await change({ agg: "last" })).fields).toEqual([
    { field: "agg", msg: "已有预算数据，不能修改汇总方式，可停用后新建指标" },
  ]);
  const computed = [{ field: "by", msg: "已有预算数据，不能改为公式或下级合计，可停用后新建指标" }];
  expect((await change({ by: "children" })).fields).toEqual(computed);
  expect((await change({ by: "formula", formula: "坏账 + 手续费" })).fields).toEqual(computed);
  const budget = (await rowOf(villageId, 2028)).income;
  expect(budget).toBe(12 * 800_000 + 800_000);
  const all = parts.map((part) => ({ ...part, subjectIds: [], except: false }));
  expect(await change({ parts: all })).toMatchObject({ code: 200 });
  expect((await rowOf(villageId, 2028)).income).toBe(budget);
  await change({ version: version + 1 });
});

test("the database itself keeps one version in force and what was handed in as it is", async () => {
  const { id } = await rowOf(m.a.villageId);
  await expect(pool.query("update budget_cell set value = 1 where version_id = $1", [id])).rejects.toThrow(
    /stand/,
  );
  await expect(pool.query("delete from budget_version where id = $1", [id])).rejects.toThrow(/stand/);
  await expect(
    pool.query("update budget_version set state = 'draft', in_force_at = null where id = $1", [id]),
  ).rejects.toThrow(/stand/);
  const { rows } = await pool.query<{ id: number }>(
    "select id from budget_version where village_id = $1 and year = 2026 and state = 'superseded' limit 1",
    [m.a.villageId],
  );
  await expect(
    pool.query("update budget_version set state = 'inForce' where id = $1", [rows[0]!.id]),
  ).rejects.toThrow();
});

test("actuals that grow past what a cell may hold are refused by name, and no draft is made", async () => {
  const villageId = m.a.villageId;
  await acting(house, (act) =>
    post(act, [
      {
        event: "E27",
        sourceType: "thirdPartyIncome",
        sourceId: 2,
        businessDate: "2026-02-28",
        legs: [debit("1131", villageId, 5_000_000_000), credit("6053", villageId, 5_000_000_000)],
      },
    ]),
  );
  const asked = (percent: number) =>
    house.ask(
      calls.addBudgets,
      { as: finance },
      { body: { villageIds: [villageId], year: 2027, from: "actual", percent, name: "上浮" } },
    );
  const past = await asked(100);
  expect(past.body.fields).toEqual([
    { field: "percent", msg: expect.stringMatching(/2月的.*上浮后金额过大$/) },
  ]);
  const { rows } = await pool.query("select 1 from budget_version where village_id = $1 and year = 2027", [
    villageId,
  ]);
  expect(rows).toEqual([]);
});
