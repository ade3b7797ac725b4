import { afterEach, beforeAll, expect, test } from "vitest";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { recoverBill, writeOffBill } from "./writeoff.service.ts";
import { type Store, aBill, aContract, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { voidBills } from "../bill/bill.service.ts";
import { adjustLines } from "./adjust.service.ts";
import { aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { checkLedger } from "../check/check.service.ts";
import { bookCost } from "../flow/booking.service.ts";
import { freezeLateFees } from "../latefee/latefee.service.ts";

const house = await testHouse();
const { db, pool } = house.database;
let store: Store, partyId: number, contractId: number;
beforeAll(async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  store = await aStore(house);
  partyId = await aParty(house);
  contractId = await aContract(house, store, partyId);
});
afterEach(async () => {
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

/** What stands on a bill in the journal, by account: debits above nothing, credits below. */
async function books(billId: number): Promise<Record<string, Fen>> {
  const { rows } = await pool.query<{ account: string; fen: number }>(
    `select account, sum(debit - credit)::int fen from journal_line where bill_id = $1
     group by 1 having sum(debit - credit) <> 0 order by 1`,
    [billId],
  );
  return Object.fromEntries(rows.map((row) => [row.account, row.fen]));
}
const adjusted = async (billId: number, at: number, amount: Fen, kind: "adjust" | "trim" = "adjust") => {
  const [bill] = await readBills({ tx: db }, [billId]);
  await acting(house, (act) =>
    adjustLines(act, [{ lineId: bill!.lines[at]!.id, amount, reason: "调整", kind }]),
  );
};
const written = (billId: number) => acting(house, (act) => writeOffBill(act, billId, "失联"));
const once = { slices: [] };
const old = { dueDate: "2025-12-01", periodEnd: "2025-12-31", lateFeeRate: "0" };
const openingBill = () =>
  aBill(house, store, partyId, {
    contractId,
    source: "opening",
    openedOn: "2026-03-20",
    dueDate: "2026-03-01",
    lines: [aLine("rent", 100_000, once)],
  });

test("arrears from before the take-over are corrected against 期初, their late fee against its income", async () => {
  // the contract has deferred income of its own, which nothing of this touches
  const own = await aBill(house, store, partyId, { contractId, dueDate: "2026-03-20" });
  const id = await openingBill();
  await adjusted(id, 0, -30_000);
  expect(await books(id)).toEqual({ "1122": 70_000, "3999": -70_000 });
  await adjusted(id, 0, -10_000, "trim");
  await adjusted(id, 0, 40_000);
  expect(await books(id)).toEqual({ "1122": 100_000, "3999": -100_000 });
  await acting(house, async (act) => {
    await freezeLateFees(act, await lockBills(act, [id]), act.today, await aroundOf(act, [store.villageId]));
  });
  // 600.00 × 0.05% × 16 days: what was added today bears nothing yet; 7 of it are tax
  expect(await books(id)).toEqual({ "1122": 100_480, "2222": -7, "3999": -100_000, "6052": -473 });
  await adjusted(id, (await readBills({ tx: db }, [id]))[0]!.lines.length - 1, -480);
  expect(await books(id)).toEqual({ "1122": 100_000, "3999": -100_000 });
  expect(await books(own)).toEqual({ "1122": 300_000, "2204": -300_000 });
  await acting(house, (act) => voidBills(act, [id], "导入有误"));
  expect(await books(id)).toEqual({});
});

test("what we owe is corrected against its cost", async () => {
  const { id: feeSubjectId } = await db
    .selectFrom("feeSubject")
    .select("id")
    .where("code", "=", "cleaningCost")
    .executeTakeFirstOrThrow();
  const month = { periodStart: "2025-12-01", periodEnd: "2025-12-31", dueDate: "2026-03-20" };
  const of = { villageId: store.villageId, payeeName: "洁净保洁", feeSubjectId, amount: 9_000, ...month };
  const { id } = await acting(house, (act) => bookCost(act, of));
  await adjusted(id, 0, -2_000);
  expect(await books(id)).toEqual({ "2202": -7_000, "6401": 7_000 });
  // nobody owes it to us, so there is nothing to give up
  await expect(written(id)).rejects.toThrow("应付账单不能核销，请调整或作废");
  await acting(house, (act) => voidBills(act, [id], "登记错误"));
  expect(await books(id)).toEqual({});
  const { rows } = await house.database.pool.query(
    `select distinct e.event, e.side from journal_entry e join journal_line l on l.entry_id = e.id where l.bill_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ event: "E25", side: "cost" }]);
});

test.each([
  ["rent", { "2204": -5_000, "6701": 5_000 }],
  ["deposit", {}],
  ["electric", {}],
])("a write-off of %s takes away what was posted; only income is lost", async (subject, left) => {
  const id = await aBill(house, store, partyId, { ...old, contractId, lines: [aLine(subject, 5_000, once)] });
  const before = await books(id);
  await written(id);
  expect(await books(id)).toEqual(left);
  await acting(house, async (act) => recoverBill(act, (await lockBills(act, [id]))[0]!, "找到租客"));
  expect(await books(id)).toEqual(before);
});
