import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/house.sample.ts";
import { getBill } from "../bill/bill.contract.ts";
import { aBill, aLine, bookBalance } from "../bill/bill.sample.ts";
import { aCounter, type Counter } from "./counter.sample.ts";
import { getFlow } from "./flow.contract.ts";
import { costFlow, incomeFlow, previewFlow, receiveFlow } from "./receive.contract.ts";

const house = await testHouse();
const { pool } = house.database;
let at: Counter;
beforeAll(async () => {
  at = await aCounter(house);
});

describe("money at the counter", () => {
  test("is counted once however often the same request is sent", async () => {
    const id = await aBill(house, at.store, at.partyId, { dueDate: "2026-03-20" });
    const body = await at.receipt([id], 300_000);
    const { hash } = await house.did(previewFlow, { as: at.cashier }, { body });
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        house.ask(receiveFlow, { as: at.cashier, key }, { body: { ...body, previewHash: hash } }),
      ),
    );
    expect(new Set(answers.map((a) => a.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((a) => a.body.data.flowNo)).size).toBe(1);
    const { rows } = await pool.query(
      "select count(*)::int n, sum(amount)::int sum from flow where party_id = $1",
      [at.partyId],
    );
    expect(rows[0]).toEqual({ n: 1, sum: 300_000 });
  });

  test("is taken once when two cashiers take it for the same bill at the same moment", async () => {
    const id = await aBill(house, at.store, at.partyId, {
      dueDate: "2026-03-20",
      lines: [aLine("rent", 100_000)],
    });
    const body = await at.receipt([id], 100_000);
    const { hash } = await house.did(previewFlow, { as: at.cashier }, { body });
    const answers = await Promise.all(
      [at.cashier, at.second, at.cashier, at.second].map((as) =>
        house.ask(receiveFlow, { as, key: randomUUID() }, { body: { ...body, previewHash: hash } }),
      ),
    );
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409, 409, 409]);
    const refused = answers.find((a) => a.status === 409)!;
    expect(refused.body).toMatchObject({
      reason: "previewChanged",
      message: "账单试算已变化，请核对后重新确认",
    });
    expect(refused.body.data).toMatchObject({ rows: [], paid: 0, toPrepaid: 100_000 });
    expect(await house.did(getBill, { as: at.cashier }, { params: { id } })).toMatchObject({
      settled: 100_000,
      status: "paid",
    });
  });

  test("may be laid out by hand, within what is owed and there", async () => {
    const id = await aBill(house, at.store, at.partyId, {
      dueDate: "2026-03-20",
      lines: [aLine("rent", 50_000), aLine("property", 5_000)],
    });
    const base = await at.receipt([id], 10_000);
    const [rent, property] = base.wants;
    const preview = (a: number, b: number) =>
      house.ask(
        previewFlow,
        { as: at.cashier },
        {
          body: {
            ...base,
            wants: [
              { ...rent!, amount: a },
              { ...property!, amount: b },
            ],
          },
        },
      );
    expect((await preview(5_000, 5_001)).body.message).toBe("超过该费用的未收金额");
    expect((await preview(8_000, 5_000)).body.message).toBe("分配金额超过未分配余额");
    const good = await preview(4_000, 5_000);
    expect(good.body.data).toMatchObject({ paid: 9_000, toPrepaid: 1_000 });
    expect(good.body.data.rows.map((r) => r.pay)).toEqual([4_000, 5_000]);
  });

  test("says under which field an account, a time or an amount is wrong", async () => {
    const wrong = async (more: object) =>
      (await house.ask(previewFlow, { as: at.cashier }, { body: await at.receipt([], 100, more) })).body
        .fields;
    expect(await wrong({ merchantAccountId: at.accounts.pos })).toEqual([
      { field: "merchantAccountId", msg: "账户与渠道不一致" },
    ]);
    expect(await wrong({ paidAt: "2026-03-20T10:00:01+08:00" })).toEqual([
      { field: "paidAt", msg: "支付时间不能晚于当前时间" },
    ]);
    expect(await wrong({ amount: 10_000_000_000 })).toEqual([{ field: "amount", msg: "金额过大" }]);
    await pool.query("update merchant_account set statement_mode = 'claim' where id = $1", [
      at.accounts.bankTransfer,
    ]);
    expect(await wrong({ channel: "bankTransfer", merchantAccountId: at.accounts.bankTransfer })).toEqual([
      { field: "merchantAccountId", msg: "该账户为对公入账账户，请到对公流水认领登记" },
    ]);
    await pool.query("update merchant_account set statement_mode = 'reconcile' where id = $1", [
      at.accounts.bankTransfer,
    ]);
  });
});

test("other income makes its bill, puts it on the ledger and is paid, all at once", async () => {
  const { rows } = await pool.query<{ id: number }>(
    "select id from fee_subject where code = 'other' limit 1",
  );
  const made = await house.did(
    incomeFlow,
    { as: at.cashier },
    {
      body: {
        villageId: at.store.villageId,
        feeSubjectId: rows[0]!.id,
        periodStart: "2026-03-20",
        periodEnd: "2026-03-20",
        amount: 10_600,
        channel: "cash",
        merchantAccountId: at.accounts.cash,
        paidAt: "2026-03-20T09:00:00+08:00",
        payerName: "路过访客",
      },
    },
  );
  const bill = await house.did(getBill, { as: at.cashier }, { params: { id: made.billId } });
  expect(bill).toMatchObject({ status: "paid", partyName: "路过访客", partyKind: "thirdParty" });
  expect(bill.lines[0]!.tax).toBe(600);
  expect(bill.entries.map((e) => e.event)).toEqual(["E01", "E08"]);
});

test("a cost is owed first and paid out of an account that holds enough", async () => {
  const { rows } = await pool.query<{ id: number }>(
    "select id from fee_subject where code = 'cleaningCost' limit 1",
  );
  const cost = {
    villageId: at.store.villageId,
    payeeName: "洁净保洁公司",
    feeSubjectId: rows[0]!.id,
    periodStart: "2026-03-01",
    periodEnd: "2026-03-31",
    amount: 60_000,
  };
  const later = await house.did(costFlow, { as: at.cashier }, { body: { ...cost, dueDate: "2026-04-10" } });
  expect(later.id).toBeNull();
  expect(await bookBalance(house, "2202")).toBe(-60_000);
  const payment = {
    channel: "cash" as const,
    merchantAccountId: at.accounts.cash,
    paidAt: "2026-03-20T09:00:00+08:00",
  };
  const paid = await house.did(
    costFlow,
    { as: at.cashier },
    { body: { ...cost, billId: later.billId, payment } },
  );
  expect(await bookBalance(house, "2202")).toBe(0);
  expect(await house.did(getFlow, { as: at.cashier }, { params: { id: paid.id! } })).toMatchObject({
    direction: "out",
    amount: 60_000,
    allocated: 60_000,
  });
  const tooMuch = await house.ask(
    costFlow,
    { as: at.cashier, key: randomUUID() },
    { body: { ...cost, amount: 90_000_000, payment } },
  );
  expect(tooMuch.body.message).toBe("现金余额不足");
});
