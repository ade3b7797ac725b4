import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { aBill, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import jobs from "./bill.job.ts";

const house = await testHouse();
const morning = () =>
  perform(
    house,
    jobs.find(({ name }) => name === "bills.overdue")!,
    {},
    "morning",
  );
const told = async (as: Person) => (await house.did(listMessages, { as }, { query: {} })).list;

test("late bills are told once a day to whoever works with the bills of the store, and to nobody else", async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  const [store, elsewhere] = [await aStore(house), await aStore(house)];
  const partyId = await aParty(house);
  const late = { dueDate: "2026-03-20", issueDate: "2026-03-20", lines: [aLine("rent", 123_400)] };
  await aBill(house, store, partyId, late);
  await aBill(house, store, partyId, late);
  const person = (permits: string[], villageId: number) => house.person({ permits, villages: [villageId] });
  const clerk = await person(["26.query"], store.villageId);
  const other = await person(["26.query"], elsewhere.villageId);
  const cleaner = await person(["54.query"], store.villageId);

  await morning();
  expect(await told(clerk), "due today is not late").toEqual([]);
  house.setClock("2026-03-21T08:30:00+08:00");
  await morning();
  await morning();
  expect(await told(clerk)).toMatchObject([
    {
      type: 2,
      title: expect.stringMatching(/有 2 笔账单逾期$/),
      summary: expect.stringContaining("合计 2,468.00 元，其中 2 笔昨日到期未付"),
      bizType: "overdueBills",
      bizId: store.villageId,
    },
  ]);
  for (const stranger of [other, cleaner]) expect(await told(stranger)).toEqual([]);
  house.setClock("2026-03-22T08:30:00+08:00");
  await morning();
  expect(await told(clerk), "a line for each day").toHaveLength(2);
});
