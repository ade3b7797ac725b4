import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aContract, aLine, aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { takeBack } from "../../finance/flow/allocate.service.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { listThreeWay } from "./books.contract.ts";

test("what was paid and is not invoiced counts from the oldest payment that stands", async () => {
  const house = await testHouse();
  house.setClock("2026-03-01T10:00:00+08:00");
  const store = await aStore(house);
  const accounts = await someAccounts(house, store);
  const as = await house.person({ permits: ["65.query"], villages: [store.villageId] });
  const partyId = await aParty(house, "张三", { villageId: store.villageId });
  const contractId = await aContract(house, store, partyId, { no: "HT20260101-000001" });
  const lines = [aLine("rent", 100_000)];
  const bills = [await aBill(house, store, partyId, { contractId, dueDate: "2026-03-20", lines })];
  const paying = async (day: string) => {
    house.setClock(`${day}T10:00:00+08:00`);
    const paidAt = `${day}T09:00:00+08:00`;
    return (await take(house, store, accounts, partyId, { amount: 10_000, paidAt, bills })).id!;
  };
  const days = async () =>
    (await house.did(listThreeWay, { as }, { query: {} as never })).list.map((row) => row.uninvoicedDays);
  const wrong = await paying("2026-03-02");
  await paying("2026-03-12");
  house.setClock("2026-03-20T10:00:00+08:00");
  expect(await days()).toEqual([18]);
  await acting(house, (act) => takeBack(act, wrong));
  expect(await days()).toEqual([8]);
});
