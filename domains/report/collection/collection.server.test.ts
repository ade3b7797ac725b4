import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { bookBalance } from "../../finance/bill/bill.sample.ts";
import { march2026 } from "../../finance/check/march.sample.ts";
import { getFlow, listFlows, reverseFlow } from "../../finance/flow/flow.contract.ts";
import { monthLocks } from "../lock/lock.contract.ts";
import { collectionAccounts, collectionDetail, dailyCollection } from "./collection.contract.ts";

const house = await testHouse();
const { a, b } = await march2026(house);
const both = [a.villageId, b.villageId];
const cashier = await house.person({ permits: ["99.query"], villages: both });
const onlyA = await house.person({ permits: ["99.query"], villages: [a.villageId] });
const march = { from: "2026-03-01", to: "2026-03-31" };

test("March 2026 by day and channel: 21,350.00 taken, 48.10 kept by the channels", async () => {
  const { list, total, sums } = await house.did(dailyCollection, { as: cashier }, { query: march });
  expect(total).toBe(4);
  expect(list.map((row) => row.day)).toEqual(["2026-03-26", "2026-03-12", "2026-03-10", "2026-03-08"]);
  expect(list[0]).toMatchObject({ cash: 150_000, total: 150_000, flows: 1, fee: 0 });
  expect(list[1]).toMatchObject({ pos: 200_000, fee: 1_000, net: 199_000 });
  expect(list[2]).toMatchObject({ wechat: 635_000, fee: 3_810, net: 631_190 });
  expect(list[3]).toMatchObject({ bankTransfer: 1_150_000, flows: 2 });
  expect(sums).toMatchObject({ total: 2_135_000, fee: 4_810, net: 2_130_190, reversed: 0, flows: 5 });
});

test("store by store it is 11,350.00 and 10,000.00; a store out of sight counts nowhere", async () => {
  const whole = async (as: typeof cashier, villageIds?: number) =>
    (
      await house.did(
        dailyCollection,
        { as },
        { query: { ...march, ...(villageIds && { villageIds: String(villageIds) }) } },
      )
    ).sums!.total;
  expect(await whole(cashier, a.villageId)).toBe(1_135_000);
  expect(await whole(cashier, b.villageId)).toBe(1_000_000);
  expect(await whole(onlyA)).toBe(1_135_000);
  const detail = await house.did(collectionDetail, { as: onlyA }, { query: march });
  expect(new Set(detail.list.map((row) => row.villageName)).size).toBe(1);
  const other = { ...march, villageIds: String(b.villageId) };
  expect((await house.ask(dailyCollection, { as: onlyA }, { query: other })).status).toBe(404);
  expect((await house.ask(collectionDetail, { as: onlyA }, { query: other })).status).toBe(404);
  const names = async (as: typeof cashier) =>
    (await house.did(collectionAccounts, { as }, { query: {} })).length;
  expect(await names(cashier)).toBe(8);
  expect(await names(onlyA)).toBe(4);
});

test("the detail names who paid what, and what is not used yet", async () => {
  const query = { from: "2026-03-10", to: "2026-03-10" };
  const { list, total, sums } = await house.did(collectionDetail, { as: cashier }, { query });
  expect(total).toBe(1);
  expect(list[0]).toMatchObject({
    partyName: "张三",
    channel: "wechat",
    amount: 635_000,
    fee: 3_810,
    unallocated: 25_000,
    subjects: "押金、物业费、租金",
    businessDay: null,
  });
  expect(sums).toEqual({ amount: 635_000, fee: 3_810, unallocated: 25_000 });
});

test("the last ones page by page are the first ones backwards", async () => {
  const detail = async (query: object) =>
    (
      await house.did(
        collectionDetail,
        { as: cashier },
        { query: { from: "2026-03-01", to: "2026-03-31", ...query } },
      )
    ).list.map((row) => row.id);
  const forwards = await detail({ order: "asc", pageSize: 100 });
  expect(forwards.length).toBeGreaterThan(3);
  const last = Math.ceil(forwards.length / 2);
  const pages: number[][] = [];
  for (let pageNo = 1; pageNo <= last + 1; pageNo++) pages.push(await detail({ pageNo, pageSize: 2 }));
  expect(pages.flat()).toEqual(forwards.toReversed());
  expect(pages.at(-1)).toEqual([]);
});

test("without a day it is today; more than a year is refused under its field", async () => {
  expect((await house.did(dailyCollection, { as: cashier }, { query: {} })).list).toEqual([]);
  const wide = await house.ask(
    dailyCollection,
    { as: cashier },
    { query: { from: "2025-01-01", to: "2026-03-31" } },
  );
  expect(wide.body.fields).toEqual([{ field: "to", msg: "日期范围最多 366 天" }]);
});

test("a store is locked when every month of the range is", async () => {
  const lock = (month: string) =>
    house.database.db
      .insertInto("periodLock")
      .values({ villageId: a.villageId, month, side: "income" })
      .execute();
  const locked = async (from: string, to: string) =>
    (await house.did(monthLocks, { as: cashier }, { query: { from, to } })).villages
      .filter((v) => v.locked)
      .map((v) => v.id);
  await lock("2026-01");
  expect(await locked("2026-01-05", "2026-01-31")).toEqual([a.villageId]);
  expect(await locked("2026-01-31", "2026-02-01")).toEqual([]);
  await lock("2026-02");
  expect(await locked("2026-01-31", "2026-02-01")).toEqual([a.villageId]);
});

test("张三's 6,350.00 is one flow of which 250.00 is free; reversed, its three payments are back, the fee stays a cost, and the day shows it", async () => {
  house.setClock("2026-04-02T10:00:00+08:00");
  const as = await house.person({ permits: ["102.query", "102.get", "#10202"], villages: both });
  const query = { paidFrom: "2026-03-10", paidTo: "2026-03-10" };
  const { list } = await house.did(listFlows, { as }, { query });
  expect(list).toMatchObject([{ amount: 635_000, allocated: 610_000, unallocated: 25_000, fee: 3_810 }]);
  const { id, version } = list[0]!;
  const flow = () => house.did(getFlow, { as }, { params: { id } });
  expect((await flow()).allocations.map((one) => one.amount)).toEqual([300_000, 300_000, 10_000]);
  const books = async () => ({
    deposits: 0 - (await bookBalance(house, "2241", a.villageId)),
    prepaid: 0 - (await bookBalance(house, "2203", a.villageId)),
    fees: await bookBalance(house, "6602", a.villageId),
  });
  expect(await books()).toEqual({ deposits: 580_000, prepaid: 25_000, fees: 4_810 });
  const body = { reason: "重复入账", version };
  await house.did(reverseFlow, { as, key: "reverse-what-was-paid" }, { params: { id }, body });
  expect(await books()).toEqual({ deposits: 280_000, prepaid: 0, fees: 4_810 });
  const reversed = await flow();
  expect(reversed).toMatchObject({ state: "reversed", allocated: 0, unallocated: 0 });
  const back = reversed.allocations.filter((one) => one.undoesId);
  expect(back.map((one) => one.amount)).toEqual([-300_000, -300_000, -10_000]);
  const today = await house.did(dailyCollection, { as: cashier }, { query: {} });
  expect(today.list).toMatchObject([{ day: "2026-04-02", wechat: -635_000, total: -635_000, fee: 0 }]);
});
