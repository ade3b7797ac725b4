import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/house.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { allAccounts } from "../account/account.contract.ts";
import { aBill, aLine, aParty, aStore, bookBalance, type Store } from "../bill/bill.sample.ts";
import { getBill } from "../bill/bill.contract.ts";
import * as acts from "./acts.contract.ts";
import { getFlow, listFlows } from "./flow.contract.ts";
import { someAccounts, take, type Accounts } from "./flow.sample.ts";
import { payers } from "./payer.contract.ts";
import { costFlow, incomeFlow, openOfParty, previewFlow, receiveFlow } from "./receive.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const permits = ["26.get", "102.query", "102.get", "102.add", "#10201", "#10202", "#10203"];

let store: Store;
let accounts: Accounts;
let cashier: Person;
let second: Person;
let stranger: Person;
let partyId: number;

beforeAll(async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  store = await aStore(house);
  accounts = await someAccounts(house, store);
  cashier = await house.person({ permits, villages: [store.villageId], name: "陈收银" });
  second = await house.person({ permits, villages: [store.villageId], name: "周财务" });
  stranger = await house.person({ permits, villages: [(await aStore(house)).villageId] });
  partyId = await aParty(house, "张三", { villageId: store.villageId });
});

const receipt = async (billIds: number[], amount: number, more: object = {}) => ({
  villageId: store.villageId,
  partyId,
  amount,
  channel: "cash" as const,
  merchantAccountId: accounts.cash,
  paidAt: "2026-03-20T09:00:00+08:00",
  wants: (
    await Promise.all(billIds.map((id) => house.did(getBill, { as: cashier }, { params: { id } })))
  ).flatMap((b) => b.lines.map((l) => ({ billId: b.id, lineId: l.id }))),
  ...more,
});

describe("money at the counter", () => {
  test("is counted once however often the same request is sent", async () => {
    const id = await aBill(house, store, partyId, { dueDate: "2026-03-20" });
    const body = await receipt([id], 300_000);
    const { hash } = await house.did(previewFlow, { as: cashier }, { body });
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        house.ask(receiveFlow, { as: cashier, key }, { body: { ...body, previewHash: hash } }),
      ),
    );
    expect(new Set(answers.map((a) => a.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((a) => a.body.data.flowNo)).size).toBe(1);
    const { rows } = await pool.query(
      "select count(*)::int n, sum(amount)::int sum from flow where party_id = $1",
      [partyId],
    );
    expect(rows[0]).toEqual({ n: 1, sum: 300_000 });
  });

  test("is taken once when two cashiers take it for the same bill at the same moment", async () => {
    const id = await aBill(house, store, partyId, { dueDate: "2026-03-20", lines: [aLine("rent", 100_000)] });
    const body = await receipt([id], 100_000);
    const { hash } = await house.did(previewFlow, { as: cashier }, { body });
    const answers = await Promise.all(
      [cashier, second, cashier, second].map((as) =>
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
    expect(await house.did(getBill, { as: cashier }, { params: { id } })).toMatchObject({
      settled: 100_000,
      status: "paid",
    });
  });

  test("may be laid out by hand, within what is owed and there", async () => {
    const id = await aBill(house, store, partyId, {
      dueDate: "2026-03-20",
      lines: [aLine("rent", 50_000), aLine("property", 5_000)],
    });
    const base = await receipt([id], 10_000);
    const [rent, property] = base.wants;
    const preview = (a: number, b: number) =>
      house.ask(
        previewFlow,
        { as: cashier },
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
      (await house.ask(previewFlow, { as: cashier }, { body: await receipt([], 100, more) })).body.fields;
    expect(await wrong({ merchantAccountId: accounts.pos })).toEqual([
      { field: "merchantAccountId", msg: "账户与渠道不一致" },
    ]);
    expect(await wrong({ paidAt: "2026-03-20T10:00:01+08:00" })).toEqual([
      { field: "paidAt", msg: "支付时间不能晚于当前时间" },
    ]);
    expect(await wrong({ amount: 10_000_000_000 })).toEqual([{ field: "amount", msg: "金额过大" }]);
    await pool.query("update merchant_account set statement_mode = 'claim' where id = $1", [
      accounts.bankTransfer,
    ]);
    expect(await wrong({ channel: "bankTransfer", merchantAccountId: accounts.bankTransfer })).toEqual([
      { field: "merchantAccountId", msg: "该账户为对公入账账户，请到对公流水认领登记" },
    ]);
    await pool.query("update merchant_account set statement_mode = 'reconcile' where id = $1", [
      accounts.bankTransfer,
    ]);
  });
});

describe("a channel that needs a second person", () => {
  test("waits, is confirmed by another, and then pays what it was booked for", async () => {
    const id = await aBill(house, store, partyId, { dueDate: "2026-03-20", lines: [aLine("rent", 70_000)] });
    const body = await receipt([id], 70_000, {
      channel: "bankTransfer",
      merchantAccountId: accounts.bankTransfer,
    });
    const { hash } = await house.did(previewFlow, { as: cashier }, { body });
    const made = await house.did(receiveFlow, { as: cashier }, { body: { ...body, previewHash: hash } });
    expect(made.state).toBe("pending");
    expect(await bookBalance(house, "1002")).toBe(0);
    const params = { id: made.id! };
    const own = await house.ask(acts.confirmFlow, { as: cashier, key: randomUUID() }, { params, body: {} });
    expect([own.status, own.body.message]).toEqual([409, "录入人不能确认自己的流水"]);
    await house.did(acts.confirmFlow, { as: second }, { params, body: {} });
    expect(await bookBalance(house, "1002")).toBe(70_000);
    expect(await house.did(getBill, { as: cashier }, { params: { id } })).toMatchObject({ status: "paid" });
    const again = await house.ask(acts.confirmFlow, { as: second, key: randomUUID() }, { params, body: {} });
    expect([again.status, again.body.message]).toEqual([409, "流水已确认"]);
  });

  test("shows the new preview when the bill was paid meanwhile; confirmed by its hash the money stays prepaid", async () => {
    const id = await aBill(house, store, partyId, { dueDate: "2026-03-20", lines: [aLine("rent", 30_000)] });
    const body = await receipt([id], 30_000, {
      channel: "bankTransfer",
      merchantAccountId: accounts.bankTransfer,
    });
    const { hash } = await house.did(previewFlow, { as: cashier }, { body });
    const made = await house.did(receiveFlow, { as: cashier }, { body: { ...body, previewHash: hash } });
    await take(house, store, accounts, partyId, {
      amount: 30_000,
      channel: "cash",
      paidAt: "2026-03-20T09:30:00+08:00",
      bills: [id],
    });
    const params = { id: made.id! };
    const asked = await house.ask(acts.confirmFlow, { as: second, key: randomUUID() }, { params, body: {} });
    expect(asked.status).toBe(409);
    const fresh = await house.did(acts.previewConfirm, { as: second }, { params });
    expect(asked.body.data).toMatchObject({ hash: fresh.hash, paid: 0, toPrepaid: 30_000 });
    await house.did(acts.confirmFlow, { as: second }, { params, body: { previewHash: fresh.hash } });
    expect(await house.did(getFlow, { as: second }, { params })).toMatchObject({
      state: "confirmed",
      unallocated: 30_000,
    });
  });

  test("a flow booked afterwards needs papers and the channel's number, and moves nothing when rejected", async () => {
    const body = {
      villageId: store.villageId,
      partyId,
      amount: 12_000,
      channel: "wechat" as const,
      merchantAccountId: accounts.wechat,
      paidAt: "2026-03-18T09:00:00+08:00",
    };
    const bare = await house.ask(
      acts.addFlow,
      { as: cashier, key: randomUUID() },
      { body: { ...body, fileIds: [] } },
    );
    expect(bare.body.fields).toEqual([{ field: "fileIds", msg: "请上传附件" }]);
    const { body: sent } = await sendFile(house, cashier, { name: "回单.png", bytes: aPng() });
    const withFile = { ...body, fileIds: [sent.data.id] };
    const noNumber = await house.ask(acts.addFlow, { as: cashier, key: randomUUID() }, { body: withFile });
    expect(noNumber.body.fields).toEqual([{ field: "channelTradeNo", msg: "请输入渠道流水号" }]);
    const made = await house.did(
      acts.addFlow,
      { as: cashier },
      { body: { ...withFile, channelTradeNo: "4200001" } },
    );
    const twice = await house.ask(
      acts.addFlow,
      { as: cashier, key: randomUUID() },
      { body: { ...withFile, channelTradeNo: "4200001" } },
    );
    expect(twice.body.fields).toEqual([
      { field: "channelTradeNo", msg: `该渠道流水号已存在：${made.flowNo}` },
    ]);
    const params = { id: made.id };
    expect((await house.did(getFlow, { as: second }, { params })).files).toHaveLength(1);
    const before = await bookBalance(house, "1012");
    await house.did(acts.rejectFlow, { as: second }, { params, body: { reason: "未到账" } });
    expect(await bookBalance(house, "1012")).toBe(before);
    expect(await house.did(getFlow, { as: second }, { params })).toMatchObject({
      state: "rejected",
      reverseReason: "未到账",
    });
  });
});

test("other income makes its bill, puts it on the ledger and is paid, all at once", async () => {
  const { rows } = await pool.query<{ id: number }>(
    "select id from fee_subject where code = 'other' limit 1",
  );
  const made = await house.did(
    incomeFlow,
    { as: cashier },
    {
      body: {
        villageId: store.villageId,
        feeSubjectId: rows[0]!.id,
        periodStart: "2026-03-20",
        periodEnd: "2026-03-20",
        amount: 10_600,
        channel: "cash",
        merchantAccountId: accounts.cash,
        paidAt: "2026-03-20T09:00:00+08:00",
        payerName: "路过访客",
      },
    },
  );
  const bill = await house.did(getBill, { as: cashier }, { params: { id: made.billId } });
  expect(bill).toMatchObject({ status: "paid", partyName: "路过访客", partyKind: "thirdParty" });
  expect(bill.lines[0]!.tax).toBe(600);
  expect(bill.entries.map((e) => e.event)).toEqual(["E01", "E08"]);
});

test("a cost is owed first and paid out of an account that holds enough", async () => {
  const { rows } = await pool.query<{ id: number }>(
    "select id from fee_subject where code = 'cleaningCost' limit 1",
  );
  const cost = {
    villageId: store.villageId,
    payeeName: "洁净保洁公司",
    feeSubjectId: rows[0]!.id,
    periodStart: "2026-03-01",
    periodEnd: "2026-03-31",
    amount: 60_000,
  };
  const later = await house.did(costFlow, { as: cashier }, { body: { ...cost, dueDate: "2026-04-10" } });
  expect(later.id).toBeNull();
  expect(await bookBalance(house, "2202")).toBe(-60_000);
  const payment = {
    channel: "cash" as const,
    merchantAccountId: accounts.cash,
    paidAt: "2026-03-20T09:00:00+08:00",
  };
  const paid = await house.did(
    costFlow,
    { as: cashier },
    { body: { ...cost, billId: later.billId, payment } },
  );
  expect(await bookBalance(house, "2202")).toBe(0);
  expect(await house.did(getFlow, { as: cashier }, { params: { id: paid.id! } })).toMatchObject({
    direction: "out",
    amount: 60_000,
    allocated: 60_000,
  });
  const tooMuch = await house.ask(
    costFlow,
    { as: cashier, key: randomUUID() },
    { body: { ...cost, amount: 90_000_000, payment } },
  );
  expect(tooMuch.body.message).toBe("现金余额不足");
});

describe("lists and pickers", () => {
  test("flows of the scope, newest first, with what came in, went out and is left", async () => {
    const all = await house.did(listFlows, { as: cashier }, { query: {} });
    expect(all.total).toBeGreaterThan(5);
    const times = all.list.map((f) => f.paidAt);
    expect(times).toEqual(times.toSorted().toReversed());
    const out = await house.did(listFlows, { as: cashier }, { query: { direction: "out" } });
    expect(out.sums).toMatchObject({ amountIn: 0, amountOut: 60_000 });
    expect((await house.did(listFlows, { as: cashier }, { query: { keyword: "路过访客" } })).total).toBe(1);
    expect(
      (await house.did(listFlows, { as: cashier }, { query: { unallocated: "true" } })).list.every(
        (f) => f.unallocated > 0,
      ),
    ).toBe(true);
    expect((await house.did(listFlows, { as: stranger }, { query: {} })).total).toBe(0);
  });

  test("a customer's open lines and prepaid money by store; a stranger finds no such customer", async () => {
    const id = await aBill(house, store, partyId, { dueDate: "2026-03-01", lines: [aLine("rent", 100_000)] });
    const params = { type: "renter" as const, id: partyId };
    const open = await house.did(openOfParty, { as: cashier }, { params, query: {} });
    const lines = open.villages[0]!.lines.filter((l) => l.billId === id);
    expect(lines.map((l) => [l.subject, l.owed, l.lineId === null])).toEqual([
      ["租金", 100_000, false],
      ["滞纳金", 800, true],
    ]);
    expect((await house.ask(openOfParty, { as: stranger }, { params, query: {} })).status).toBe(404);
    expect(
      (await house.did(payers, { as: cashier }, { query: { keyword: "张三" } })).map((p) => p.id),
    ).toEqual([partyId]);
    expect(await house.did(payers, { as: stranger }, { query: { keyword: "张三" } })).toEqual([]);
  });

  test("accounts that a store may use", async () => {
    const options = await house.did(allAccounts, { as: cashier }, { query: { villageId: store.villageId } });
    expect(options.map((o) => o.kind).toSorted()).toEqual(["bank", "cash", "pos", "wechat"]);
    expect(
      (await house.ask(allAccounts, { as: stranger }, { query: { villageId: store.villageId } })).status,
    ).toBe(404);
  });

  test("no act on a flow reaches into another's store", async () => {
    const { list } = await house.did(listFlows, { as: cashier }, { query: { state: "confirmed" } });
    const params = { id: list[0]!.id };
    const key = randomUUID;
    for (const asked of [
      house.ask(getFlow, { as: stranger }, { params }),
      house.ask(acts.confirmFlow, { as: stranger, key: key() }, { params, body: {} }),
      house.ask(acts.rejectFlow, { as: stranger }, { params, body: { reason: "驳回" } }),
      house.ask(
        acts.reverseFlow,
        { as: stranger, key: key() },
        { params, body: { reason: "冲销", version: 1 } },
      ),
      house.ask(
        acts.allocateFlow,
        { as: stranger, key: key() },
        { params, body: { wants: [{ billId: 1, lineId: 1, amount: 1 }] } },
      ),
      house.ask(
        acts.undoAllocation,
        { as: stranger, key: key() },
        { params: { ...params, allocationId: 1 } },
      ),
      house.ask(acts.confirmBatch, { as: stranger, key: key() }, { body: { ids: [params.id] } }),
      house.ask(previewFlow, { as: stranger }, { body: await receipt([], 100) }),
    ])
      expect((await asked).status).toBe(404);
  });
});
