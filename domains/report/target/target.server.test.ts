import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { completion, copyTargets, saveTargets, targetChanges, targets } from "./target.contract.ts";

const house = await testHouse();
const { pool } = house.database;
house.setClock("2026-04-20T10:00:00+08:00");
const a = await aVillage(house);
const b = await aVillage(house);
const hidden = await aVillage(house);
const as = await house.person({ name: "总部", permits: ["139.query", "139.edit"], villages: [a, b] });
const reader = await house.person({ permits: ["139.query"], villages: [a] });
const code = "occupancyRate" as const;

const cell = (villageId: number, month: string, value: number | null, version = 0) => ({
  villageId,
  month,
  value,
  version,
});
const save = (cells: ReturnType<typeof cell>[], note = "", who = as) =>
  house.ask(saveTargets, { as: who }, { body: { code, cells, note } });
const kept = async (villageId: number) =>
  (await house.did(targets, { as }, { query: { year: 2026, code } })).find((v) => v.villageId === villageId)!
    .cells;

test("cells are kept with who changed them from what to what; only what changed is written", async () => {
  expect(
    (await save([cell(a, "2026-05", 0.95), cell(a, "2026-06", 0.96), cell(b, "2026-05", 0.9)])).body,
  ).toMatchObject({
    data: { saved: 3 },
  });
  const may = (await kept(a))[4]!;
  expect(may).toEqual({ month: "2026-05", value: 0.95, source: "manual", version: 1 });
  expect((await save([cell(a, "2026-05", 0.97, 1), cell(a, "2026-06", 0.96, 1)])).body).toMatchObject({
    data: { saved: 1 },
  });
  const { list } = await house.did(targetChanges, { as }, { query: { villageIds: String(a) } });
  expect(list[0]).toMatchObject({
    byName: "总部",
    indicator: "出租率",
    month: "2026-05",
    before: "95.00%",
    after: "97.00%",
  });
  const gone = await save([cell(a, "2026-06", null, 1)]);
  expect(gone.body).toMatchObject({ data: { saved: 1 } });
  expect((await kept(a))[5]).toMatchObject({ value: null, version: 0 });
});

test("one wrong cell keeps all from being saved, and is named", async () => {
  const cells = Array.from({ length: 12 }, (_, i) =>
    cell(b, `2027-${String(i + 1).padStart(2, "0")}`, i === 7 ? 1.5 : 0.9),
  );
  expect((await save(cells)).body).toMatchObject({
    code: 400,
    fields: [{ field: "cells.7", msg: "请输入0到100之间的数" }],
  });
  const next = await house.did(targets, { as }, { query: { year: 2027, code } });
  expect(next.flatMap((v) => v.cells).every((c) => c.value === null)).toBe(true);
});

test("a month that is over asks for a reason", async () => {
  expect((await save([cell(a, "2026-03", 0.96)])).body).toMatchObject({
    code: 400,
    fields: [{ field: "note", msg: "修改历史目标请填写原因" }],
  });
  expect((await save([cell(a, "2026-03", 0.96)], "补录")).status).toBe(200);
});

test("two people in different cells both succeed; in the same one the second is told which", async () => {
  const both = await Promise.all([save([cell(a, "2026-09", 0.9)]), save([cell(a, "2026-10", 0.9)])]);
  expect(both.map((answer) => answer.status)).toEqual([200, 200]);
  const same = await Promise.all([
    save([cell(a, "2026-11", 0.91), cell(a, "2026-12", 0.9)]),
    save([cell(b, "2026-12", 0.9), cell(a, "2026-11", 0.92)]),
  ]);
  expect(same.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  const second = same.findIndex((answer) => answer.status === 409);
  expect(same[second]!.body.fields).toEqual([
    { field: `cells.${second}`, msg: "已被他人修改，请刷新后重试" },
  ]);
});

test("stores out of sight are neither shown nor written; who may only look changes nothing", async () => {
  const names = await house.did(targets, { as }, { query: { year: 2026, code } });
  expect(names.map((v) => v.villageId)).not.toContain(hidden);
  expect((await save([cell(a, "2026-08", 0.9), cell(hidden, "2026-08", 0.9)])).status).toBe(404);
  expect((await kept(a))[7]!.value).toBeNull();
  expect((await save([cell(a, "2026-08", 0.9)], "", reader)).status).toBe(403);
});

test("a year is copied to other stores", async () => {
  await save([cell(a, "2027-01", 0.9), cell(a, "2027-02", 0.92)]);
  const { saved } = await house.did(copyTargets, { as }, { body: { code, year: 2027, from: a, to: [a, b] } });
  expect(saved).toBe(2);
  const next = await house.did(targets, { as }, { query: { year: 2027, code, villageIds: String(b) } });
  expect(next[0]!.cells.slice(0, 2).map((c) => c.value)).toEqual([0.9, 0.92]);
});

test("nothing is copied from a store out of sight, nor into one", async () => {
  await pool.query(
    "insert into indicator_target (code, village_id, month, value, source) values ($1, $2, '2028-01-01', 0.5, 'manual')",
    [code, hidden],
  );
  const copy = (from: number, to: number[]) =>
    house.ask(copyTargets, { as }, { body: { code, year: 2028, from, to } });
  await save([cell(a, "2028-01", 0.9)]);
  for (const answer of [await copy(hidden, [b]), await copy(a, [b, hidden])]) expect(answer.status).toBe(404);
  const next = await house.did(targets, { as }, { query: { year: 2028, code, villageIds: String(b) } });
  expect(next[0]!.cells[0]!.value).toBeNull();
});

test("what was reached stands beside each target", async () => {
  for (const day of ["2026-03-30", "2026-03-31"])
    await pool.query(
      `insert into village_day (village_id, day, vacant, reserved, to_move_in, occupied, expiring, holding_over, leaving,
         rentable, dirty, maintenance, offline, self_use, in_stock, base, let, arrears_rooms, arrears_fen, let_rent_fen, list_rent_fen)
       values ($1, $2, 2, 0, 0, 8, 0, 0, 0, 10, 0, 0, 0, 0, 10, 10, 8, 0, 0, 2400000, 0)`,
      [a, day],
    );
  const [row] = await house.did(completion, { as }, { query: { year: 2026, code, villageIds: String(a) } });
  expect(row!.cells[2]).toMatchObject({ month: "2026-03", actual: 0.8, target: 0.96, running: false });
  expect(row!.cells[2]!.share).toBeCloseTo(0.8333, 4);
  expect(row!.cells[3]).toMatchObject({ actual: null, running: true });
});

test("the history is never changed", async () => {
  await expect(pool.query("update indicator_target_change set note = 'x'")).rejects.toThrow();
  await expect(pool.query("delete from indicator_target_change")).rejects.toThrow();
});
