import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { aBill, aLine, bookBalance } from "../bill/bill.sample.ts";
import { type Billed, aBilledStore } from "../bill/billed.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import * as acts from "./acts.contract.ts";

const house = await testHouse();
let world: Billed;
beforeAll(async () => {
  world = await aBilledStore(house);
});

describe("an adjustment", () => {
  test("is previewed, confirmed by its hash, and refused when the bill changed in between", async () => {
    const id = await aBill(house, world.store, world.partyId);
    const detail = await house.did(getBill, { as: world.clerk }, { params: { id } });
    const changes = [{ lineId: detail.lines[0]!.id, mode: "percent" as const, percent: "5" }];
    const preview = await house.did(
      acts.previewAdjust,
      { as: world.clerk },
      { params: { id }, body: { changes } },
    );
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
    await house.did(acts.adjustBill, { as: world.clerk }, { params: { id }, body });
    const again = await house.ask(
      acts.adjustBill,
      { as: world.clerk, key: "adjust-again" },
      { params: { id }, body },
    );
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      reason: "previewChanged",
      message: "账单试算已变化，请核对后重新确认",
    });
    const after = await house.did(getBill, { as: world.clerk }, { params: { id } });
    expect(after).toMatchObject({ adjusted: -15_000, outstanding: 285_000 });
    expect(after.lines[1]).toMatchObject({ kind: "adjust", tax: -215, reason: "维修补偿" });
    expect(after.log[0]!.summary).toBe("租金 3,000.00 → 2,850.00：维修补偿");
  });

  test("of the late fee that has grown writes it down and lowers it; it needs a code of its own", async () => {
    const id = await aBill(house, world.store, world.partyId, { lines: [aLine("rent", 100_000)] });
    const changes = [{ lineId: null, mode: "minus" as const, value: 300 }];
    const { hash, rows } = await house.did(
      acts.previewAdjust,
      { as: world.clerk },
      { params: { id }, body: { changes } },
    );
    // 1,000.00 × 0.05% × 16 days
    expect(rows[0]).toMatchObject({ subject: "滞纳金", before: 800, after: 500 });
    const body = { changes, reason: "首次逾期减免", previewHash: hash };
    const adjuster = await house.person({ permits: ["#2601"], villages: [world.store.villageId] });
    expect(
      (await house.ask(acts.adjustBill, { as: adjuster, key: "no-code-2604" }, { params: { id }, body }))
        .status,
    ).toBe(403);
    await house.did(acts.adjustBill, { as: world.clerk }, { params: { id }, body });
    const after = await house.did(getBill, { as: world.clerk }, { params: { id } });
    expect(after).toMatchObject({ amount: 100_800, adjusted: -300, outstanding: 100_500 });
    expect(after.late).toMatchObject({ frozen: 800, expected: 0 });
  });

  test("below what is paid is refused under its field", async () => {
    const { status, body } = await house.ask(
      acts.previewAdjust,
      { as: world.clerk },
      {
        params: { id: world.ids["due"]! },
        body: {
          changes: [
            {
              lineId: (await house.did(getBill, { as: world.clerk }, { params: { id: world.ids["due"]! } }))
                .lines[0]!.id,
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
  const id = await aBill(house, world.store, world.partyId, { lines: [aLine("rent", 100_000)] });
  const dispute = async (disputed: boolean) => {
    const { version } = await house.did(getBill, { as: world.clerk }, { params: { id } });
    await house.did(
      acts.disputeBill,
      { as: world.clerk },
      { params: { id }, body: { disputed, reason: "对金额有异议", version } },
    );
  };
  await dispute(true);
  house.setClock("2026-03-30T10:00:00+08:00");
  const paused = await house.did(getBill, { as: world.clerk }, { params: { id } });
  expect(paused.tags).toContain("disputed");
  // 5 to 19 March: 15 days; from the 20th on it rests
  expect(paused.late).toMatchObject({ total: 750, days: 15 });
  await dispute(false);
  house.setClock("2026-03-31T10:00:00+08:00");
  expect((await house.did(getBill, { as: world.clerk }, { params: { id } })).late).toMatchObject({
    total: 800,
    days: 16,
  });
  house.setClock("2026-03-20T10:00:00+08:00");
});

test("a planned bill is issued by hand, once", async () => {
  const id = await aBill(house, world.store, world.partyId, { dueDate: "2026-06-01" });
  await house.did(acts.issueBill, { as: world.clerk }, { params: { id }, body: { version: 1 } });
  expect(await house.did(getBill, { as: world.clerk }, { params: { id } })).toMatchObject({
    issueDate: "2026-03-20",
    tags: [],
  });
  const { status, body } = await house.ask(
    acts.issueBill,
    { as: world.clerk, key: "issue-it-again" },
    { params: { id }, body: { version: 2 } },
  );
  expect([status, body.message]).toEqual([409, "账单已出账"]);
});

test("a write-off waits until the bill is old enough and its period is over", async () => {
  const id = await aBill(house, world.store, world.partyId, {
    dueDate: "2025-12-01",
    periodEnd: "2025-12-31",
  });
  const early = await aBill(house, world.store, world.partyId, {
    dueDate: "2026-01-05",
    periodEnd: "2026-01-31",
  });
  const write = (bill: number, key: string) =>
    house.ask(
      acts.writeOff,
      { as: world.clerk, key },
      { params: { id: bill }, body: { reason: "失联", version: 1 } },
    );
  expect((await write(early, "write-early")).body.message).toBe(
    "账单未满足核销条件：逾期满 90 天且计费期已结束",
  );
  expect((await write(id, "write-late")).status).toBe(200);
  expect(await house.did(getBill, { as: world.clerk }, { params: { id } })).toMatchObject({
    status: "paid",
    writtenOff: 300_000,
    tags: ["writtenOff"],
  });
});

test("a write-off is taken back once, with a reason, and the bill is owed and paid like any other", async () => {
  const of = { dueDate: "2025-12-01", periodEnd: "2025-12-31" };
  const id = await aBill(house, world.store, world.partyId, of);
  const as = world.clerk;
  const params = { id };
  const loss = async () => bookBalance(house, "6701", world.store.villageId);
  const before = await loss();
  await house.did(acts.writeOff, { as }, { params, body: { reason: "失联", version: 1 } });
  expect(await loss()).toBe(before + 300_000);
  // the cost side of the month is closed by then: it is given back in the first open one
  await house.database.pool.query(
    "insert into period_lock (village_id, month, side) values ($1, '2026-03', 'cost')",
    [world.store.villageId],
  );
  const undo = async (version: number) =>
    house.ask(
      acts.undoWriteOff,
      { as, key: randomUUID() },
      { params, body: { reason: "租客回来付款", version } },
    );
  const { version } = await house.did(getBill, { as }, { params });
  expect((await undo(version - 1)).status).toBe(409);
  expect((await undo(version)).status).toBe(200);
  const bill = await house.did(getBill, { as }, { params });
  expect(bill).toMatchObject({ status: "unpaid", writtenOff: 0, outstanding: 300_000, tags: [] });
  expect(bill.log[0]).toMatchObject({ action: "撤销核销", summary: "撤销坏账核销 3,000.00：租客回来付款" });
  expect(
    bill.entries
      .filter((e) => e.event === "E11")
      .map((e) => e.date)
      .toSorted(),
  ).toEqual(["2026-03-20", "2026-04-01"]);
  expect(await loss()).toBe(before);
  expect((await undo(bill.version)).body.message).toBe("账单没有核销金额");
  await take(house, world.store, await someAccounts(house, world.store), world.partyId, {
    amount: 400_000,
    channel: "cash",
    paidAt: "2026-03-20T09:00:00+08:00",
    bills: [id],
  });
  expect(await house.did(getBill, { as }, { params })).toMatchObject({ status: "paid", writtenOff: 0 });
});

test("a batch is voided as a whole or not at all", async () => {
  const two = [
    await aBill(house, world.store, world.partyId),
    await aBill(house, world.store, world.partyId),
  ];
  const refused = await house.ask(
    acts.voidBatch,
    { as: world.clerk, key: "void-batch-1" },
    { body: { ids: [...two, world.ids["paid"]!], reason: "录错" } },
  );
  expect(refused.body.message).toContain("账单已收款，不能作废");
  expect(
    await house.did(acts.voidBatch, { as: world.clerk }, { body: { ids: two, reason: "录错" } }),
  ).toEqual({ count: 2, waiting: 0 });
  expect((await house.did(getBill, { as: world.clerk }, { params: { id: two[0]! } })).status).toBe("void");
});
