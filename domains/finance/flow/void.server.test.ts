import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, bookBalance } from "../bill/bill.sample.ts";
import { voidBills } from "../bill/bill.service.ts";
import { issueDue } from "../bill-acts/change.service.ts";
import { readBills } from "../bill/bills.queries.ts";
import { checkLedger } from "../check/check.service.ts";
import { payFromPrepaid } from "../earnest/earnest.service.ts";
import * as acts from "./flow.contract.ts";
import { getFlow } from "./flow.contract.ts";
import { bookCost } from "./booking.service.ts";
import { aCounter } from "./flow.sample.ts";
import { previewFlow, receiveFlow } from "./receive.contract.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
const at = await aCounter(house);
const { store, accounts, cashier, second, partyId, receipt, refused } = at;
const { db } = house.database;
const bank = { channel: "bankTransfer" as const, merchantAccountId: accounts.bankTransfer };

const aRent = async (fen: number, more: object = {}) => {
  const id = await aBill(house, store, partyId, {
    dueDate: "2026-03-20",
    lines: [aLine("rent", fen)],
    ...more,
  });
  return { id, billNo: (await at.bill(id)).billNo };
};
const voided = (...ids: number[]) => acting(house, (act) => voidBills(act, ids, "录错"));
const flowOf = (id: number) => house.did(getFlow, { as: second }, { params: { id } });
const prepaid = async () =>
  (
    await db
      .selectFrom("partyBalance")
      .select("balance")
      .where("partyId", "=", partyId)
      .where("kind", "=", "prepaid")
      .executeTakeFirst()
  )?.balance ?? 0;
const no = (message: string) => ({ status: 409, message });
const gone = (billNo: string) => no(`账单 ${billNo} 已作废，不能收款，请去掉后重新核对`);

afterEach(async () => {
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

test("what is void has nothing open, on the bill and on its lines", async () => {
  const { id } = await aRent(50_000);
  await voided(id);
  const [bill] = await readBills({ tx: db }, [id]);
  expect(bill).toMatchObject({ status: "void", outstanding: 0, lines: [{ outstanding: 0 }] });
});

describe("money at the counter", () => {
  test("is not taken for a void bill, neither tried nor booked", async () => {
    const { id, billNo } = await aRent(50_000);
    const body = await receipt([id], 50_000);
    await voided(id);
    const cash = await bookBalance(house, "1001");
    expect(await refused(previewFlow, cashier, { body })).toEqual(gone(billNo));
    const sent = { ...body, previewHash: "-", exact: true };
    expect(await refused(receiveFlow, cashier, { body: sent })).toEqual(gone(billNo));
    expect(await bookBalance(house, "1001")).toBe(cash);
  });

  test("is not taken for a bill that was voided between the trial and the taking, and no new trial pays it", async () => {
    const [kept, lost] = [await aRent(20_000), await aRent(30_000)];
    const body = await receipt([kept.id, lost.id], 50_000);
    const { hash } = await house.did(previewFlow, { as: cashier }, { body });
    await voided(lost.id);
    const { status, body: said } = await house.ask(
      receiveFlow,
      { as: cashier, key: randomUUID() },
      { body: { ...body, previewHash: hash } },
    );
    expect({ status, message: said.message }).toEqual(gone(lost.billNo));
    expect([said.reason, said.data]).toEqual(["billVoid", null]);
    expect(await at.bill(kept.id)).toMatchObject({ settled: 0 });
  });

  test("that is prepaid pays no void bill either, by hand or by itself", async () => {
    const { id: flowId } = await at.taken(await receipt([], 40_000));
    const { id, billNo } = await aRent(40_000);
    const wants = (await receipt([id], 40_000)).wants.map((w) => ({ ...w, amount: 40_000 }));
    await voided(id);
    const sent = { params: { id: flowId! }, body: { wants } };
    expect(await refused(acts.allocateFlow, cashier, sent)).toEqual(gone(billNo));
    expect(await acting(house, (act) => payFromPrepaid(act, id))).toBe(0);
    expect(await flowOf(flowId!)).toMatchObject({ allocated: 0, unallocated: 40_000 });
  });
});

describe("a transfer that waits", () => {
  const waiting = async (bills: number[], fen: number, amount?: number) => {
    const body = await receipt(bills, fen);
    const wants = body.wants.map((want) => ({ ...want, ...(amount && { amount }) }));
    return (await at.taken({ ...body, ...bank, wants } as never)).id!;
  };
  const confirming = (id: number, previewHash?: string) =>
    house.ask(
      acts.confirmFlow,
      { as: second, key: randomUUID() },
      { params: { id }, body: { ...(previewHash && { previewHash }) } },
    );

  test.each([
    ["a bill", async () => aRent(60_000)],
    [
      "a deposit",
      async () => {
        const contractId = await aContract(house, store, partyId);
        return aRent(0, { contractId, lines: [aLine("deposit", 60_000, { slices: [] })] });
      },
    ],
    ["a bill by hand-laid amounts", async () => aRent(60_000), 60_000],
  ] as const)(
    "for %s that was voided becomes the payer's prepayment, and says so",
    async (_what, make, laid?) => {
      const { id, billNo } = await make();
      const flowId = await waiting([id], 60_000, laid);
      await voided(id);
      const before = await prepaid();
      const shown = await house.did(acts.previewConfirm, { as: second }, { params: { id: flowId } });
      expect(shown).toMatchObject({ rows: [], paid: 0, toPrepaid: 60_000, voided: [{ billId: id, billNo }] });
      const said = `账单 ${billNo} 已作废，对应款项转入预存款，请核对后重新确认`;
      const asked = await confirming(flowId);
      expect([asked.status, asked.body.message]).toEqual([409, said]);
      expect(asked.body.data).toMatchObject({ hash: shown.hash });
      const batch = await refused(acts.confirmBatch, second, { body: { ids: [flowId] } });
      expect(batch).toEqual(no(`${(await flowOf(flowId)).flowNo}：${said}`));
      expect((await confirming(flowId, shown.hash)).status).toBe(200);
      expect(await flowOf(flowId)).toMatchObject({ state: "confirmed", allocated: 0, unallocated: 60_000 });
      expect(await prepaid()).toBe(before + 60_000);
      expect(await at.bill(id)).toMatchObject({ settled: 0 });
    },
  );

  test("to pay a cost that was voided is refused, in the trial as in the act", async () => {
    const subject = await at.subject("cleaningCost");
    const month = { periodStart: "2026-03-01", periodEnd: "2026-03-31", dueDate: "2026-04-10" };
    const cost = await acting(house, (act) =>
      bookCost(act, {
        villageId: store.villageId,
        payeeName: "洁净保洁",
        feeSubjectId: subject,
        amount: 9_000,
        ...month,
      }),
    );
    const body = {
      villageId: store.villageId,
      direction: "out" as const,
      billId: cost.id,
      amount: 9_000,
      ...bank,
      paidAt: "2026-03-18T09:00:00+08:00",
      fileIds: [await at.paper(cashier)],
    };
    const { id } = await house.did(acts.addFlow, { as: cashier }, { body: body as never });
    await voided(cost.id);
    const why = no(`账单 ${cost.billNo} 已作废，不能付款，请驳回该流水，重新登记成本后付款`);
    expect(await refused(acts.previewConfirm, second, { params: { id } })).toEqual(why);
    expect(await refused(acts.confirmFlow, second, { params: { id }, body: {} })).toEqual(why);
    await house.did(acts.rejectFlow, { as: second }, { params: { id }, body: { reason: "账单作废" } });
  });
});

test("a plan that earlier money pays enters the ledger on the day it was made, never before its contract", async () => {
  const early = { paidAt: "2026-03-02T09:00:00+08:00" };
  await at.taken(await receipt([], 30_000, early));
  const contractId = await aContract(house, store, partyId, { no: "HT20260320-000001" });
  await db.updateTable("contract").set({ signedOn: "2026-03-20" }).where("id", "=", contractId).execute();
  const plan = await aRent(30_000, { contractId, dueDate: "2026-04-01" });
  await acting(house, (act) => issueDue(act));
  expect(await acting(house, (act) => payFromPrepaid(act, plan.id))).toBe(30_000);
  expect(await at.bill(plan.id)).toMatchObject({ status: "paid", issueDate: "2026-03-20" });
});
