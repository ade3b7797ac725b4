import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { type Decide, decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { issueBill, voidBill } from "../bill-acts/acts.contract.ts";
import { issueDue } from "../bill-acts/change.service.ts";
import { checkLedger } from "../check/check.service.ts";
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
    permits: "26.get 26.edit #2602 102.query 102.get 102.add #10201 #10202 #10203".split(" "),
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
async function decide(targetId: number, decision: Decide["decision"], kind = "flow") {
  const examine = await house.database.db
    .selectFrom("examine")
    .select("id")
    .where("targetKind", "=", kind)
    .where("targetId", "=", targetId)
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

describe("a cost that needs approval", () => {
  const subject = () =>
    house.database.db
      .selectFrom("feeSubject")
      .select("id")
      .where("code", "=", "cleaningCost")
      .executeTakeFirstOrThrow();
  const spend = async (more: object) =>
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
          fileIds: [await aPaper()],
          ...more,
        } as never,
      },
    );
  const paid = () => spend({ paid: true, channel: "bankTransfer", merchantAccountId: accounts.bankTransfer });
  const later = () => spend({ paid: false, dueDate: "2026-04-10" });
  const billOf = (id: number) => house.did(getBill, { as: clerk }, { params: { id } });
  const owed = () => bookBalance(house, "6401", store.villageId);
  const sound = async () =>
    expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);

  test("that is paid is owed and leaves the account with the yes, no sooner", async () => {
    const before = await owed();
    const { id, billId, waiting } = await paid();
    expect(waiting).toMatch(/^SP/);
    expect(await billOf(billId)).toMatchObject({ status: "unpaid", issuedAt: null });
    await acting(house, (act) => issueDue(act));
    expect([await owed(), await bookBalance(house, "2202", store.villageId)]).toEqual([before, 0]);
    const { version } = await billOf(billId);
    const issued = await house.ask(
      issueBill,
      { as: clerk, key: randomUUID() },
      { params: { id: billId }, body: { version } },
    );
    expect(issued.body.message).toBe("应付账单在审批通过后入账");
    await sound();
    expect((await decide(id!, "approve")).status).toBe(200);
    expect(await billOf(billId)).toMatchObject({ status: "paid", outstanding: 0, issueDate: "2026-03-20" });
    expect([await owed(), await bookBalance(house, "2202", store.villageId)]).toEqual([before + 60_000, 0]);
    await sound();
  });

  test("that is paid later waits by itself, is frozen and not paid, and is owed with the yes", async () => {
    const before = await owed();
    const { id, billId, waiting } = await later();
    expect([id, waiting]).toEqual([null, expect.stringMatching(/^SP/)]);
    expect(await owed()).toBe(before);
    const pay = async () =>
      house.ask(
        calls.payFlow,
        { as: clerk, key: randomUUID() },
        {
          body: {
            billId,
            amount: 60_000,
            channel: "bankTransfer",
            merchantAccountId: accounts.bankTransfer,
            fileIds: [await aPaper()],
          },
        },
      );
    expect((await pay()).body.message).toBe("应付账单审批中，通过后才能付款");
    const { version } = await billOf(billId);
    const sent = { params: { id: billId }, body: { reason: "登记错误", version } };
    const voided = await house.ask(voidBill, { as: clerk, key: randomUUID() }, sent);
    expect(voided.body.message).toBe("审批中，不能修改");
    expect((await decide(billId, "approve", "bill")).status).toBe(200);
    expect(await billOf(billId)).toMatchObject({ status: "unpaid", outstanding: 60_000 });
    expect(await owed()).toBe(before + 60_000);
    expect((await pay()).body.data).toMatchObject({ waiting: expect.stringMatching(/^SP/) });
    await sound();
  });

  test("refused, it was never owed and its bill is void", async () => {
    const before = await owed();
    const [one, two] = [await paid(), await later()];
    expect((await decide(one.id!, "reject")).status).toBe(200);
    expect((await decide(two.billId, "reject", "bill")).status).toBe(200);
    expect(await flowOf(one.id!)).toMatchObject({ state: "rejected" });
    for (const { billId } of [one, two]) expect(await billOf(billId)).toMatchObject({ status: "void" });
    expect(await owed()).toBe(before);
    await sound();
  });

  test("of a bill that was voided meanwhile cannot be agreed to", async () => {
    const { id, billId } = await paid();
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
