import { beforeAll, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { aContract, aLine } from "../bill/bill.sample.ts";
import { aCheckout } from "../checkout/checkout.sample.ts";
import { summaryCards } from "../summary/summary.contract.ts";
import { listRefunds, payRefund, refundsByVillage, rerouteRefund } from "./refund.contract.ts";
import { APPLYING, applying, BANK, onRefund, PAYING, refundOf } from "./refund.sample.ts";

const house = await testHouse();
const shop = await aCheckout(house);
const { villageId } = shop.store;
let boss: Person;
beforeAll(async () => {
  const permits = [...APPLYING, ...PAYING, "23.query"];
  boss = await house.person({ permits, villages: [villageId] });
});

/** A deposit that came in two payments by code, of which the first cannot go back that way any more. */
async function depositOfTwo(): Promise<number> {
  const { partyId } = shop;
  const contractId = await aContract(house, shop.store, partyId, { no: "HT20260101-000091" });
  const orders = [];
  for (const fen of [60_000, 40_000]) {
    const lines = [aLine("deposit", fen, { slices: [] })];
    const [order] = await shop.shown([await shop.newBill("押金", { contractId, lines })]);
    await shop.pay(order!.token);
    orders.push(order!.orderNo);
  }
  await house.database.pool.query("update till_order set refunded = amount where order_no = $1", [orders[0]]);
  const of = { source: "deposit" as const, sourceId: contractId, villageId, partyId, amount: 100_000 };
  return (await applying(house, boss, { ...of, route: "channel" })).body.data.id;
}

test("of a refund that was paid in part what is left is to be paid, in the list, by store and on the cards", async () => {
  const id = await depositOfTwo();
  const sums = async () => {
    const list = await house.did(listRefunds, { as: boss }, { query: {} });
    const villages = await house.did(refundsByVillage, { as: boss }, { query: {} });
    const { approving, toPay, paying, failed, paid } = list.sums!;
    expect(villages.list).toMatchObject([{ approving, toPay, paying, failed, paid }]);
    expect(villages.sums).toMatchObject({ amount: 100_000, approving, toPay, paying, failed, paid });
    expect(list.list.reduce((sum, row) => sum + row.paid, 0)).toBe(paid);
    expect(approving + toPay + paying + failed + paid).toBe(list.sums!.amount);
    return { toPay, failed, paid };
  };
  expect(await sums()).toEqual({ toPay: 100_000, failed: 0, paid: 0 });
  expect((await onRefund(house, boss, payRefund, id)).status).toBe(200);
  await house.deliver();
  expect(await refundOf(house, boss, id)).toMatchObject({ state: "failed", paid: 40_000 });
  expect(await sums()).toEqual({ toPay: 0, failed: 60_000, paid: 40_000 });
  expect((await onRefund(house, boss, rerouteRefund, id, BANK)).status).toBe(200);
  expect(await sums()).toEqual({ toPay: 60_000, failed: 0, paid: 40_000 });
  expect((await house.did(summaryCards, { as: boss }, { query: {} })).toRefund).toBe(60_000);
  expect(await shop.sound()).toEqual([]);
});
