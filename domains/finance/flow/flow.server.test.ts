import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/house.sample.ts";
import { allAccounts } from "../account/account.contract.ts";
import { aBill, aLine } from "../bill/bill.sample.ts";
import * as acts from "./acts.contract.ts";
import { aCounter, type Counter } from "./counter.sample.ts";
import { getFlow, listFlows } from "./flow.contract.ts";
import { take } from "./flow.sample.ts";
import { payers } from "./payer.contract.ts";
import { costFlow, openOfParty, previewFlow } from "./receive.contract.ts";

const house = await testHouse();
const { pool } = house.database;
let at: Counter;
beforeAll(async () => {
  at = await aCounter(house);
  const came = [
    [10_000, "2026-03-20T08:00:00+08:00", "李代付"],
    [20_000, "2026-03-19T07:00:00+08:00", ""],
    [30_000, "2026-03-20T06:00:00+08:00", ""],
  ] as const;
  for (const [amount, paidAt, payerName] of came)
    await take(house, at.store, at.accounts, at.partyId, { amount, paidAt, payerName, channel: "cash" });
  const { rows } = await pool.query<{ id: number }>(
    "select id from fee_subject where code = 'cleaningCost' limit 1",
  );
  const month = { periodStart: "2026-03-01", periodEnd: "2026-03-31" };
  const payment = {
    channel: "cash" as const,
    merchantAccountId: at.accounts.cash,
    paidAt: "2026-03-20T09:30:00+08:00",
  };
  const cost = { villageId: at.store.villageId, payeeName: "洁净保洁", feeSubjectId: rows[0]!.id, ...month };
  await house.did(costFlow, { as: at.cashier }, { body: { ...cost, amount: 15_000, payment } });
});

describe("lists and pickers", () => {
  test("flows of the scope, newest first, with what came in, went out and is left", async () => {
    const list = (query: object, as = at.cashier) => house.did(listFlows, { as }, { query });
    const all = await list({});
    expect(all.list.map((f) => [f.direction, f.amount])).toEqual([
      ["out", 15_000],
      ["in", 10_000],
      ["in", 30_000],
      ["in", 20_000],
    ]);
    expect(all.sums).toEqual({
      amount: 45_000,
      amountIn: 60_000,
      amountOut: 15_000,
      fee: 0,
      unallocated: 60_000,
    });
    expect((await list({ direction: "out" })).sums).toMatchObject({ amountIn: 0, amountOut: 15_000 });
    expect((await list({ keyword: "李代付" })).total).toBe(1);
    expect((await list({ paidFrom: "2026-03-19", paidTo: "2026-03-19" })).total).toBe(1);
    expect((await list({ unallocated: "true" })).total).toBe(3);
    expect((await list({ sort: "amount", order: "asc", pageSize: 1 })).list[0]!.amount).toBe(10_000);
    expect((await list({}, at.stranger)).total).toBe(0);
  });

  test("a customer's open lines and prepaid money by store; a stranger finds no such customer", async () => {
    const id = await aBill(house, at.store, at.partyId, {
      dueDate: "2026-03-01",
      lines: [aLine("rent", 100_000)],
    });
    const params = { type: "renter" as const, id: at.partyId };
    const open = await house.did(openOfParty, { as: at.cashier }, { params, query: {} });
    const lines = open.villages[0]!.lines.filter((l) => l.billId === id);
    expect(lines.map((l) => [l.subject, l.owed, l.lineId === null])).toEqual([
      ["租金", 100_000, false],
      ["滞纳金", 800, true],
    ]);
    expect((await house.ask(openOfParty, { as: at.stranger }, { params, query: {} })).status).toBe(404);
    expect(
      (await house.did(payers, { as: at.cashier }, { query: { keyword: "张三" } })).map((p) => p.id),
    ).toEqual([at.partyId]);
    expect(await house.did(payers, { as: at.stranger }, { query: { keyword: "张三" } })).toEqual([]);
  });

  test("accounts that a store may use", async () => {
    const options = await house.did(
      allAccounts,
      { as: at.cashier },
      { query: { villageId: at.store.villageId } },
    );
    expect(options.map((o) => o.kind).toSorted()).toEqual(["bank", "cash", "pos", "wechat"]);
    expect(
      (await house.ask(allAccounts, { as: at.stranger }, { query: { villageId: at.store.villageId } }))
        .status,
    ).toBe(404);
  });

  test("no act on a flow reaches into another's store", async () => {
    const { list } = await house.did(listFlows, { as: at.cashier }, { query: { state: "confirmed" } });
    const params = { id: list[0]!.id };
    const key = randomUUID;
    for (const asked of [
      house.ask(getFlow, { as: at.stranger }, { params }),
      house.ask(acts.confirmFlow, { as: at.stranger, key: key() }, { params, body: {} }),
      house.ask(acts.rejectFlow, { as: at.stranger }, { params, body: { reason: "驳回" } }),
      house.ask(
        acts.reverseFlow,
        { as: at.stranger, key: key() },
        { params, body: { reason: "冲销", version: 1 } },
      ),
      house.ask(
        acts.allocateFlow,
        { as: at.stranger, key: key() },
        { params, body: { wants: [{ billId: 1, lineId: 1, amount: 1 }] } },
      ),
      house.ask(
        acts.undoAllocation,
        { as: at.stranger, key: key() },
        { params: { ...params, allocationId: 1 } },
      ),
      house.ask(acts.confirmBatch, { as: at.stranger, key: key() }, { body: { ids: [params.id] } }),
      house.ask(previewFlow, { as: at.stranger }, { body: await at.receipt([], 100) }),
    ])
      expect((await asked).status).toBe(404);
  });
});
