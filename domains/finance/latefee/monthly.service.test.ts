import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { aBill, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { readBills } from "../bill/bills.queries.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { setBilling } from "../setting/setting.service.ts";
import jobs from "./latefee.job.ts";

const house = await testHouse();
const { db, pool } = house.database;
const { enterpriseId } = house;
const feesOf = async (id: number) =>
  (await readBills({ tx: db }, [id]))[0]!.lines.filter((l) => l.kind === "lateFee").map((l) => l.amount);

async function aLateStore(setting: Parameters<typeof setBilling>[2]) {
  const store = await aStore(house);
  await setBilling({ tx: db }, { enterpriseId, villageId: store.villageId }, setting);
  const partyId = await aParty(house);
  const accounts = await someAccounts(house, store);
  const bill = (amount: number, dueDate = "2026-03-01") =>
    aBill(house, store, partyId, { dueDate, lines: [aLine("rent", amount)] });
  const pay = (id: number, amount: number, day: string) =>
    take(house, store, accounts, partyId, { amount, paidAt: `${day}T10:00:00+08:00`, bills: [id] });
  return { bill, pay };
}
const run = () => perform(house, jobs[0]!, {}, "first");

test("once a month fees are written to the month's end, of bills paid meanwhile too; twice adds nothing", async () => {
  house.setClock("2026-03-01T10:00:00+08:00");
  const monthly = await aLateStore({ lateFeeFreeze: "monthly" });
  const onPayment = await aLateStore({});
  const [open, paid, young] = [
    await monthly.bill(280_000),
    await monthly.bill(100_000),
    await monthly.bill(100_000, "2026-03-30"),
  ];
  const elsewhere = await onPayment.bill(280_000);
  house.setClock("2026-03-26T10:00:00+08:00");
  await monthly.pay(open, 150_000, "2026-03-26");
  await monthly.pay(paid, 100_000, "2026-03-14");
  expect([await feesOf(open), await feesOf(paid)]).toEqual([[], []]);

  house.setClock("2026-04-01T01:00:00+08:00");
  await run();
  // 30.80 to 26 March and 3.25 on what was left to the 31st; 1,000.00 for 10 days
  expect(await feesOf(open)).toEqual([3405]);
  expect(await feesOf(paid)).toEqual([500]);
  expect([await feesOf(young), await feesOf(elsewhere)]).toEqual([[], []]);
  const { rows } = await pool.query(
    "select summary from business_log where record_id = $1 and action = '滞纳金入账'",
    [open],
  );
  expect(rows).toEqual([{ summary: "2026-03 滞纳金入账 34.05" }]);

  const entries = async () =>
    (await pool.query("select count(*)::int n from journal_entry where event = 'E03'")).rows[0].n;
  const before = await entries();
  house.setClock("2026-04-02T09:00:00+08:00");
  await run();
  expect(await feesOf(open)).toEqual([3405]);
  expect(await entries()).toBe(before);

  house.setClock("2026-05-01T01:00:00+08:00");
  await run();
  expect((await feesOf(open)).reduce((sum, fen) => sum + fen, 0)).toBe(3405 + 30 * 65);
});

test("a fee below the least amount waits, and only named subjects bear one", async () => {
  house.setClock("2026-03-01T10:00:00+08:00");
  const village = await aLateStore({
    lateFeeFreeze: "monthly",
    lateFeeMin: 1000,
    lateFeeSubjects: ["property"],
  });
  const rent = await village.bill(280_000);
  house.setClock("2026-04-01T01:00:00+08:00");
  await run();
  expect(await feesOf(rent)).toEqual([]);
  const small = await aLateStore({ lateFeeFreeze: "monthly", lateFeeMin: 1000 });
  house.setClock("2026-03-01T10:00:00+08:00");
  const id = await small.bill(50_000);
  house.setClock("2026-04-01T01:00:00+08:00");
  await run();
  expect(await feesOf(id)).toEqual([]);
  house.setClock("2026-05-01T01:00:00+08:00");
  await run();
  // 500.00 for 57 days is 14.25
  expect(await feesOf(id)).toEqual([1425]);
});
