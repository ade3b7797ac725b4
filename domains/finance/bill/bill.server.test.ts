import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/house.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import * as acts from "./acts.contract.ts";
import { explainBill, getBill } from "./bill.contract.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "./bill.sample.ts";
import { countBills, listBills } from "./bills.contract.ts";

const house = await testHouse();
const { pool } = house.database;

let store: Store;
let other: Store;
let clerk: Person;
let stranger: Person;
let partyId: number;
const ids: Record<string, number> = {};

beforeAll(async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  store = await aStore(house);
  other = await aStore(house);
  const permits = ["26.query", "26.get", "26.add", "26.edit", "#2601", "#2602", "#2603", "#2604"];
  clerk = await house.person({ permits, villages: [store.villageId] });
  stranger = await house.person({ permits, villages: [other.villageId] });
  const accounts = await someAccounts(house, store);
  partyId = await aParty(house, "李四", { phone: "13900001111", villageId: store.villageId });
  const contractId = await aContract(house, store, partyId, { no: "HT20260101-000007" });
  const bill = async (name: string, more: Parameters<typeof aBill>[3]) => {
    ids[name] = await aBill(house, store, partyId, { contractId, ...more });
  };
  await bill("late", { dueDate: "2026-03-01", lines: [aLine("rent", 280_000), aLine("property", 20_000)] });
  await bill("due", { dueDate: "2026-03-20", lines: [aLine("property", 10_000)] });
  await bill("plan", { dueDate: "2026-04-01" });
  await bill("paid", { dueDate: "2026-02-01" });
  await bill("gone", { dueDate: "2026-03-05" });
  await take(house, store, accounts, partyId, {
    amount: 400_000,
    channel: "cash",
    paidAt: "2026-02-01T10:00:00+08:00",
    bills: [ids["paid"]!],
  });
  await house.did(
    acts.voidBill,
    { as: clerk },
    { params: { id: ids["gone"]! }, body: { reason: "录入错误", version: 1 } },
  );
});

const list = (query: Record<string, unknown> = {}, as = clerk) =>
  house.did(listBills, { as }, { query: query as never });
const names = (rows: { id: number }[]) =>
  rows.map((row) => Object.entries(ids).find(([, id]) => id === row.id)?.[0]);

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
    expect(await house.did(countBills, { as: clerk }, { query: {} })).toEqual({
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
    const [row] = (await list({ tab: "overdue" })).list;
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

  test("gives rows and totals apart when asked", async () => {
    const rows = await list({ want: "rows" });
    expect(rows.list.length).toBe(5);
    expect(rows.total).toBeNull();
    const totals = await list({ want: "totals" });
    expect(totals.list).toEqual([]);
    expect(totals.total).toBe(5);
  });

  test("shows a stranger nothing, and asking for another's store answers as if it did not exist", async () => {
    expect((await list({}, stranger)).total).toBe(0);
    const asked = await house.ask(
      listBills,
      { as: stranger },
      { query: { villageIds: String(store.villageId) } as never },
    );
    expect(asked.status).toBe(404);
    expect(
      (await house.ask(listBills, { as: await house.person({ villages: [store.villageId] }) }, { query: {} }))
        .status,
    ).toBe(403);
  });
});

describe("one bill", () => {
  test("explains every line and works it out again to the same fen", async () => {
    const { lines } = await house.did(explainBill, { as: clerk }, { params: { id: ids["late"]! } });
    expect(lines.map((l) => [l.again, l.diff])).toEqual([
      [280_000, 0],
      [20_000, 0],
    ]);
    expect(lines[0]!.said).toContainEqual(["税额", "2,800.00 ÷ 1.05 × 1.5% = 40.00"]);
  });

  test("shows payments, late fee by segments, entries and what people did", async () => {
    const detail = await house.did(getBill, { as: clerk }, { params: { id: ids["paid"]! } });
    expect(detail.allocations.map((a) => [a.amount, a.channel])).toEqual([[300_000, "cash"]]);
    expect(detail.entries.map((e) => e.event)).toEqual(["E01", "E08"]);
    expect(detail.log[0]).toMatchObject({ action: "收款" });
    const late = await house.did(getBill, { as: clerk }, { params: { id: ids["late"]! } });
    expect(late.late).toMatchObject({ total: 2400, expected: 2400, days: 16 });
    expect(late.partyPhone).toBe("139****1111");
  });

  test("is not there for a stranger, whatever he does with it", async () => {
    const params = { id: ids["late"]! };
    for (const asked of [
      house.ask(getBill, { as: stranger }, { params }),
      house.ask(explainBill, { as: stranger }, { params }),
      house.ask(
        acts.voidBill,
        { as: stranger, key: "k".repeat(8) },
        { params, body: { reason: "作废", version: 1 } },
      ),
      house.ask(acts.issueBill, { as: stranger, key: "k".repeat(9) }, { params, body: { version: 1 } }),
      house.ask(
        acts.disputeBill,
        { as: stranger },
        { params, body: { disputed: true, reason: "争议", version: 1 } },
      ),
      house.ask(
        acts.previewAdjust,
        { as: stranger },
        { params, body: { changes: [{ lineId: 1, mode: "minus", value: 1 }] } },
      ),
    ])
      expect((await asked).status).toBe(404);
  });
});

describe("an adjustment", () => {
  test("is previewed, confirmed by its hash, and refused when the bill changed in between", async () => {
    const id = await aBill(house, store, partyId);
    const detail = await house.did(getBill, { as: clerk }, { params: { id } });
    const changes = [{ lineId: detail.lines[0]!.id, mode: "percent" as const, percent: "5" }];
    const preview = await house.did(acts.previewAdjust, { as: clerk }, { params: { id }, body: { changes } });
    expect(preview.rows).toEqual([
      {
        lineId: detail.lines[0]!.id,
        subject: "租金",
        before: 300_000,
        change: -15_000,
        after: 285_000,
        taxBefore: 4286,
        taxAfter: 4071,
      },
    ]);
    const body = { changes, reason: "维修补偿", previewHash: preview.hash };
    await house.did(acts.adjustBill, { as: clerk }, { params: { id }, body });
    const again = await house.ask(
      acts.adjustBill,
      { as: clerk, key: "adjust-again" },
      { params: { id }, body },
    );
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      reason: "previewChanged",
      message: "账单试算已变化，请核对后重新确认",
    });
    const after = await house.did(getBill, { as: clerk }, { params: { id } });
    expect(after).toMatchObject({ adjusted: -15_000, outstanding: 285_000 });
    expect(after.lines[1]).toMatchObject({ kind: "adjust", tax: -215, reason: "维修补偿" });
    expect(after.log[0]!.summary).toBe("租金 3,000.00 → 2,850.00：维修补偿");
  });

  test("of the late fee that has grown writes it down and lowers it; it needs a code of its own", async () => {
    const id = await aBill(house, store, partyId, { lines: [aLine("rent", 100_000)] });
    const changes = [{ lineId: null, mode: "minus" as const, value: 300 }];
    const { hash, rows } = await house.did(
      acts.previewAdjust,
      { as: clerk },
      { params: { id }, body: { changes } },
    );
    // 1,000.00 × 0.05% × 16 days
    expect(rows[0]).toMatchObject({ subject: "滞纳金", before: 800, after: 500 });
    const body = { changes, reason: "首次逾期减免", previewHash: hash };
    const adjuster = await house.person({ permits: ["#2601"], villages: [store.villageId] });
    expect(
      (await house.ask(acts.adjustBill, { as: adjuster, key: "no-code-2604" }, { params: { id }, body }))
        .status,
    ).toBe(403);
    await house.did(acts.adjustBill, { as: clerk }, { params: { id }, body });
    const after = await house.did(getBill, { as: clerk }, { params: { id } });
    expect(after).toMatchObject({ amount: 100_800, adjusted: -300, outstanding: 100_500 });
    expect(after.late).toMatchObject({ frozen: 800, expected: 0 });
  });

  test("below what is paid is refused under its field", async () => {
    const { status, body } = await house.ask(
      acts.previewAdjust,
      { as: clerk },
      {
        params: { id: ids["due"]! },
        body: {
          changes: [
            {
              lineId: (await house.did(getBill, { as: clerk }, { params: { id: ids["due"]! } })).lines[0]!.id,
              mode: "minus",
              value: 10_001,
            },
          ],
        },
      },
    );
    expect(status).toBe(400);
    expect(body.fields).toEqual([{ field: "changes.0.value", msg: "减免金额不能大于费用金额" }]);
  });
});

test("a disputed bill bears no late fee while it is disputed", async () => {
  const id = await aBill(house, store, partyId, { lines: [aLine("rent", 100_000)] });
  const dispute = async (disputed: boolean) => {
    const { version } = await house.did(getBill, { as: clerk }, { params: { id } });
    await house.did(
      acts.disputeBill,
      { as: clerk },
      { params: { id }, body: { disputed, reason: "对金额有异议", version } },
    );
  };
  await dispute(true);
  house.setClock("2026-03-30T10:00:00+08:00");
  const paused = await house.did(getBill, { as: clerk }, { params: { id } });
  expect(paused.tags).toContain("disputed");
  // 5 to 19 March: 15 days; from the 20th on it rests
  expect(paused.late).toMatchObject({ total: 750, days: 15 });
  await dispute(false);
  house.setClock("2026-03-31T10:00:00+08:00");
  expect((await house.did(getBill, { as: clerk }, { params: { id } })).late).toMatchObject({
    total: 800,
    days: 16,
  });
  house.setClock("2026-03-20T10:00:00+08:00");
});

test("a planned bill is issued by hand, once", async () => {
  const id = await aBill(house, store, partyId, { dueDate: "2026-06-01" });
  await house.did(acts.issueBill, { as: clerk }, { params: { id }, body: { version: 1 } });
  expect(await house.did(getBill, { as: clerk }, { params: { id } })).toMatchObject({
    issueDate: "2026-03-20",
    tags: [],
  });
  const { status, body } = await house.ask(
    acts.issueBill,
    { as: clerk, key: "issue-it-again" },
    { params: { id }, body: { version: 2 } },
  );
  expect([status, body.message]).toEqual([409, "账单已出账"]);
});

describe("a bill by hand", () => {
  const body = (more: object = {}) => ({
    villageId: store.villageId,
    partyId,
    roomId: store.roomId,
    title: "赔偿与保洁",
    dueDate: "2026-03-25",
    lines: [
      {
        feeSubjectId: subject,
        periodStart: "2026-03-20",
        periodEnd: "2026-03-20",
        quantity: "1.5",
        price: 12_345,
      },
    ],
    ...more,
  });
  let subject: number;
  beforeAll(async () => {
    const { rows } = await pool.query<{ id: number }>(
      "select id from fee_subject where code = 'cleaning' limit 1",
    );
    subject = rows[0]!.id;
  });

  test("takes quantity times price, tax by subject, and the village's late-fee terms", async () => {
    const { id } = await house.did(acts.addBill, { as: clerk }, { body: body() });
    // 123.45 × 1.5 = 185.175, half-up 185.18; tax 185.18 ÷ 1.06 × 6%
    const made = await house.did(getBill, { as: clerk }, { params: { id } });
    expect(made).toMatchObject({ amount: 18_518, graceDays: 3, lateFeeRate: "0.000500", source: "manual" });
    expect(made.lines[0]).toMatchObject({ tax: 1048 });
    expect((await house.did(explainBill, { as: clerk }, { params: { id } })).lines[0]!.diff).toBe(0);
  });

  test("is refused for another's customer, a foreign room, and a deposit without contract", async () => {
    const foreigner = await aParty(house, "外店客户", { villageId: other.villageId });
    expect(
      (
        await house.ask(
          acts.addBill,
          { as: clerk, key: "foreign-party" },
          { body: body({ partyId: foreigner }) },
        )
      ).status,
    ).toBe(404);
    const room = await house.ask(
      acts.addBill,
      { as: clerk, key: "foreign-room" },
      { body: body({ roomId: other.roomId }) },
    );
    expect(room.body.fields).toEqual([{ field: "roomId", msg: "房间不属于该门店" }]);
    const { rows } = await pool.query<{ id: number }>(
      "select id from fee_subject where code = 'deposit' limit 1",
    );
    const lines = [
      { feeSubjectId: rows[0]!.id, periodStart: "2026-03-20", periodEnd: "2026-03-20", price: 1 },
    ];
    const deposit = await house.ask(
      acts.addBill,
      { as: clerk, key: "loose-deposit" },
      { body: body({ lines }) },
    );
    expect(deposit.body.fields).toEqual([{ field: "lines.0.feeSubjectId", msg: "押金须选择合同" }]);
  });
});

test("a write-off waits until the bill is old enough and its period is over", async () => {
  const id = await aBill(house, store, partyId, { dueDate: "2025-12-01", periodEnd: "2025-12-31" });
  const early = await aBill(house, store, partyId, { dueDate: "2026-01-05", periodEnd: "2026-01-31" });
  const write = (bill: number, key: string) =>
    house.ask(
      acts.writeOff,
      { as: clerk, key },
      { params: { id: bill }, body: { reason: "失联", version: 1 } },
    );
  expect((await write(early, "write-early")).body.message).toBe(
    "账单未满足核销条件：逾期满90天且计费期已结束",
  );
  expect((await write(id, "write-late")).status).toBe(200);
  expect(await house.did(getBill, { as: clerk }, { params: { id } })).toMatchObject({
    status: "paid",
    writtenOff: 300_000,
    tags: ["writtenOff"],
  });
});

test("a batch is voided as a whole or not at all", async () => {
  const two = [await aBill(house, store, partyId), await aBill(house, store, partyId)];
  const refused = await house.ask(
    acts.voidBatch,
    { as: clerk, key: "void-batch-1" },
    { body: { ids: [...two, ids["paid"]!], reason: "录错" } },
  );
  expect(refused.body.message).toContain("账单已收款，不能作废");
  expect(await house.did(acts.voidBatch, { as: clerk }, { body: { ids: two, reason: "录错" } })).toEqual({
    count: 2,
  });
  expect((await house.did(getBill, { as: clerk }, { params: { id: two[0]! } })).status).toBe("void");
});
