import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aCheckout } from "../checkout/checkout.sample.ts";
import { driverOf } from "../pay-order/driver.service.ts";
import { paidUntold } from "../pay-order/pay-order.sample.ts";
import { fetchBills } from "../statement/fetch.service.ts";
import { listStatements } from "../statement/statement.contract.ts";
import { calendar, listReconcile } from "./reconcile.contract.ts";

const house = await testHouse();
const shop = await aCheckout(house);
const boss = await house.person({ superType: "1", name: "李主管" });
const days = async () => {
  const { accounts } = await house.did(calendar, { as: boss }, { query: { month: "2026-03" } });
  const own = accounts.find((account) => account.id === shop.till)!;
  return own.days.filter((day) => day.state !== "none").map((day) => [day.day, day.state]);
};
const found = async (result: string) =>
  (
    await house.did(
      listReconcile,
      { as: boss },
      { query: { merchantAccountId: shop.till, dayFrom: "2026-03-01", result } as never },
    )
  ).list.map((row) => [row.day, row.ours ?? null, row.theirs ?? null]);
const billed = async () => {
  const [code] = await shop.shown([await shop.newBill("房租")]);
  return code!;
};

test("the embedded cashier's own bill of each day comes by itself and is laid beside what was booked; days that were missed come later", async () => {
  const paid = await billed();
  expect((await shop.pay(paid.token)).status).toBe(200);
  house.setClock("2026-03-03T23:59:59+08:00");
  await shop.pay((await billed()).token);
  // paid there, and nobody here was told
  house.setClock("2026-03-04T00:00:00+08:00");
  await paidUntold(house, shop.till, (await billed()).orderNo);

  house.setClock("2026-03-06T10:30:00+08:00");
  expect(await days()).toEqual([]);
  expect(await fetchBills(house)).toBe(3);
  expect(await fetchBills(house), "once").toBe(0);
  expect(await days()).toEqual([
    ["2026-03-02", "balanced"],
    ["2026-03-03", "balanced"],
    ["2026-03-04", "different"],
  ]);
  expect(await found("onlyThere")).toEqual([["2026-03-04", null, 300_000]]);
  const { list } = await house.did(listStatements, { as: boss }, { query: {} as never });
  expect(list.map((one) => [one.fileName, one.lineCount])).toContainEqual(["内置收银账单2026-03-03.csv", 1]);

  // what it gave back and nobody here knows of
  await acting(house, async (act) => {
    const driver = await driverOf({ ...act, settings: house.settings } as never, shop.till);
    const asked = { refundNo: "TK1", orderNo: paid.orderNo, amount: 50_000, total: 300_000, reason: "多付" };
    expect(await driver.refund(asked)).toMatchObject({ state: "done" });
  });
  house.setClock("2026-03-07T10:30:00+08:00");
  expect(await fetchBills(house)).toBe(1);
  expect(await found("onlyThere")).toContainEqual(["2026-03-06", null, -50_000]);
  expect(await shop.sound()).toEqual([]);
});
