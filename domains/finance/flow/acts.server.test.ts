import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, bookBalance } from "../bill/bill.sample.ts";
import { bookCost, payCost } from "./booking.service.ts";
import * as acts from "./flow.contract.ts";
import { getFlow } from "./flow.contract.ts";
import { costFlow } from "./flow.contract.ts";
import { openOfParty } from "../payer/payer.contract.ts";
import { aCounter, take } from "./flow.sample.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
const at = await aCounter(house);
const { store, accounts, cashier, second, stranger, partyId, receipt, refused } = at;
const aRent = (fen: number, more: object = {}) =>
  aBill(house, store, partyId, { dueDate: "2026-03-20", lines: [aLine("rent", fen)], ...more });
const flowOf = (id: number) => house.did(getFlow, { as: second }, { params: { id } });
const no = (message: string) => ({ status: 409, message });

describe("a channel that needs a second person", () => {
  const bank = { channel: "bankTransfer" as const, merchantAccountId: accounts.bankTransfer };
  const waiting = async (bills: number[], fen: number) =>
    (await at.taken({ ...(await receipt(bills, fen)), ...bank } as never)).id!;
  /** What the counter says has come and is not confirmed. */
  const unconfirmed = async () => {
    const params = { type: "renter" as const, id: partyId };
    return (await house.did(openOfParty, { as: cashier }, { params, query: {} })).villages[0]!.unconfirmed;
  };

  test("waits, is confirmed by another, and then pays what it was booked for", async () => {
    const bill = await aRent(70_000);
    const id = await waiting([bill], 70_000);
    expect(await flowOf(id)).toMatchObject({ state: "pending", allocated: 0 });
    expect(await bookBalance(house, "1002")).toBe(0);
    expect(await unconfirmed()).toBe(70_000);
    const sent = { params: { id }, body: {} };
    expect(await refused(acts.confirmFlow, cashier, sent)).toEqual(no("录入人不能确认自己的流水"));
    const rows = (await house.did(acts.previewConfirm, { as: second }, { params: { id } })).rows;
    expect(rows.map((r) => r.pay)).toEqual([70_000]);
    await house.did(acts.confirmFlow, { as: second }, sent);
    expect(await bookBalance(house, "1002")).toBe(70_000);
    expect(await unconfirmed()).toBe(0);
    expect(await at.bill(bill)).toMatchObject({ status: "paid" });
    expect(await refused(acts.confirmFlow, second, sent)).toEqual(no("流水已确认"));
    expect(await refused(acts.rejectFlow, second, { params: { id }, body: { reason: "没到账" } })).toEqual(
      no("当前状态为“已确认”，不能驳回"),
    );
  });

  test("lets one of two people who confirm at once through", async () => {
    const id = await waiting([await aRent(1_000)], 1_000);
    const third = await house.person({ superType: "1", villages: [store.villageId] });
    const answers = await Promise.all(
      [second, third].map((as) =>
        house.ask(acts.confirmFlow, { as, key: randomUUID() }, { params: { id }, body: {} }),
      ),
    );
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect((await flowOf(id)).entries.filter((e) => e.event === "E06")).toHaveLength(1);
  });

  test("shows the new preview when the bill was paid meanwhile; by its hash the money stays prepaid", async () => {
    const bill = await aRent(30_000);
    const id = await waiting([bill], 30_000);
    const paidAt = "2026-03-20T09:30:00+08:00";
    await take(house, store, accounts, partyId, { amount: 30_000, channel: "cash", paidAt, bills: [bill] });
    const params = { id };
    const asked = await house.ask(acts.confirmFlow, { as: second, key: randomUUID() }, { params, body: {} });
    expect([asked.status, asked.body.reason]).toEqual([409, "previewChanged"]);
    const fresh = await house.did(acts.previewConfirm, { as: second }, { params });
    expect(asked.body.data).toMatchObject({ hash: fresh.hash, paid: 0, toPrepaid: 30_000 });
    await house.did(acts.confirmFlow, { as: second }, { params, body: { previewHash: fresh.hash } });
    expect(await flowOf(id)).toMatchObject({ state: "confirmed", unallocated: 30_000 });
  });

  test("confirms a batch of one account wholly or not at all", async () => {
    const ids = [await waiting([], 1_000), await waiting([], 2_000)];
    const mine = await house.did(
      acts.addFlow,
      { as: second },
      { body: await missed({ channelTradeNo: "B1" }) },
    );
    expect(await refused(acts.confirmBatch, second, { body: { ids: [...ids, mine.id] } })).toEqual(
      no("只能批量确认同一账户的流水"),
    );
    expect(await house.did(acts.confirmBatch, { as: second }, { body: { ids } })).toEqual({ count: 2 });
    const third = await waiting([], 3_000);
    const again = await refused(acts.confirmBatch, second, { body: { ids: [third, ids[0]!] } });
    expect(again.message).toMatch(/^LS\d{8}-\d{6}：流水已确认$/);
    expect(await flowOf(third)).toMatchObject({ state: "pending" });
  });
});

const missed = async (more: object = {}) => ({
  villageId: store.villageId,
  partyId,
  amount: 12_000,
  channel: "wechat" as const,
  merchantAccountId: accounts.wechat,
  paidAt: "2026-03-18T09:00:00+08:00",
  fileIds: [await at.paper(second)],
  ...more,
});

describe("a flow booked afterwards", () => {
  test("needs papers, a customer and the channel's number, which is there once", async () => {
    const wrong = async (more: object) => refused(acts.addFlow, second, { body: await missed(more) });
    expect(await wrong({ fileIds: [] })).toEqual({ status: 400, fileIds: "请上传附件" });
    expect(await wrong({})).toEqual({ status: 400, channelTradeNo: "请输入渠道流水号" });
    expect(await wrong({ partyId: undefined, channelTradeNo: "1" })).toEqual({
      status: 400,
      partyId: "请选择客户",
    });
    expect(await wrong({ channelTradeNo: "1", paidAt: "2026-03-20T10:01:00+08:00" })).toEqual({
      status: 400,
      paidAt: "支付时间不能晚于当前时间",
    });
    const made = await house.did(
      acts.addFlow,
      { as: second },
      { body: await missed({ channelTradeNo: "4200001" }) },
    );
    expect(await wrong({ channelTradeNo: "4200001" })).toEqual({
      status: 400,
      channelTradeNo: `该渠道流水号已存在：${made.flowNo}`,
    });
    expect((await flowOf(made.id)).files).toHaveLength(1);
  });

  test("may have a number that another enterprise wrote down", async () => {
    const foreign = await aStore(house);
    await house.database.pool.query(
      `with e as (insert into enterprise (name) values ('别家公寓') returning id)
       update village set enterprise_id = (select id from e) where id = $1`,
      [foreign.villageId],
    );
    await house.database.pool.query(
      `insert into flow (flow_no, out_trade_no, direction, kind, village_id, channel, merchant_account_id, amount, paid_at, paid_on, channel_trade_no)
       values ('LS-1', 'LS-1', 'in', 'receipt', $1, 'wechat', $2, 100, now(), '2026-03-18', '4200009')`,
      [foreign.villageId, accounts.wechat],
    );
    const body = await missed({ channelTradeNo: "4200009" });
    const { id } = await house.did(acts.addFlow, { as: second }, { body });
    expect(await flowOf(id)).toMatchObject({ channelTradeNo: "4200009" });
  });

  test("moves nothing when it is rejected, and frees its number", async () => {
    const body = await missed({ channelTradeNo: "4200002" });
    const { id } = await house.did(acts.addFlow, { as: second }, { body });
    const before = await bookBalance(house, "1012");
    await house.did(acts.rejectFlow, { as: cashier }, { params: { id }, body: { reason: "未到账" } });
    expect(await bookBalance(house, "1012")).toBe(before);
    expect(await flowOf(id)).toMatchObject({ state: "rejected", reverseReason: "未到账" });
    await house.did(acts.addFlow, { as: second }, { body: await missed({ channelTradeNo: "4200002" }) });
  });

  test("of money out pays the cost it was for, once somebody else confirms it", async () => {
    const cost = await house.did(
      costFlow,
      { as: cashier },
      {
        body: {
          villageId: store.villageId,
          payeeName: "洁净保洁公司",
          feeSubjectId: await at.subject("cleaningCost"),
          periodStart: "2026-03-01",
          periodEnd: "2026-03-31",
          amount: 60_000,
          paid: false,
          dueDate: "2026-04-10",
        },
      },
    );
    const out = async (more: object) =>
      missed({
        direction: "out" as const,
        partyId: undefined,
        channel: "bankTransfer",
        merchantAccountId: accounts.bankTransfer,
        ...more,
      });
    expect(await refused(acts.addFlow, second, { body: (await out({ amount: 1 })) as never })).toEqual({
      status: 400,
      billId: "请选择应付账单",
    });
    expect(
      await refused(acts.addFlow, second, {
        body: (await out({ billId: cost.billId, amount: 60_001 })) as never,
      }),
    ).toEqual({ status: 400, amount: "付款金额超过未付金额" });
    const body = (await out({ billId: cost.billId, amount: 60_000 })) as never;
    const { id } = await house.did(acts.addFlow, { as: second }, { body });
    const owed = await bookBalance(house, "2202");
    await house.did(acts.confirmFlow, { as: cashier }, { params: { id }, body: {} });
    expect(await bookBalance(house, "2202")).toBe(owed + 60_000);
    expect(await flowOf(id)).toMatchObject({ direction: "out", state: "confirmed", allocated: 60_000 });
    const { version } = await flowOf(id);
    await house.did(acts.reverseFlow, { as: cashier }, { params: { id }, body: { reason: "付错", version } });
    expect(await bookBalance(house, "2202")).toBe(owed);
    expect(await at.bill(cost.billId)).toMatchObject({ outstanding: 60_000 });
  });
});

describe("what a flow pays", () => {
  test("is laid out within what is left and owed, and taken back", async () => {
    const bill = await aRent(50_000);
    const { id } = await at.taken(await receipt([], 80_000));
    const params = { id: id! };
    const lineId = (await at.bill(bill)).lines[0]!.id;
    const pay = (amount: number) => ({ params, body: { wants: [{ billId: bill, lineId, amount }] } });
    expect(await refused(acts.allocateFlow, second, pay(80_001))).toEqual(no("分配金额超过未分配余额"));
    expect(await refused(acts.allocateFlow, second, pay(50_001))).toEqual(no("超过该费用的未收金额"));
    await house.did(acts.allocateFlow, { as: second }, pay(50_000));
    const [paid] = (await flowOf(params.id)).allocations;
    expect(paid).toMatchObject({ amount: 50_000, undone: 0 });
    const undo = { params: { ...params, allocationId: paid!.id } };
    await house.did(acts.undoAllocation, { as: second }, undo);
    expect(await at.bill(bill)).toMatchObject({ outstanding: 50_000 });
    expect((await refused(acts.undoAllocation, second, undo)).status).toBe(404);
    expect((await flowOf(params.id)).log.map((l) => l.action)).toEqual(["撤销分配", "分配", "收款"]);
  });

  test("is never what we owe; a payment of that falls only with its flow", async () => {
    const of = { villageId: store.villageId, feeSubjectId: await at.subject("cleaningCost") };
    const month = { periodStart: "2026-03-01", periodEnd: "2026-03-31", dueDate: "2026-04-10" };
    const owed = await acting(house, (act) =>
      bookCost(act, { ...of, ...month, payeeName: "洁净保洁", amount: 40_000 }),
    );
    const { partyId: supplier, lines } = await at.bill(owed.id);
    const paid = { amount: 40_000, channel: "cash" as const, merchantAccountId: accounts.cash };
    const { id } = await at.taken(await receipt([], 50_000, { partyId: supplier }));
    const wants = [{ billId: owed.id, lineId: lines[0]!.id, amount: 40_000 }];
    const sent = { params: { id: id! }, body: { wants } };
    expect((await refused(acts.allocateFlow, second, sent)).status).toBe(404);
    const left = await acting(house, (act) =>
      payCost(act, owed.id, { ...paid, paidAt: "2026-03-20T09:00:00+08:00" }),
    );
    expect(await refused(acts.allocateFlow, second, { ...sent, params: { id: left.id } })).toEqual(
      no("支出流水不能分配"),
    );
    const { allocations, version } = await flowOf(left.id);
    const undo = { params: { id: left.id, allocationId: allocations[0]!.id } };
    expect(await refused(acts.undoAllocation, second, undo)).toEqual(no("付款不能撤销分配，请冲销流水"));
    expect(await at.bill(owed.id)).toMatchObject({ status: "paid" });
    const why = { reason: "付错", version };
    await house.did(acts.reverseFlow, { as: second }, { params: { id: left.id }, body: why });
    expect(await at.bill(owed.id)).toMatchObject({ status: "unpaid" });
    expect((await flowOf(left.id)).entries.map((e) => e.event)).toEqual(["E26", "E26"]);
  });

  test("cannot be taken back when the deposit it paid is gone", async () => {
    const contractId = await aContract(house, store, partyId);
    const lines = [aLine("deposit", 100_000, { slices: [] })];
    const bill = await aBill(house, store, partyId, {
      contractId,
      title: "押金",
      dueDate: "2026-03-20",
      lines,
    });
    const { id } = await at.taken(await receipt([bill], 100_000));
    await house.database.pool.query("update deposit_balance set held = 0 where contract_id = $1", [
      contractId,
    ]);
    const { version } = await flowOf(id!);
    const body = { reason: "重复入账", version };
    expect(await refused(acts.reverseFlow, second, { params: { id: id! }, body })).toEqual(
      no("押金已使用或已退，不能撤销该分配"),
    );
    expect(await flowOf(id!)).toMatchObject({ state: "confirmed", allocated: 100_000 });
  });

  test("falls with the flow; refunded money cannot be reversed, nor a flow twice", async () => {
    const bill = await aRent(20_000);
    const { id } = await at.taken(await receipt([bill], 20_000));
    const params = { id: id! };
    const reverse = (version: number) => ({ params, body: { reason: "重复入账", version } });
    const { version } = await flowOf(params.id);
    expect((await refused(acts.reverseFlow, second, reverse(version + 1))).message).toBe(
      "数据已被他人修改，请刷新后重试",
    );
    await house.did(acts.reverseFlow, { as: second }, reverse(version));
    expect(await at.bill(bill)).toMatchObject({ outstanding: 20_000 });
    expect(await refused(acts.reverseFlow, second, reverse((await flowOf(params.id)).version))).toEqual(
      no("当前状态为“已冲销”，不能冲销"),
    );
    const back = await at.taken(await receipt([], 5_000));
    await house.database.pool.query("update flow set refunded = 1000 where id = $1", [back.id]);
    const sent = { params: { id: back.id! }, body: { reason: "退款", version: 1 } };
    expect(await refused(acts.reverseFlow, second, sent)).toEqual(no("该流水的款项已退款，不能冲销"));
  });
});

test("each act is told on the flow, its bills and its customer, with amount, account and reason", async () => {
  const { pool } = house.database;
  const customer = await aParty(house, "周晓", { villageId: store.villageId });
  const bill = await aBill(house, store, customer, { dueDate: "2026-03-20", lines: [aLine("rent", 9_000)] });
  const logOf = async (kind: string, id: number) => {
    const { rows } = await pool.query<{ said: string }>(
      "select action || ' ' || summary said from business_log where kind = $1 and record_id = $2 order by id",
      [kind, id],
    );
    return rows.map((row) => row.said);
  };
  const body = await missed({ partyId: customer, channelTradeNo: "4200099", remark: "漏记" });
  const { id, flowNo } = await house.did(acts.addFlow, { as: second }, { body });
  const params = { id };
  await house.did(acts.confirmFlow, { as: cashier }, { params, body: {} });
  const wants = [{ billId: bill, lineId: (await at.bill(bill)).lines[0]!.id, amount: 9_000 }];
  await house.did(acts.allocateFlow, { as: second }, { params, body: { wants } });
  const [paid] = (await flowOf(id)).allocations;
  await house.did(acts.undoAllocation, { as: second }, { params: { ...params, allocationId: paid!.id } });
  const { version, accountName } = await flowOf(id);
  await house.did(acts.reverseFlow, { as: second }, { params, body: { reason: "重复入账", version } });
  const said = [
    `补录 补录收款 120.00，${accountName}：漏记`,
    `确认 确认到账 120.00，${accountName}`,
    `分配 分配 90.00，${accountName}`,
    `撤销分配 撤销分配 90.00，${accountName}`,
    `冲销 冲销 120.00，${accountName}：重复入账`,
  ];
  expect(await logOf("flow", id)).toEqual(said);
  expect(await logOf("renter", customer)).toEqual(said.map((line) => line.replace(" ", ` ${flowNo} `)));
  expect(await logOf("bill", bill)).toEqual([
    "收款 收款分配 90.00",
    `撤销分配 ${flowNo} 的收款 90.00 退回未收`,
  ]);
});

test("no act on a flow reaches into another's store", async () => {
  const { id } = await at.taken(await receipt([], 1_000));
  const params = { id: id! };
  for (const answer of [
    await refused(getFlow, stranger, { params }),
    await refused(acts.previewConfirm, stranger, { params }),
    await refused(acts.confirmFlow, stranger, { params, body: {} }),
    await refused(acts.rejectFlow, stranger, { params, body: { reason: "驳回" } }),
    await refused(acts.reverseFlow, stranger, { params, body: { reason: "冲销", version: 1 } }),
    await refused(acts.allocateFlow, stranger, {
      params,
      body: { wants: [{ billId: 1, lineId: 1, amount: 1 }] },
    }),
    await refused(acts.undoAllocation, stranger, { params: { ...params, allocationId: 1 } }),
    await refused(acts.confirmBatch, stranger, { body: { ids: [params.id] } }),
    await refused(acts.addFlow, stranger, {
      body: {
        villageId: store.villageId,
        partyId,
        amount: 100,
        channel: "cash",
        merchantAccountId: accounts.cash,
        paidAt: "2026-03-18T09:00:00+08:00",
        fileIds: [1],
      },
    }),
  ])
    expect(answer).toEqual({ status: 404, message: "记录不存在" });
});
