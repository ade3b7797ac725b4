import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { aBill, aLine, aStore } from "../bill/bill.sample.ts";
import { showBillCode } from "../checkout/checkout.contract.ts";
import { reverseFlow } from "../flow/allocate.service.ts";
import { aCounter, take } from "../flow/flow.sample.ts";
import { payTill } from "../pay-order/pay-order.contract.ts";
import { aTill } from "../pay-order/pay-order.sample.ts";
import { cashBoxes, closeShift, getShift, listShifts, openShift, shiftTakers } from "./shift.contract.ts";

const house = await testHouse();
const at = (time: string) => house.setClock(`2026-03-26T${time}:00+08:00`);
at("08:00");
const c = await aCounter(house);
const { store, accounts, cashier: first, second, partyId } = c;
const villageId = store.villageId;
const money = (amount: number, paidAt: string, channel: "cash" | "wechat" = "cash") =>
  take(house, store, accounts, partyId, { amount, channel, paidAt: `2026-03-26T${paidAt}:00+08:00` });
const box = async () => {
  const found = await house.did(cashBoxes, { as: first }, { query: { villageId } });
  return found.find((b) => b.id === accounts.cash)!;
};

test("a box is counted, taken from, counted again and handed over; what differs is explained and books nothing", async () => {
  const body = { villageId, merchantAccountId: accounts.cash, booked: 0, counted: 0, note: "" };
  const short = await house.ask(openShift, { as: first }, { body: { ...body, counted: 100 } });
  expect(short.body.fields).toEqual([{ field: "note", msg: "实点与账面不符，请填写差额说明" }]);
  const { id } = await house.did(openShift, { as: first }, { body });
  const twice = await house.ask(openShift, { as: second }, { body });
  expect(twice).toMatchObject({ status: 409, body: { message: "该现金箱已开班，请先交班" } });

  at("12:00");
  await money(150_000, "10:00");
  await money(635_000, "11:00", "wechat");
  // what is reversed before the shift ends was not taken; a code that its cashier showed is their taking
  const mistake = await money(20_000, "10:30");
  await acting(house, (act) => reverseFlow(act, mistake.id!, "重复收款"));
  await aTill(house, villageId);
  const bill = await aBill(house, store, partyId, { lines: [aLine("rent", 50_000)], dueDate: "2026-04-01" });
  const [code] = await house.did(showBillCode, { as: first }, { body: { billIds: [bill] } });
  await house.did(payTill, {}, { params: { token: code!.token } });
  at("20:00");
  expect(await box()).toMatchObject({ booked: 150_000, shift: { id, opener: "陈收银", openingCounted: 0 } });
  const closing = { version: 1, counted: 149_000, booked: 0, note: "找零误差" };
  const old = await house.ask(closeShift, { as: first }, { params: { id }, body: closing });
  expect(old).toMatchObject({ status: 409, body: { message: "账面现金已变为 1,500.00，请核对后重新确认" } });
  const takers = await house.did(shiftTakers, { as: first }, { query: { villageId, keyword: "周财务" } });
  const taker = takers[0]!;
  const far = { ...closing, booked: 150_000, takerId: c.stranger.operatorId };
  expect((await house.ask(closeShift, { as: first }, { params: { id }, body: far })).body.fields).toEqual([
    { field: "takerId", msg: "接班人不能在此门店收款" },
  ]);
  await house.did(closeShift, { as: first }, { params: { id }, body: { ...far, takerId: taker.id } });
  expect(await house.did(getShift, { as: second }, { params: { id } })).toMatchObject({
    opener: "陈收银",
    taker: "周财务",
    openingBooked: 0,
    closingBooked: 150_000,
    closingCounted: 149_000,
    diff: -1_000,
    closingNote: "找零误差",
    channels: [
      { channel: "cash", count: 1, amount: 150_000 },
      { channel: "till", count: 1, amount: 50_000 },
    ],
    moves: [
      { name: "收款", amount: 170_000 },
      { name: "流水冲销", amount: -20_000 },
    ],
  });
  expect(await box()).toMatchObject({ booked: 150_000, shift: null });
  const again = await house.ask(closeShift, { as: first }, { params: { id }, body: { ...far, version: 2 } });
  expect(again.body.message).toBe("该班已交班，请刷新后查看");
});

test("two who count at once: one opens; nothing is seen of other stores", async () => {
  const body = { villageId, merchantAccountId: accounts.cash, booked: 150_000, counted: 150_000, note: "" };
  const both = await Promise.all([first, second].map((as) => house.ask(openShift, { as }, { body })));
  expect(both.map((one) => one.status).toSorted()).toEqual([200, 409]);
  const { list } = await house.did(listShifts, { as: second }, { query: {} as never });
  expect(list).toHaveLength(2);
  expect((await house.did(listShifts, { as: c.stranger }, { query: {} as never })).list).toEqual([]);
  expect((await house.ask(getShift, { as: c.stranger }, { params: { id: list[0]!.id } })).status).toBe(404);
  expect((await house.ask(cashBoxes, { as: c.stranger }, { query: { villageId } })).status).toBe(404);
});

test("a box that is put out of use meanwhile can still be handed over, and is opened no more", async () => {
  const before = await box();
  expect(before.shift).not.toBeNull();
  const { pool } = house.database;
  const use = (enabled: boolean) =>
    pool.query("update merchant_account set enabled = $2 where id = $1", [accounts.cash, enabled]);
  await use(false);
  const now = await box();
  expect(now).toEqual(before);
  const { booked, shift } = now;
  const body = { version: shift!.version, counted: booked, booked, note: "" };
  await house.did(closeShift, { as: first }, { params: { id: shift!.id }, body });
  expect(await box()).toBeUndefined();
  const opening = { villageId, merchantAccountId: accounts.cash, booked, counted: booked, note: "" };
  expect((await house.ask(openShift, { as: first }, { body: opening })).body.fields).toEqual([
    { field: "merchantAccountId", msg: "该账户已停用" },
  ]);
  await use(true);
});

test("a box that stores share is in one shift: the others see whose it is, and its store hands it over", async () => {
  const { enterpriseId, database } = house;
  const shared = await addAccount({ tx: database.db }, { enterpriseId, name: "备用金", kind: "cash" });
  const other = await aStore(house);
  for (const id of [villageId, other.villageId])
    await linkAccount({ tx: database.db }, { villageId: id, payType: "cash", merchantAccountId: shared });
  const neighbour = await house.person({ permits: ["102.add", "102.query"], villages: [other.villageId] });
  const opening = { merchantAccountId: shared, booked: 0, counted: 0, note: "" };
  const { id } = await house.did(openShift, { as: first }, { body: { ...opening, villageId } });
  const boxes = await house.did(cashBoxes, { as: neighbour }, { query: { villageId: other.villageId } });
  const { villageName } = (await house.did(listShifts, { as: first }, { query: {} as never })).list[0]!;
  expect(boxes).toMatchObject([{ id: shared, shift: { id, villageId, villageName } }]);
  const closing = { params: { id }, body: { version: 1, counted: 0, booked: 0, note: "" } };
  expect((await house.ask(closeShift, { as: neighbour }, closing)).status).toBe(404);
  await house.did(closeShift, { as: first }, closing);
});
