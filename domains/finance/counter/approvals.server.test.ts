import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { type Decide, decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { voidBill } from "../bill-acts/acts.contract.ts";
import { aBill, aLine, aParty, aStore, bookBalance, type Store } from "../bill/bill.sample.ts";
import * as calls from "../flow/flow.contract.ts";
import { type Accounts, someAccounts, take } from "../flow/flow.sample.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
let store: Store, accounts: Accounts, clerk: Person, lead: Person, partyId: number;
beforeAll(async () => {
  store = await aStore(house);
  accounts = await someAccounts(house, store);
  const villages = [store.villageId];
  partyId = await aParty(house, "张三", { villageId: store.villageId });
  clerk = await house.person({
    permits: "26.get #2602 102.query 102.get 102.add #10201 #10202 #10203".split(" "),
    villages,
  });
  lead = await house.person({ permits: ["102.query"], villages, name: "罗佳宁" });
  const admin = await house.person({ superType: "1" });
  for (const moduleType of ["flowReverse", "flowPatch", "cost"])
    await aModule(house, admin, {
      moduleType,
      name: moduleType,
      villageIds: villages,
      fallback: admin,
      processes: [otherwise(asking("财务", [lead]))],
    });
});

const aPaper = async () =>
  (await sendFile(house, clerk, { name: "凭证.pdf", bytes: aPdf(), type: "application/pdf" }, "paper10M"))
    .body.data.id;
const flowOf = (id: number) => house.did(calls.getFlow, { as: clerk }, { params: { id } });
async function decide(flowId: number, decision: Decide["decision"]) {
  const examine = await house.database.db
    .selectFrom("examine")
    .select("id")
    .where("targetKind", "=", "flow")
    .where("targetId", "=", flowId)
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  const { version } = await house.did(getExamine, { as: lead }, { params: examine });
  return house.ask(
    decideExamine,
    { as: lead, key: randomUUID() },
    { params: examine, body: { decision, version, comment: "核对" } },
  );
}
const reverse = async (id: number) =>
  house.ask(
    calls.reverseFlow,
    { as: clerk, key: randomUUID() },
    { params: { id }, body: { reason: "重复登记", version: (await flowOf(id)).version } },
  );

describe("a reversal that needs approval", () => {
  const received = () =>
    take(house, store, accounts, partyId, {
      amount: 10_000,
      channel: "cash",
      paidAt: "2026-03-20T09:00:00+08:00",
    });

  test("freezes its flow, and reverses it with the last yes", async () => {
    const { id } = (await received()) as { id: number };
    expect((await reverse(id)).body.data).toMatchObject({
      state: "confirmed",
      waiting: expect.stringMatching(/^SP/),
    });
    expect(await flowOf(id)).toMatchObject({ state: "confirmed", frozen: true });
    expect((await reverse(id)).body.message).toBe("审批中，不能修改");
    expect((await decide(id, "approve")).status).toBe(200);
    expect(await flowOf(id)).toMatchObject({ state: "reversed", frozen: false });
    expect(await bookBalance(house, "1001", store.villageId)).toBe(0);
  });

  test("refused, the flow stands; refunded meanwhile, it cannot be agreed to", async () => {
    const { id } = (await received()) as { id: number };
    await reverse(id);
    expect((await decide(id, "reject")).status).toBe(200);
    expect(await flowOf(id)).toMatchObject({ state: "confirmed", frozen: false });
    await reverse(id);
    await house.database.pool.query("update flow set refunded = 100 where id = $1", [id]);
    const late = await decide(id, "approve");
    expect([late.status, late.body.message]).toEqual([409, "该流水的款项已退款，不能冲销"]);
    expect(await flowOf(id)).toMatchObject({ state: "confirmed", frozen: true });
    await house.database.pool.query("update flow set refunded = 0 where id = $1", [id]);
    expect((await decide(id, "reject")).status).toBe(200);
  });
});

describe("a missed receipt that needs approval", () => {
  const patch = async () =>
    house.did(
      calls.addFlow,
      { as: clerk, key: randomUUID() },
      {
        body: {
          villageId: store.villageId,
          partyId,
          amount: 5_000,
          channel: "cash",
          merchantAccountId: accounts.cash,
          paidAt: "2026-03-19T09:00:00+08:00",
          fileIds: [await aPaper()],
        },
      },
    );

  test("cannot be confirmed by hand, and is on the books with the yes", async () => {
    const before = await bookBalance(house, "1001", store.villageId);
    const { id, waiting } = await patch();
    expect(waiting).toMatch(/^SP/);
    const byHand = await house.ask(
      calls.confirmFlow,
      { as: lead, key: randomUUID() },
      { params: { id }, body: {} },
    );
    expect(byHand.status).toBe(403);
    expect(await flowOf(id)).toMatchObject({ state: "approving", frozen: true });
    expect((await decide(id, "approve")).status).toBe(200);
    expect(await flowOf(id)).toMatchObject({ state: "confirmed", unallocated: 5_000 });
    expect(await bookBalance(house, "1001", store.villageId)).toBe(before + 5_000);
  });

  test("refused, it never came", async () => {
    const { id } = await patch();
    expect((await decide(id, "reject")).status).toBe(200);
    expect(await flowOf(id)).toMatchObject({ state: "rejected", reverseReason: "核对" });
  });
});

describe("the payment of a cost that needs approval", () => {
  const subject = () =>
    house.database.db
      .selectFrom("feeSubject")
      .select("id")
      .where("code", "=", "cleaningCost")
      .executeTakeFirstOrThrow();
  const spend = async () =>
    house.did(
      calls.costFlow,
      { as: clerk, key: randomUUID() },
      {
        body: {
          villageId: store.villageId,
          payeeName: "洁净保洁",
          feeSubjectId: (await subject()).id,
          periodStart: "2026-03-01",
          periodEnd: "2026-03-31",
          amount: 60_000,
          paid: true,
          channel: "bankTransfer",
          merchantAccountId: accounts.bankTransfer,
          fileIds: [await aPaper()],
        },
      },
    );
  const billOf = (id: number) => house.did(getBill, { as: clerk }, { params: { id } });

  test("is owed at once and leaves the account with the yes", async () => {
    const { id, billId, waiting } = await spend();
    expect(waiting).toMatch(/^SP/);
    expect(await billOf(billId)).toMatchObject({ status: "unpaid", outstanding: 60_000 });
    expect((await decide(id!, "approve")).status).toBe(200);
    expect(await billOf(billId)).toMatchObject({ status: "paid", outstanding: 0 });
    expect(await bookBalance(house, "2202", store.villageId)).toBe(0);
  });

  test("of a bill that was voided meanwhile cannot be agreed to", async () => {
    const { id, billId } = await spend();
    const { version } = await billOf(billId);
    const body = { reason: "登记错误", version };
    expect(
      (await house.ask(voidBill, { as: clerk, key: randomUUID() }, { params: { id: billId }, body })).status,
    ).toBe(200);
    const late = await decide(id!, "approve");
    expect([late.status, late.body.message]).toEqual([
      409,
      expect.stringMatching(/^账单 ZD.* 已作废，不能付款/),
    ]);
    expect((await decide(id!, "reject")).status).toBe(200);
    expect(await flowOf(id!)).toMatchObject({ state: "rejected" });
  });
});

test("below the condition, and where nobody configured anything, it is done at once", async () => {
  const other = await aStore(house);
  const theirs = await someAccounts(house, other);
  const cashier = await house.person({ permits: ["102.get", "#10202"], villages: [other.villageId] });
  const party = await aParty(house, "李四", { villageId: other.villageId });
  await aBill(house, other, party, { lines: [aLine("rent", 10_000)] });
  const { id } = await take(house, other, theirs, party, {
    amount: 10_000,
    channel: "cash",
    paidAt: "2026-03-20T09:00:00+08:00",
  });
  const { version } = await house.did(calls.getFlow, { as: cashier }, { params: { id: id! } });
  const done = await house.did(
    calls.reverseFlow,
    { as: cashier, key: randomUUID() },
    { params: { id: id! }, body: { reason: "重复登记", version } },
  );
  expect(done).toMatchObject({ state: "reversed", waiting: null });
});
