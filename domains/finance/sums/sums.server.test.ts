import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aParty, aStore } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { foldSums } from "./sums.service.ts";

const house = await testHouse();
const { db, pool } = house.database;
house.setClock("2026-03-20T10:00:00+08:00");
const store = await aStore(house);
const accounts = await someAccounts(house, store);

const rows = async (table: string) =>
  (await pool.query(`select 1 from ${table} where village_id = $1`, [store.villageId])).rows.length;
const owed = async (day: string) =>
  (
    await pool.query<{ kept: number; bills: number }>(
      `select coalesce((select sum(fen) from arrears_day where village_id = $1 and day <= $2), 0)::bigint kept,
         coalesce((select sum(outstanding) from owing_at($2, array[$1::bigint])), 0)::bigint bills`,
      [store.villageId, day],
    )
  ).rows[0]!;
const check = async () =>
  (await acting(house, (act) => checkLedger(act, "manual"))).results.find((r) => r.code === "C11");

test("many at the till of one store at once: each is in the sums at once, and folding them changes nothing", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => aParty(house)));
  const pay = async (person: number, i: number) => {
    const bill = await aBill(house, store, person, { dueDate: `2026-03-1${i % 3}` });
    const paidAt = "2026-03-20T10:00:00+08:00";
    return take(house, store, accounts, person, { amount: 1_000, paidAt, bills: [bill] });
  };
  await Promise.all([...people.map(pay), foldSums(db)]);
  expect(await owed("2026-03-20")).toEqual({
    kept: expect.any(Number),
    bills: (await owed("2026-03-20")).kept,
  });
  const before = await check();
  expect(before).toMatchObject({ breaks: 0 });
  await foldSums(db);
  expect(await check()).toEqual(before);
  expect(await rows("arrears_day")).toBeLessThanOrEqual(4);
  expect(await rows("receivable_day")).toBeLessThanOrEqual(6);
  expect(await rows("taking_day")).toBe(1);
});

test("a bill that falls due later takes what was booked on it along", async () => {
  const bill = await aBill(house, store, await aParty(house), { dueDate: "2026-03-05" });
  const [late, before] = [await owed("2026-03-20"), await owed("2026-03-05")];
  await pool.query("update bill set due_date = '2026-04-02' where id = $1", [bill]);
  const now = await owed("2026-03-20");
  expect(now.kept).toBe(now.bills);
  expect(now.kept).toBeLessThan(late.kept);
  expect((await owed("2026-03-05")).kept).toBe(before.kept);
  expect((await owed("2026-04-03")).kept).toBe(late.kept);
  expect(await check()).toMatchObject({ breaks: 0 });
});

test("a sum that is wrong is found by the check of the books", async () => {
  await pool.query("insert into arrears_day (village_id, day, fen) values ($1, '2026-03-01', 5)", [
    store.villageId,
  ]);
  expect(await check()).toMatchObject({ breaks: 1 });
});
