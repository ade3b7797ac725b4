import { beforeAll, describe, expect, test } from "vitest";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { refusalOf } from "../../../platform/server/database/constraints.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { credit, debit } from "../journal/journal.rules.ts";
import { post } from "../journal/journal.service.ts";
import { voidBills } from "./bill.service.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { aBill, aParty, aStore, type Store } from "./bill.sample.ts";
import { readBills } from "./bills.queries.ts";
import type { Bill } from "./bill.rules.ts";
import { writeOffBill } from "../bill-acts/writeoff.service.ts";

const house = await testHouse();
const { db, pool } = house.database;
let store: Store, gone: Bill, open: Bill;
beforeAll(async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  store = await aStore(house);
  const partyId = await aParty(house);
  const ids = [await aBill(house, store, partyId), await aBill(house, store, partyId)];
  await acting(house, (act) => voidBills(act, [ids[0]!], "录错"));
  [gone, open] = (await readBills({ tx: db }, ids)) as [Bill, Bill];
});

describe("the database itself takes nothing more for what is void", () => {
  const lineOf = (bill: Bill) => bill.lines[0]!.id;
  test.each([
    ["settled", () => pool.query("update bill set settled = settled + 1 where id = $1", [gone.id])],
    ["written off", () => pool.query("update bill set written_off = 1 where id = $1", [gone.id])],
    ["adjusted", () => pool.query("update bill set adjusted = adjusted - 1 where id = $1", [gone.id])],
    ["restored", () => pool.query("update bill set voided_at = null where id = $1", [gone.id])],
    ["a line settled", () => pool.query("update bill_line set settled = 1 where id = $1", [lineOf(gone)])],
    [
      "a line reopened",
      () => pool.query("update bill_line set voided = false where id = $1", [lineOf(gone)]),
    ],
    [
      "a line added",
      () =>
        pool.query(
          "insert into bill_line (bill_id, fee_subject_id, kind, amount) select bill_id, fee_subject_id, 'adjust', -1 from bill_line where id = $1",
          [lineOf(gone)],
        ),
    ],
    [
      "allocated",
      () =>
        pool.query(
          "insert into allocation (bill_id, bill_line_id, village_id, amount, date) values ($1, $2, $3, 1, '2026-03-20')",
          [gone.id, lineOf(gone), store.villageId],
        ),
    ],
    [
      "booked",
      () =>
        acting(house, (act) => {
          const dims = { billId: gone.id };
          const legs = [debit("1122", store.villageId, 1, dims), credit("2204", store.villageId, 1, dims)];
          const source = { sourceType: "bill", sourceId: gone.id, businessDate: act.today };
          return post(act, [{ ...source, event: "E01", seq: 9, legs }]);
        }),
    ],
  ])("%s", async (_what, act) => {
    const error = await act().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ constraint: "bill_void" });
    // in a race it reads as a sentence
    expect(refusalOf(error)).toBeInstanceOf(Refusal);
  });

  test("and what is paid does not become void", async () => {
    await expect(
      pool.query("update bill set settled = 1, voided_at = now() where id = $1", [open.id]),
    ).rejects.toMatchObject({ constraint: "bill_void_paid" });
  });
});

test("acts on it are refused with a sentence", async () => {
  const said = (act: Promise<unknown>) => act.catch((error: Refusal) => error.message);
  const trim = { lineId: gone.lines[0]!.id, amount: -1, reason: "调整" };
  expect(await said(acting(house, (act) => adjustLines(act, [trim])))).toBe("账单已作废，不能调整");
  expect(await said(acting(house, (act) => adjustLines(act, [{ ...trim, kind: "trim" }])))).toBe(
    "账单已作废，不能调整",
  );
  expect(await said(acting(house, (act) => writeOffBill(act, gone.id, "失联")))).toBe("账单已作废");
  expect(await said(acting(house, (act) => voidBills(act, [gone.id], "再次")))).toBe("账单已作废");
});
