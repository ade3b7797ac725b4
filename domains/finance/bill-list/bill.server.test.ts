import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty } from "../bill/bill.sample.ts";
import { type Billed, aBilledStore } from "../bill/billed.sample.ts";
import * as acts from "../bill-acts/acts.contract.ts";
import { explainBill, getBill, buildingOptions, countBills, listBills } from "./bill.contract.ts";

const house = await testHouse();
const { pool } = house.database;
let world: Billed;
beforeAll(async () => {
  world = await aBilledStore(house);
});

const list = (query: Record<string, unknown> = {}, as = world.clerk) =>
  house.did(listBills, { as }, { query: query as never });
const names = (rows: { id: number }[]) =>
  rows.map((row) => Object.entries(world.ids).find(([, id]) => id === row.id)?.[0]);

describe("the list", () => {
  test("shows each tab its bills, open ones the oldest first, with sums over all of them", async () => {
    expect(names((await list({ tab: "open" })).list)).toEqual(["late", "due"]);
    expect(names((await list({ overdue: "1" })).list)).toEqual(["late"]);
    expect(names((await list({ tab: "plan" })).list)).toEqual(["plan"]);
    expect(names((await list({ tab: "paid" })).list)).toEqual(["paid"]);
    expect(names((await list({ tab: "void" })).list)).toEqual(["gone"]);
    expect(names((await list({ tab: "month" })).list)).toEqual(["due", "late"]);
    const all = await list({ pageSize: 2 });
    expect(names(all.list)).toEqual(["plan", "due"]);
    expect(all.total).toBe(5);
    expect(all.sums).toMatchObject({ amount: 1_210_000, settled: 300_000, outstanding: 610_000 });
    expect(await house.did(countBills, { as: world.clerk }, { query: {} })).toEqual({
      open: 2,
      overdue: 1,
      month: 2,
      plan: 1,
      paid: 1,
      void: 1,
      all: 5,
    });
  });

  test("says what people know a bill by, and what it would cost today", async () => {
    expect((await list({ tab: "overdue" })).list[0]!.lateFee, "nobody asked").toBeNull();
    const [row] = (await list({ tab: "overdue", also: "lateFee" })).list;
    expect(row).toMatchObject({
      partyName: "李四",
      subjects: "租金、物业费",
      daysOverdue: 19,
      contractNo: "HT20260101-000007",
      // 3,000.00 × 0.05% × 16 days after three of grace
      lateFee: 2400,
      status: "unpaid",
    });
  });

  test("finds by number, name, phone, its last four digits, room and contract", async () => {
    const { list: rows } = await list({ tab: "overdue" });
    for (const keyword of [rows[0]!.billNo, "李", "13900001111", "1111", "1203", "HT20260101-000007"])
      expect(names((await list({ tab: "overdue", keyword })).list), keyword).toEqual(["late"]);
    expect((await list({ keyword: "没有这个人" })).total).toBe(0);
  });

  test("filters by subject, status, days, amounts and sorts as asked", async () => {
    const { rows } = await pool.query<{ id: number }>(
      "select id from fee_subject where code = 'property' limit 1",
    );
    expect(
      names((await list({ subjectIds: String(rows[0]!.id), order: "asc", sort: "dueDate" })).list),
    ).toEqual(["late", "due"]);
    expect(names((await list({ status: "paid" })).list)).toEqual(["paid"]);
    expect(names((await list({ dueFrom: "2026-03-02", dueTo: "2026-03-31" })).list)).toEqual(["due", "gone"]);
    expect(names((await list({ amountTo: 10_000 })).list)).toEqual(["due"]);
    expect(names((await list({ tab: "open", sort: "outstanding", order: "desc" })).list)).toEqual([
      "late",
      "due",
    ]);
    expect(names((await list({ tab: "open", sort: "outstanding", order: "asc" })).list)).toEqual([
      "due",
      "late",
    ]);
  });

  test("filters by building and room, each offered by name within scope", async () => {
    const buildings = await house.did(buildingOptions, { as: world.clerk }, { query: {} });
    expect(buildings).toMatchObject([{ villageId: world.store.villageId }]);
    const { id } = buildings[0]!;
    const here = await list({ buildingIds: String(id), tab: "open" });
    expect([names(here.list), here.total]).toEqual([["late", "due"], 2]);
    expect(names((await list({ roomIds: String(world.store.roomId), tab: "plan" })).list)).toEqual(["plan"]);
    const elsewhere = await house.did(buildingOptions, { as: world.stranger }, { query: {} });
    expect(elsewhere.map((b) => b.villageId)).toEqual([world.other.villageId]);
    expect((await list({ buildingIds: String(elsewhere[0]!.id) })).total).toBe(0);
    const named = { ids: String(id), keyword: "没有这栋" };
    expect(await house.did(buildingOptions, { as: world.clerk }, { query: named })).toEqual([]);
  });

  test("gives rows and totals apart when asked", async () => {
    const rows = await list({ want: "rows" });
    expect(rows.list.length).toBe(5);
    expect(rows.total).toBeNull();
    const totals = await list({ want: "totals" });
    expect(totals.list).toEqual([]);
    expect(totals.total).toBe(5);
  });

  test("shows a stranger nothing, and asking for another's store answers as if it did not exist", async () => {
    expect((await list({}, world.stranger)).total).toBe(0);
    const asked = await house.ask(
      listBills,
      { as: world.stranger },
      { query: { villageIds: String(world.store.villageId) } as never },
    );
    expect(asked.status).toBe(404);
    expect(
      (
        await house.ask(
          listBills,
          { as: await house.person({ villages: [world.store.villageId] }) },
          { query: {} },
        )
      ).status,
    ).toBe(403);
  });
});

describe("one bill", () => {
  test("explains every line and works it out again to the same fen", async () => {
    const { lines } = await house.did(
      explainBill,
      { as: world.clerk },
      { params: { id: world.ids["late"]! } },
    );
    expect(lines.map((l) => [l.again, l.diff])).toEqual([
      [280_000, 0],
      [20_000, 0],
    ]);
    expect(lines[0]!.said).toContainEqual(["税额", "2,800.00 ÷ 1.05 × 1.5% = 40.00"]);
  });

  test("shows payments, late fee by segments, entries and what people did", async () => {
    const detail = await house.did(getBill, { as: world.clerk }, { params: { id: world.ids["paid"]! } });
    expect(detail.allocations.map((a) => [a.amount, a.channel])).toEqual([[300_000, "cash"]]);
    expect(detail.entries.map((e) => e.event)).toEqual(["E01", "E08"]);
    expect(detail.log[0]).toMatchObject({ action: "收款" });
    const late = await house.did(getBill, { as: world.clerk }, { params: { id: world.ids["late"]! } });
    expect(late.late).toMatchObject({ total: 2400, expected: 2400, days: 16 });
    expect(late.partyPhone).toBe("139****1111");
  });

  test("is not there for a stranger, whatever he does with it", async () => {
    const params = { id: world.ids["late"]! };
    for (const asked of [
      house.ask(getBill, { as: world.stranger }, { params }),
      house.ask(explainBill, { as: world.stranger }, { params }),
      house.ask(
        acts.voidBill,
        { as: world.stranger, key: "k".repeat(8) },
        { params, body: { reason: "作废", version: 1 } },
      ),
      house.ask(acts.issueBill, { as: world.stranger, key: "k".repeat(9) }, { params, body: { version: 1 } }),
      house.ask(
        acts.disputeBill,
        { as: world.stranger },
        { params, body: { disputed: true, reason: "争议", version: 1 } },
      ),
      house.ask(
        acts.previewAdjust,
        { as: world.stranger },
        { params, body: { changes: [{ lineId: 1, mode: "minus", value: 1 }] } },
      ),
    ])
      expect((await asked).status).toBe(404);
  });
});

test("未开票 are the bills that may still be invoiced: none that is void, none of deposits alone", async () => {
  const found = async (as = world.clerk) => (await list({ tag: "uninvoiced" }, as)).list;
  expect(names(await found()).toSorted()).toEqual(["due", "late", "paid", "plan"]);
  const { villageId } = world.other;
  const partyId = await aParty(house, "王五", { phone: "13900002222", villageId });
  const bill = (subject: string) =>
    aBill(house, world.other, partyId, { dueDate: "2026-05-01", lines: [aLine(subject, 100_000)] });
  const rent = await bill("rent");
  await bill("deposit");
  expect((await found(world.stranger)).map((b) => b.id)).toEqual([rent]);
});

test("the totals that are read from the sums by due day are those of the bills one by one, on every tab and in every period", async () => {
  const asked: Record<string, string>[] = [{}];
  const by = (more: (of: Record<string, string>) => Record<string, string>[]) => {
    for (const of of asked.splice(0)) asked.push(...more(of));
  };
  by((of) => ["open", "overdue", "month", "plan", "paid", "void", "all"].map((tab) => ({ ...of, tab })));
  by((of) => [of, { ...of, direction: "receivable" }, { ...of, direction: "payable" }]);
  by((of) => [of, { ...of, status: "unpaid,partial" }, { ...of, status: "void" }]);
  by((of) => [
    of,
    { ...of, dueFrom: "2026-03-10", dueTo: "2026-03-31" },
    { ...of, dueFrom: "2026-03-21" },
    { ...of, dueTo: "2026-03-20" },
    { ...of, dueFrom: "2026-04-01", dueTo: "2026-03-01" },
  ]);
  const totals = async (query: Record<string, string>) => {
    const { total, sums } = await list({ ...query, want: "totals" });
    return { total, sums };
  };
  let some = 0;
  for (const query of asked) {
    // no bill is below nothing: the filter says nothing but keeps the sums from being read
    const found = await totals(query);
    expect(found, JSON.stringify(query)).toEqual(await totals({ ...query, amountFrom: "0" }));
    some += found.total!;
  }
  expect([asked.length, some > 100]).toEqual([315, true]);
  expect(await totals({ overdue: "1" })).toEqual(await totals({ tab: "overdue" }));
});

test("what the house itself owes is no money to come: it stands under 待收 only where 方向 asks for it, and in 全部", async () => {
  const partyId = await aParty(house, "供应商", { phone: "13900003333", villageId: world.other.villageId });
  const owed = await aBill(house, world.other, partyId, { direction: "payable", dueDate: "2026-03-02" });
  const ids = async (query: Record<string, unknown>) =>
    (await list(query, world.stranger)).list.map((b) => b.id);
  const count = (query: object = {}) => house.did(countBills, { as: world.stranger }, { query });
  for (const tab of ["open", "overdue", "month"]) {
    expect(await ids({ tab }), tab).not.toContain(owed);
    expect(await ids({ tab, direction: "payable" }), tab).toEqual([owed]);
  }
  expect(await ids({ overdue: "1" })).not.toContain(owed);
  expect(await ids({ tab: "all" })).toContain(owed);
  const all = (await list({}, world.stranger)).total;
  // with another filter the bills are counted one by one
  for (const more of [{}, { amountFrom: 1 }]) {
    expect(await count(more)).toMatchObject({ open: 0, overdue: 0, month: 0, all });
    expect(await count({ ...more, direction: "payable" })).toMatchObject({
      open: 1,
      overdue: 1,
      month: 1,
      all: 1,
    });
  }
});
