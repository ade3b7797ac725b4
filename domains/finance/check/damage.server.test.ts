import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { voidBill } from "../bill-acts/acts.contract.ts";
import { aBill, aContract, aLine, aParty, aStore, bookBalance, type Store } from "../bill/bill.sample.ts";
import { voidBills } from "../bill/bill.service.ts";
import { readBills } from "../bill/bills.queries.ts";
import * as acts from "../flow/flow.contract.ts";
import { billEarnest, forfeitEarnest, freeEarnest } from "../earnest/earnest.service.ts";
import { someAccounts, take, type Accounts } from "../flow/flow.sample.ts";
import { credit, debit, type Entry, type Leg } from "../journal/journal.rules.ts";
import { post } from "../journal/journal.service.ts";
import { holdingOf } from "../refund/held.queries.ts";
import { checked } from "./check.sample.ts";

const house = await testHouse();
// what the product may not do to its tables, their owner may
const { db, owner: pool } = house.database;
let store: Store, accounts: Accounts, partyId: number, clerk: Person;
beforeAll(async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  store = await aStore(house);
  accounts = await someAccounts(house, store);
  const permits = ["26.get", "#2602", "102.get", "#10202", "#10203", "#6501"];
  clerk = await house.person({ superType: "1", permits, villages: [store.villageId] });
});
beforeEach(async () => {
  partyId = await aParty(house, "张三", { villageId: store.villageId });
});

/** Codes of the checks that broke, each with the records it names. */
async function broken(): Promise<Record<string, string[]>> {
  const { breaks } = await checked(house, clerk);
  const byCode = Map.groupBy(breaks, (b) => b.code);
  return Object.fromEntries([...byCode].map(([code, of]) => [code, of.map((b) => b.key).toSorted()]));
}
const billOf = async (id: number) => (await readBills({ tx: db }, [id]))[0]!;
const prepaid = async () =>
  (
    await db
      .selectFrom("partyBalance")
      .select("balance")
      .where("partyId", "=", partyId)
      .executeTakeFirstOrThrow()
  ).balance;

/** What the product did before a void bill was closed: the guards sleep while it is done. */
const GUARDS = {
  bill: "bill_void_guard",
  bill_line: "bill_line_void_guard",
  allocation: "allocation_on_void",
  journal_line: "journal_line_on_void",
};
async function unguarded(damage: () => Promise<unknown>): Promise<void> {
  const all = (what: "disable" | "enable") =>
    Promise.all(
      Object.entries(GUARDS).map(([table, name]) =>
        pool.query(`alter table ${table} ${what} trigger ${name}`),
      ),
    );
  await all("disable");
  await damage();
  await all("enable");
}
const entry = (of: Pick<Entry, "event" | "sourceType" | "sourceId">, legs: Leg[]): Entry => ({
  ...of,
  businessDate: "2026-03-20",
  legs,
});

/** Pays a void bill out of a flow with money left, as the old code did. */
async function paidThoughItIsVoid(id: number, flowId: number): Promise<string> {
  await acting(house, (act) => voidBills(act, [id], "录错"));
  const bill = await billOf(id);
  const line = bill.lines[0]!;
  const amount = line.amount;
  const earnest = bill.source === "reservation";
  const deposit = bill.contractId !== null;
  const of = { billId: id, billLineId: line.id, partyId, contractId: bill.contractId, flowId };
  await unguarded(() =>
    acting(house, async (act) => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into allocation (bill_id, bill_line_id, flow_id, village_id, amount, date)
         values ($1, $2, $3, $4, $5, '2026-03-20') returning id`,
        [id, line.id, flowId, store.villageId, amount],
      );
      const { villageId } = store;
      const legs = [debit("2203", villageId, amount, of), credit("1122", villageId, amount, of)];
      if (deposit || earnest)
        legs.push(debit("2205", villageId, amount, of), credit("2241", villageId, amount, of));
      await post(act, [entry({ event: "E08", sourceType: "allocation", sourceId: rows[0]!.id }, legs)]);
      for (const text of [
        `update bill set settled = ${amount} where id = ${id}`,
        `update bill_line set settled = ${amount} where id = ${line.id}`,
        `update flow set allocated = ${amount} where id = ${flowId}`,
        `update party_balance set balance = balance - ${amount} where party_id = ${partyId}`,
        deposit
          ? `insert into deposit_balance (contract_id, village_id, held) values (${bill.contractId}, ${villageId}, ${amount})`
          : earnest
            ? `insert into earnest_balance (bill_id, village_id, held) values (${id}, ${villageId}, ${amount})`
            : "select 1",
      ])
        await pool.query(text);
    }),
  );
  return bill.billNo;
}
const prepay = async (amount: number) =>
  (
    await take(house, store, accounts, partyId, {
      amount,
      channel: "cash",
      paidAt: "2026-03-20T09:00:00+08:00",
    })
  ).id!;
const flowVersion = async (id: number) =>
  (await db.selectFrom("flow").select("version").where("id", "=", id).executeTakeFirstOrThrow()).version;

test("a void bill that was paid is named; its payment taken back, the money is the payer's again", async () => {
  const flowId = await prepay(50_000);
  const id = await aBill(house, store, partyId, { lines: [aLine("rent", 50_000)] });
  const billNo = await paidThoughItIsVoid(id, flowId);
  expect((await broken())["C12"]).toEqual([`${billNo} 已收`, `${billNo} 应收账款`, `${billNo} 预存款`]);
  const { id: allocationId } = await db
    .selectFrom("allocation")
    .select("id")
    .where("billId", "=", id)
    .executeTakeFirstOrThrow();
  const params = { id: flowId, allocationId };
  await house.did(acts.undoAllocation, { as: clerk, key: randomUUID() }, { params });
  expect(await broken()).toEqual({});
  expect([await prepaid(), (await billOf(id)).settled]).toEqual([50_000, 0]);
});

test("or the flow itself is reversed, a deposit of a void contract with it, each step in the journal", async () => {
  const cash = await bookBalance(house, "1001");
  const flowId = await prepay(80_000);
  const contractId = await aContract(house, store, partyId, { no: "HT20260320-000009" });
  const lines = [aLine("deposit", 80_000, { slices: [] })];
  const id = await aBill(house, store, partyId, { contractId, lines });
  const billNo = await paidThoughItIsVoid(id, flowId);
  expect((await broken())["C12"]).toContain(`${billNo} 押金`);
  const body = { reason: "账单已作废", version: await flowVersion(flowId) };
  await house.did(acts.reverseFlow, { as: clerk, key: randomUUID() }, { params: { id: flowId }, body });
  expect(await broken()).toEqual({});
  expect(await bookBalance(house, "1001")).toBe(cash);
  const { held } = await db
    .selectFrom("depositBalance")
    .select("held")
    .where("contractId", "=", contractId)
    .where("kind", "=", "deposit")
    .executeTakeFirstOrThrow();
  expect([await prepaid(), held, (await billOf(id)).settled]).toEqual([0, 0, 0]);
  const { rows } = await pool.query<{ event: string }>(
    "select event from journal_entry where source_id = $1 and source_type = 'flow' or id in (select entry_id from journal_line where bill_id = $2) order by id",
    [flowId, id],
  );
  expect(rows.map((r) => r.event)).toEqual(["E06", "E02", "E05", "E08", "E09", "E10"]);
});

test("earnest money on a void bill is neither forfeited nor given back before it is free again", async () => {
  const flowId = await prepay(60_000);
  const of = { villageId: store.villageId, roomId: store.roomId, partyId, sourceId: 1, amount: 60_000 };
  const { id } = await acting(house, (act) =>
    billEarnest(act, { ...of, dueDate: "2026-03-20", title: "定金" }),
  );
  const why = `定金账单 ${await paidThoughItIsVoid(id, flowId)} 已作废，请先撤销其收款分配`;
  await expect(acting(house, (act) => forfeitEarnest(act, id, "没收"))).rejects.toThrow(why);
  const holding = { source: "earnest" as const, sourceId: id, villageId: store.villageId };
  await expect(holdingOf({ tx: db }, holding)).rejects.toThrow(why);
  expect(await acting(house, (act) => freeEarnest(act, id, "转出"))).toEqual([{ flowId, amount: 60_000 }]);
  expect(await broken()).toEqual({});
  expect(await prepaid()).toBe(60_000);
});

test("arrears from before the take-over that were taken off deferred income are named, and right once voided", async () => {
  const contractId = await aContract(house, store, partyId, { no: "HT20260320-000010" });
  const opening = {
    contractId,
    source: "opening" as const,
    openedOn: "2026-03-20",
    lines: [aLine("rent", 50_000, { slices: [] })],
  };
  const id = await aBill(house, store, partyId, opening);
  const { billNo, lines } = await billOf(id);
  const of = { billId: id, billLineId: lines[0]!.id, partyId, contractId };
  await acting(house, async (act) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into bill_line (bill_id, fee_subject_id, kind, amount, adjusts_line_id)
       values ($1, $2, 'adjust', -10000, $3) returning id`,
      [id, lines[0]!.feeSubjectId, lines[0]!.id],
    );
    const legs = [debit("1122", store.villageId, -10_000, of), credit("2204", store.villageId, -10_000, of)];
    await post(act, [entry({ event: "E04", sourceType: "billLine", sourceId: rows[0]!.id }, legs)]);
    await pool.query("update bill_line set adjusted = -10000 where id = $1", [lines[0]!.id]);
    await pool.query("update bill set adjusted = -10000 where id = $1", [id]);
    await pool.query("update contract_money set billed = 40000, outstanding = 40000 where contract_id = $1", [
      contractId,
    ]);
  });
  const income = [expect.stringMatching(/ 出账$/)];
  expect(await broken()).toEqual({ C13: ["HT20260320-000010"], C14: [billNo], T04: income });
  const body = { reason: "科目有误", version: (await billOf(id)).version };
  await house.did(voidBill, { as: clerk, key: randomUUID() }, { params: { id }, body });
  expect(await broken()).toEqual({});
});

test("deferred income from before its contract is named, and a bill on a void contract", async () => {
  const no = "HT20260320-000011";
  const contractId = await aContract(house, store, partyId, { no });
  const id = await aBill(house, store, partyId, { contractId, dueDate: "2026-03-20" });
  await db.updateTable("contract").set({ signedOn: "2026-03-21" }).where("id", "=", contractId).execute();
  expect(await broken()).toEqual({ C13: [`${no} 早于合同`] });
  await db
    .updateTable("contract")
    .set({ signedOn: "2026-03-20", state: "voided" })
    .where("id", "=", contractId)
    .execute();
  expect(await broken()).toEqual({ C12: [`${(await billOf(id)).billNo} 合同已作废`] });
  await acting(house, (act) => voidBills(act, [id], "合同已作废"));
  expect(await broken()).toEqual({});
});
