import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { setBilling } from "../setting/setting.service.ts";
import { aBill, aContract, aLine, aNewBill, aParty, aStore, bookBalance } from "./bill.sample.ts";
import { billsOfContract, makeBills, voidBills } from "./bill.service.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { issueDue } from "../bill-acts/change.service.ts";
import { readBills } from "./bills.queries.ts";

const house = await testHouse();
house.setClock("2026-03-10T10:00:00+08:00");
const { db, pool } = house.database;
const store = await aStore(house);
const partyId = await aParty(house);
const contractId = await aContract(house, store, partyId);

const money = async () =>
  db.selectFrom("contractMoney").selectAll().where("contractId", "=", contractId).executeTakeFirst();

describe("bills that are made", () => {
  test("enter the ledger when their day has come; later ones wait as a plan", async () => {
    const made = await acting(house, (act) =>
      makeBills(act, [
        aNewBill(store, partyId, {
          contractId,
          dueDate: "2026-03-10",
          lines: [
            aLine("rent", 300_000),
            aLine("property", 10_000),
            aLine("deposit", 300_000, { slices: [] }),
          ],
        }),
        aNewBill(store, partyId, { contractId, dueDate: "2026-04-10" }),
      ]),
    );
    expect(made.map((b) => b.billNo)).toEqual(["ZD20260310-000001", "ZD20260310-000002"]);
    const [first, second] = await billsOfContract({ tx: db }, contractId);
    expect(first).toMatchObject({
      amount: 610_000,
      outstanding: 610_000,
      status: "unpaid",
      issueDate: "2026-03-10",
    });
    expect(first!.issuedAt).not.toBeNull();
    expect(first!.lines.map((l) => l.tax)).toEqual([4286, 566, 0]);
    expect(second).toMatchObject({ issuedAt: null, issueDate: "2026-04-10" });
    expect(await bookBalance(house, "1122")).toBe(610_000);
    expect(await bookBalance(house, "2204")).toBe(-310_000);
    expect(await bookBalance(house, "2205")).toBe(-300_000);
    expect(await money()).toMatchObject({
      billed: 610_000,
      outstanding: 610_000,
      received: 0,
      nextDueOn: "2026-03-10",
      nextDueFen: 610_000,
    });
  });

  test("carry a discount as a line that lowers what is to be paid and its tax", async () => {
    const id = await aBill(house, store, partyId, {
      lines: [
        aLine("rent", 300_000),
        aLine("rent", -15_000, { kind: "adjust", reason: "新客95折" }),
        aLine("cleaning", 5_000),
      ],
    });
    const [bill] = await readBills({ tx: db }, [id]);
    expect(bill).toMatchObject({ amount: 305_000, adjusted: -15_000, outstanding: 290_000 });
    expect(bill!.lines.map((l) => [l.kind, l.amount, l.tax, l.outstanding])).toEqual([
      ["normal", 300_000, 4286, 285_000],
      ["adjust", -15_000, -215, 0],
      ["normal", 5_000, 283, 5_000],
    ]);
  });

  test("cannot be discounted below nothing", async () => {
    const bill = aNewBill(store, partyId, {
      lines: [aLine("rent", 10_000), aLine("rent", -10_001, { kind: "adjust", reason: "减免" })],
    });
    await expect(acting(house, (act) => makeBills(act, [bill]))).rejects.toThrow("减免金额不能大于费用金额");
  });

  test("are issued some days ahead where the setting says so", async () => {
    const ahead = await aStore(house);
    await setBilling(
      { tx: db },
      { enterpriseId: house.enterpriseId, villageId: ahead.villageId },
      { issueLeadDays: 7 },
    );
    const [soon, later] = [
      await aBill(house, ahead, partyId, { dueDate: "2026-03-17" }),
      await aBill(house, ahead, partyId, { dueDate: "2026-03-18" }),
    ];
    const bills = await readBills({ tx: db }, [soon, later]);
    expect(bills.map((b) => [b.issueDate, b.issuedAt !== null])).toEqual([
      ["2026-03-10", true],
      ["2026-03-11", false],
    ]);
  });
});

test("the nightly issue takes each planned bill once, dated its own issue day, also days it missed", async () => {
  const id = await aBill(house, store, partyId, { dueDate: "2026-03-12" });
  house.setClock("2026-03-14T00:10:00+08:00");
  const issued = [];
  for (let n = 1; n; issued.push(n)) n = await acting(house, (act) => issueDue(act, 1));
  const [bill] = await readBills({ tx: db }, [id]);
  expect(bill!.issuedAt).not.toBeNull();
  const { rows } = await pool.query(
    "select event, date from journal_entry where source_type = 'bill' and source_id = $1",
    [id],
  );
  expect(rows).toEqual([{ event: "E01", date: "2026-03-12" }]);
  expect(await acting(house, (act) => issueDue(act))).toBe(0);
  house.setClock("2026-03-10T10:00:00+08:00");
});

describe("a bill", () => {
  test("that is voided leaves nothing on the ledger", async () => {
    const before = await bookBalance(house, "1122");
    const id = await aBill(house, store, partyId, { lines: [aLine("rent", 120_000), aLine("key", 5_000)] });
    const [bill] = await readBills({ tx: db }, [id]);
    await acting(house, (act) =>
      adjustLines(act, [{ lineId: bill!.lines[0]!.id, amount: -20_000, reason: "协商减免" }]),
    );
    expect(await bookBalance(house, "1122")).toBe(before + 105_000);
    await acting(house, (act) => voidBills(act, [id], "录入错误"));
    expect(await bookBalance(house, "1122")).toBe(before);
    const [gone] = await readBills({ tx: db }, [id]);
    expect(gone).toMatchObject({ status: "void", outstanding: 0 });
    await expect(acting(house, (act) => voidBills(act, [id], "再作废"))).rejects.toThrow("账单已作废");
  });

  test("that is adjusted shows the correction as a line of its own with its tax and months", async () => {
    const id = await aBill(house, store, partyId);
    const [bill] = await readBills({ tx: db }, [id]);
    await acting(house, (act) =>
      adjustLines(act, [{ lineId: bill!.lines[0]!.id, amount: -15_000, reason: "维修补偿" }]),
    );
    const [after] = await readBills({ tx: db }, [id]);
    expect(after).toMatchObject({
      amount: 300_000,
      adjusted: -15_000,
      outstanding: 285_000,
      version: bill!.version + 1,
    });
    expect(after!.lines[1]).toMatchObject({
      kind: "adjust",
      tax: -215,
      slices: [{ from: "2026-03-01", to: "2026-03-31", amount: -15_000 }],
    });
    await expect(
      acting(house, (act) =>
        adjustLines(act, [{ lineId: bill!.lines[0]!.id, amount: -285_001, reason: "过多" }]),
      ),
    ).rejects.toThrow("减免金额不能大于费用金额");
  });
});

test("in a locked month the entry moves to the first open one and keeps its business date", async () => {
  const locked = await aStore(house);
  await pool.query("insert into period_lock (village_id, month, side) values ($1, '2026-03', 'income')", [
    locked.villageId,
  ]);
  const id = await aBill(house, locked, partyId);
  const { rows } = await pool.query(
    "select date, business_date from journal_entry where source_type = 'bill' and source_id = $1",
    [id],
  );
  expect(rows).toEqual([{ date: "2026-04-01", business_date: "2026-03-10" }]);
});

describe("the database", () => {
  test("refuses to change or delete what is posted", async () => {
    for (const sentence of [
      "update journal_line set debit = debit + 1",
      "delete from journal_line",
      "update journal_entry set memo = 'x'",
      "delete from journal_entry",
    ])
      await expect(house.database.owner.query(sentence)).rejects.toThrow("append-only");
  });

  test("refuses an entry that does not balance, in itself or within a village", async () => {
    const other = await aStore(house);
    for (const lines of [
      [[store.villageId, 100, 0]],
      [
        [store.villageId, 100, 0],
        [other.villageId, 0, 100],
      ],
    ]) {
      const client = await pool.connect();
      await client.query("begin");
      const { rows } = await client.query<{ id: number }>(
        `insert into journal_entry (entry_no, event, side, date, business_date, source_type, source_id)
         values (gen_random_uuid()::text, 'E01', 'income', '2026-03-10', '2026-03-10', 'test', 1) returning id`,
      );
      for (const [i, [village, debit, credit]] of lines.entries())
        await client.query(
          `insert into journal_line (entry_id, seq, date, village_id, account, debit, credit)
           values ($1, $2, '2026-03-10', $3, '1122', $4, $5)`,
          [rows[0]!.id, i, village, debit, credit],
        );
      await expect(client.query("commit")).rejects.toThrow("凭证不平衡");
      client.release();
    }
  });

  test("refuses a line that joins an entry of another transaction", async () => {
    await expect(
      pool.query(
        `insert into journal_line (entry_id, seq, date, village_id, account, debit)
         select id, 99, date, $1, '1122', 1 from journal_entry limit 1`,
        [store.villageId],
      ),
    ).rejects.toThrow("凭证已提交，不能追加分录");
  });
});

test("two thousand bills are made in a few statements: in seconds, also on a busy machine", async () => {
  const bills = Array.from({ length: 2000 }, (_, i) =>
    aNewBill(store, partyId, {
      contractId,
      dueDate: i % 12 ? "2026-08-01" : "2026-03-01",
      lines: [aLine("rent", 300_000), aLine("property", 10_000)],
    }),
  );
  const began = performance.now();
  const made = await acting(house, (act) => makeBills(act, bills));
  expect(performance.now() - began).toBeLessThan(6000);
  expect(new Set(made.map((b) => b.billNo)).size).toBe(2000);
});
