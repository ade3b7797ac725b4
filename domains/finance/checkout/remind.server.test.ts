import { beforeAll, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { billReminders } from "../../contract/document/reminded.contract.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { disputeBill } from "../bill-acts/acts.contract.ts";
import { previewRemind, remindBills } from "./remind.contract.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
let store: Store, clerk: Person, zhang: number, li: number;
const late: number[] = [];
beforeAll(async () => {
  store = await aStore(house);
  const villages = [store.villageId];
  clerk = await house.person({ permits: ["26.get", "26.edit"], villages });
  zhang = await aParty(house, "张三", { villageId: store.villageId, phone: "13900001111" });
  li = await aParty(house, "李四", { villageId: store.villageId, phone: "0571-88" });
  const contractId = await aContract(house, store, zhang);
  late.push(await aBill(house, store, zhang, { contractId }));
  late.push(await aBill(house, store, zhang, { dueDate: "2026-03-10", lines: [aLine("property", 10_000)] }));
  late.push(await aBill(house, store, li));
});
const outbox = async () =>
  (
    await house.database.pool.query(
      "select recipient, body, due_at from outbox where source = 'notice' order by id",
    )
  ).rows;

test("each customer gets one message about all that is late; who has no mobile number keeps nobody else from theirs", async () => {
  const body = { villageId: store.villageId };
  const preview = await house.did(previewRemind, { as: clerk }, { body });
  expect(preview).toMatchObject({ messages: 1, amount: 310_000, at: null });
  expect(preview.parties.map((p) => [p.partyName, p.bills, p.amount, p.since, p.refusal])).toEqual([
    ["张三", 2, 310_000, "2026-03-01", null],
    ["李四", 1, 300_000, "2026-03-01", "客户没有可接收短信的手机号"],
  ]);
  expect(await outbox()).toEqual([]);
  expect(await house.did(remindBills, { as: clerk }, { body })).toMatchObject({ messages: 1 });
  expect(await outbox()).toMatchObject([
    {
      recipient: "13900001111",
      body: expect.stringMatching(
        /张三您好，您有 2 笔账单已逾期，未付合计 3,100\.00 元，最早应付日 2026-03-01/,
      ),
    },
  ]);
  const { list, letterOf } = await house.did(billReminders, { as: clerk }, { params: { id: late[0]! } });
  expect(list).toMatchObject([
    { by: "hand", text: expect.stringMatching(/^短信至 139\*\*\*\*1111/), state: null },
  ]);
  expect(letterOf).not.toBeNull();
});

test("once a day, also where two press at once; the next day again, and at night only in the morning", async () => {
  const [mine] = late;
  const again = await house.did(remindBills, { as: clerk }, { body: { billIds: [mine!] } });
  expect(again.parties[0]!.refusal).toBe("今天已经催缴过");
  house.setClock("2026-03-21T22:15:00+08:00");
  const both = await Promise.all(
    [1, 2].map(() => house.did(remindBills, { as: clerk }, { body: { billIds: [mine!] } })),
  );
  expect(both.map((answer) => answer.messages).toSorted()).toEqual([0, 1]);
  const sent = await outbox();
  expect(sent.length).toBe(2);
  expect(new Date(sent[1].due_at).toISOString()).toBe("2026-03-22T00:30:00.000Z");
  // what goes out in the morning is the message of that day
  const why = async () =>
    (await house.did(previewRemind, { as: clerk }, { body: { billIds: [mine!] } })).parties[0]!.refusal;
  expect(await why()).toBe("明早的催缴短信已安排");
  house.setClock("2026-03-22T10:00:00+08:00");
  expect(await why()).toBe("今天已经催缴过");
  expect((await house.did(remindBills, { as: clerk }, { body: { billIds: [mine!] } })).messages).toBe(0);
});

test("what is disputed, not due yet or of another store is not asked for", async () => {
  house.setClock("2026-03-23T10:00:00+08:00");
  const wang = await aParty(house, "王五", { villageId: store.villageId, phone: "13900002222" });
  const early = await aBill(house, store, wang, { dueDate: "2026-04-01" });
  const why = async (id: number) =>
    (await house.did(previewRemind, { as: clerk }, { body: { billIds: [id] } })).parties[0]!.refusal;
  expect(await why(early)).toBe("账单没有逾期，不需要催缴");
  const disputed = await aBill(house, store, wang);
  await house.did(
    disputeBill,
    { as: clerk },
    {
      params: { id: disputed },
      body: { disputed: true, reason: "水费有误", version: await versionOf(disputed) },
    },
  );
  expect(await why(disputed)).toBe("账单有争议，已暂停催缴");
  const other = await aStore(house);
  const theirs = await house.person({ permits: ["26.edit", "26.get"], villages: [other.villageId] });
  const body = { billIds: [disputed] };
  expect((await house.ask(remindBills, { as: theirs }, { body })).status).toBe(404);
  expect((await house.ask(billReminders, { as: theirs }, { params: { id: disputed } })).status).toBe(404);
});

test("chosen customers are reminded of all they owe; who promised to pay later is not, until that day", async () => {
  house.setClock("2026-03-24T10:00:00+08:00");
  const body = { partyIds: [zhang], villageIds: [store.villageId] };
  expect(await house.did(previewRemind, { as: clerk }, { body })).toMatchObject({
    messages: 1,
    amount: 310_000,
  });
  await house.database.db
    .insertInto("owingFollow")
    .values({ partyId: zhang, villageId: store.villageId, promiseDay: "2026-03-27", note: "发薪后付" })
    .execute();
  const why = async () =>
    (await house.did(previewRemind, { as: clerk }, { body })).parties.map((p) => p.refusal);
  expect(await why()).toEqual(["客户承诺 2026-03-27 付款，此前不催缴"]);
  expect(await house.did(remindBills, { as: clerk }, { body })).toMatchObject({ messages: 0 });
  house.setClock("2026-03-27T10:00:00+08:00");
  expect(await why()).toEqual([null]);
  const far = { partyIds: [zhang], villageIds: [(await aStore(house)).villageId] };
  expect((await house.ask(previewRemind, { as: clerk }, { body: far })).status).toBe(404);
});

const versionOf = async (id: number): Promise<number> =>
  (await house.database.pool.query("select version from bill where id = $1", [id])).rows[0].version;
