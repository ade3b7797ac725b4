import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { deleteIndicator, getIndicator } from "../budget-indicator/budget-indicator.contract.ts";
import * as calls from "./budget.contract.ts";
import { planning, type Typed } from "./budget.sample.ts";

const house = await testHouse();
const { m, finance, ids, drafted, cell, save, grid, rowOf } = await planning(house);
const { pool } = house.database;

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
  // what has not ended by then weighs as the months before it do on average, not as the days so far
  house.setClock("2026-03-15T10:00:00+08:00");
  const early = await house.did(
    calls.spreadYear,
    { as: finance },
    { params: { id: id! }, body: { ...body, how: "like" } },
  );
  const mean = (early.values[0]! + early.values[1]!) / 2;
  for (const value of early.values.slice(2)) expect(Math.abs(value - mean)).toBeLessThanOrEqual(1);
  house.setClock("2026-04-02T10:00:00+08:00");
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
  const { version } = await house.did(getIndicator, { as: finance }, { params: { id: ids["rentIncome"]! } });
  const gone = await house.ask(
    deleteIndicator,
    { as: finance },
    { params: { id: ids["rentIncome"]! }, query: { version } },
  );
  expect(gone.body.message).toBe("已有预算数据，不能删除，可停用");
});
