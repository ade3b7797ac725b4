import { beforeAll, describe, expect, test } from "vitest";
import type { March } from "../../finance/check/march.sample.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, from, otherwise } from "../../approval/module/module.sample.ts";
import { budgetMarch } from "../budget-indicator/budget-march.sample.ts";
import {
  deleteIndicator,
  getIndicator,
  listIndicators,
} from "../budget-indicator/budget-indicator.contract.ts";
import { MONTHS } from "../budget-indicator/value.rules.ts";
import {
  budgetActual,
  indicatorComplete,
  villageComplete,
  villageCompleteRows,
  writeNote,
} from "../budget-complete/budget-complete.contract.ts";
import * as calls from "./budget.contract.ts";

const house = await testHouse();
const { pool } = house.database;
let m: March;
let finance: Person;
const ids: Record<string, number> = {};
beforeAll(async () => {
  m = await budgetMarch(house);
  finance = await house.person({ superType: "1", name: "周财务" });
  const { list } = await house.did(listIndicators, { as: finance }, { query: { pageSize: 200 } });
  for (const one of list) ids[one.code] = one.id;
}, 60_000);

type Typed = { indicatorId: number; month: number; value: number | null; version: number };
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
const save = (id: number, cells: Typed[], as = finance) =>
  house.ask(calls.saveCells, { as }, { params: { id }, body: { cells } });
const whole = (code: string, value: number) => MONTHS.map((month) => cell(code, month, value));
/** What must be filled before a budget is handed in. */
const musts = (rent: number, cost: number, occupancy: number) => [
  ...whole("rentIncome", rent),
  ...whole("operatingCost", cost),
  ...whole("occupancy", occupancy),
];
const grid = (id: number, as = finance) => house.did(calls.budgetCells, { as }, { params: { id } });
const versionOf = async (id: number) => (await grid(id)).version;
const submit = async (id: number, as = finance) =>
  house.ask(calls.submitBudget, { as }, { params: { id }, body: { version: await versionOf(id) } });
const rowOf = async (villageId: number, year = 2026) =>
  (await house.did(calls.listBudgets, { as: finance }, { query: { year, villageIds: String(villageId) } }))
    .list[0]!;

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
  const { list } = await house.did(calls.getBudget, { as: finance }, { params: { id: two } });
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
  // back to what the other tests go by
  const { id: three } = await house.did(
    calls.renewBudget,
    { as: finance },
    { params: { id: two }, body: { name: "改回", reason: "改回原数" } },
  );
  const now = (await grid(three)).cells.find((c) => c.indicatorId === ids["rentIncome"] && c.month === 3)!;
  await save(three, [cell("rentIncome", 3, 800_000, now.version), ...whole("propertyIncome", 10_000)]);
  await submit(three);
});

test("completion: 95.11 % and 92.88 %, together 93.77 %; the whole is the same for a store from either page", async () => {
  const [b] = await drafted([m.b.villageId], 2026);
  await save(b!, musts(1_200_000, 50_000, 8000));
  await submit(b!);
  const { list } = await house.did(
    indicatorComplete,
    { as: finance },
    {
      query: {
        year: 2026,
        month: 3,
        indicatorIds: `${ids["rentIncome"]},${ids["operatingCost"]}`,
        pageSize: 50,
      },
    },
  );
  const rent = list.filter((row) => row.indicatorName === "租金收入");
  // the worst first, the whole below
  expect(rent.map((row) => [row.villageId, row.budget, row.actual, row.reached])).toEqual([
    [m.b.villageId, 12_000, 11_145.74, 0.9288],
    [m.a.villageId, 8000, 7609.07, 0.9511],
    [null, 20_000, 18_754.81, 0.9377],
  ]);
  expect(rent[2]).toMatchObject({ villageName: "合计（2 个门店）", difference: -1245.19, estimated: false });
  const cost = list.filter((row) => row.indicatorName === "营业成本");
  // smaller is better: what is over its plan stands first
  expect(cost[0]).toMatchObject({ villageId: m.a.villageId, budget: 500, actual: 600, reached: 1.2 });

  const rows = (
    await house.did(
      villageCompleteRows,
      { as: finance },
      { query: { year: 2026, period: "m3", villageIds: String(m.a.villageId), pageSize: 50 } },
    )
  ).list;
  const at = (name: string) => rows.find((row) => row.indicatorName === name)!;
  expect(at("租金收入").reached).toBe(0.9511);
  expect(at("物业费收入").reached).toBe(0.6695);
  expect(at("营业成本").reached).toBe(1.2);
  expect(at("出租率")).toMatchObject({ actual: 67.1, budget: 90 });
  for (const one of rows) {
    const [same] = (
      await house.did(
        indicatorComplete,
        { as: finance },
        {
          query: {
            year: 2026,
            month: 3,
            indicatorIds: String(one.indicatorId),
            villageIds: String(m.a.villageId),
          },
        },
      )
    ).list;
    expect(same, one.indicatorName).toMatchObject({
      actual: one.actual,
      budget: one.budget,
      reached: one.reached,
      yearActual: one.yearActual,
    });
  }
  const behind = await house.did(
    budgetActual,
    { as: finance },
    { query: { indicatorId: ids["rentIncome"]!, villageId: m.a.villageId, month: "2026-03" } },
  );
  expect(behind).toMatchObject({ shown: "7,609.07", total: 4, indicatorName: "租金收入", basis: "权责" });

  const stores = (
    await house.did(villageComplete, { as: finance }, { query: { year: 2026, period: "q1", pageSize: 50 } })
  ).list;
  expect(stores[0]!.versionId).not.toBeNull();
  expect(stores.find((s) => s.id === m.a.villageId)!.income).toBe(3 * 810_000);
  // T14: what the journal says of the whole is what the stores' figures come to
  const all = stores.reduce((sum, s) => sum + (s.incomeActual ?? 0), 0);
  const { rows: booked } = await pool.query<{ fen: number }>(
    `select sum(credit - debit)::bigint fen from journal_line
     where account in ('6001', '6052', '6053', '6061') and date between '2026-01-01' and '2026-03-31'`,
  );
  expect(all).toBe(booked[0]!.fen);
});

test("a mean over stores is weighed by their room nights: 90 % of 155 and 80 % of 310 are 83.33 %", async () => {
  await pool.query(
    `insert into village_day select (jsonb_populate_record(d, jsonb_build_object('village_id', $2::bigint, 'base', 10))).*
     from village_day d where village_id = $1 and day between '2026-03-01' and '2026-03-31'`,
    [m.a.villageId, m.b.villageId],
  );
  const { list } = await house.did(
    indicatorComplete,
    { as: finance },
    { query: { year: 2026, month: 3, indicatorIds: String(ids["occupancy"]) } },
  );
  expect(list.find((row) => row.villageId === null)!.budget).toBe(83.33);
  const detail = await house.did(
    calls.indicatorBudgets,
    { as: finance },
    { params: { indicatorId: ids["occupancy"]! }, query: { year: 2026 } },
  );
  expect(detail.sums).toMatchObject({ m3: 8333 });
  expect(detail.sums!.numerator! / detail.sums!.denominator!).toBeCloseTo(detail.sums!.whole! / 10_000, 4);
  expect(detail.list.map((row) => row.m3)).toEqual([9000, 8000]);
});

describe("cells", () => {
  test("a year's sum is laid over its months to the fen", async () => {
    const [id] = await drafted([m.a.villageId], 2027);
    const body = { indicatorId: ids["rentIncome"]!, whole: 10_000_000, how: "even" as const };
    const { values } = await house.did(calls.spreadYear, { as: finance }, { params: { id: id! }, body });
    expect(values.filter((v) => v === 833_333)).toHaveLength(8);
    expect(values.filter((v) => v === 833_334)).toHaveLength(4);
    expect(values.reduce((a, b) => a + b, 0)).toBe(10_000_000);
    const like = await house.did(
      calls.spreadYear,
      { as: finance },
      { params: { id: id! }, body: { ...body, how: "like" } },
    );
    // as 2026 came out: most in March
    expect(like.values.reduce((a, b) => a + b, 0)).toBe(10_000_000);
    expect(Math.max(...like.values)).toBe(like.values[2]);
    const other = await house.ask(
      calls.spreadYear,
      { as: finance },
      { params: { id: id! }, body: { ...body, indicatorId: ids["occupancy"]! } },
    );
    expect(other.body.message).toContain("只有按合计汇总的指标可以全年分摊");
  });

  test("two people at one cell: the later hears what stands there, what else they typed is kept", async () => {
    const id = (await rowOf(m.a.villageId, 2027)).id;
    const other = await house.person({ superType: "1", name: "钱会计" });
    await save(id, [cell("rentIncome", 1, 100)], other);
    const { body } = await save(id, [cell("rentIncome", 1, 200), cell("rentIncome", 2, 300)]);
    expect(body.data).toMatchObject({
      saved: [{ month: 2, value: 300 }],
      conflicts: [{ month: 1, value: 100, msg: "该单元格已被 钱会计 修改为 1.00" }],
    });
    const { version } = (body.data as { conflicts: Typed[] }).conflicts[0]!;
    // emptied and typed into anew, it is not what was seen
    await save(id, [cell("rentIncome", 1, null, version)], other);
    await save(id, [cell("rentIncome", 1, 500)], other);
    const late = await save(id, [cell("rentIncome", 1, 200, version)]);
    expect(late.body.data).toMatchObject({ saved: [], conflicts: [{ value: 500 }] });
    const same = await save(id, [cell("rentIncome", 1, 500, version)]);
    expect(same.body.data).toMatchObject({ conflicts: [] });
  });

  test("what is beyond its limits is named cell by cell, and nothing of it is saved", async () => {
    const id = (await rowOf(m.a.villageId, 2027)).id;
    const { body } = await save(id, [
      cell("rentIncome", 5, 100),
      cell("occupancy", 5, 10_001),
      cell("newRooms", 5, -1),
    ]);
    expect(body.fields).toEqual([
      { field: "cells.1", msg: "请输入0到100之间的数" },
      { field: "cells.2", msg: "请输入0或正整数" },
    ]);
    expect((await grid(id)).cells.some((c) => c.month === 5)).toBe(false);
    expect((await save(id, [cell("profit", 5, 1)])).body.fields).toEqual([
      { field: "cells.0", msg: "利润由其他指标计算，不能填写" },
    ]);
    const log = await pool.query<{ summary: string }>(
      "select summary from business_log where kind = 'budget' and record_id = $1 order by id limit 2",
      [id],
    );
    expect(log.rows[1]!.summary).toBe("填写 1 格，金额合计由 0.00 改为 1.00");
  });

  test("an indicator that has been planned is not deleted", async () => {
    const { version } = await house.did(
      getIndicator,
      { as: finance },
      { params: { id: ids["propertyIncome"]! } },
    );
    const gone = await house.ask(
      deleteIndicator,
      { as: finance },
      { params: { id: ids["propertyIncome"]! }, query: { version } },
    );
    expect(gone.body.message).toBe("已有预算数据，不能删除，可停用");
  });
});

test("a new year begins as the last one was planned, or as it came out and some percent", async () => {
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
  const march = (await grid(raised!)).cells.find((c) => c.indicatorId === ids["rentIncome"] && c.month === 3);
  expect(march!.value).toBe(1_226_031);
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
  await decide("approve");
  expect(await rowOf(villageId, 2027)).toMatchObject({ state: "inForce", inForceNo: 1 });
});

test("a store says why it is off its plan; a second hand hears that it was changed", async () => {
  const body = {
    villageId: m.a.villageId,
    indicatorId: ids["operatingCost"]!,
    month: "2026-03",
    text: "外墙清洗提前到三月",
    version: 0,
  };
  await house.did(writeNote, { as: finance }, { body });
  expect((await house.ask(writeNote, { as: finance }, { body })).status).toBe(409);
  await house.did(writeNote, { as: finance }, { body: { ...body, text: "外墙清洗提前", version: 1 } });
  const { list } = await house.did(
    villageCompleteRows,
    { as: finance },
    { query: { year: 2026, period: "m3", villageIds: String(m.a.villageId), pageSize: 50 } },
  );
  expect(list.find((row) => row.indicatorName === "营业成本")).toMatchObject({
    note: "外墙清洗提前",
    noteVersion: 2,
  });
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
