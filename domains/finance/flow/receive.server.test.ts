import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aContract, aLine, aParty } from "../bill/bill.sample.ts";
import { aCounter } from "./flow.sample.ts";
import { getFlow } from "./flow.contract.ts";
import { postingDay, previewFlow, receiveFlow } from "./receive.contract.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
const at = await aCounter(house);
const { store, accounts, cashier, second, partyId, receipt } = at;
const { pool } = house.database;
const aRent = (fen: number, more: object = {}) =>
  aBill(house, store, partyId, { dueDate: "2026-03-20", lines: [aLine("rent", fen)], ...more });

describe("money at the counter", () => {
  test("is counted once however often the same request is sent", async () => {
    const body = await receipt([await aRent(300_000)], 300_000);
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
    const id = await aRent(100_000);
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
    // nothing is left to pay, and the new preview says so
    expect(refused.body.data).toMatchObject({ rows: [], paid: 0, toPrepaid: 100_000 });
    expect(await at.bill(id)).toMatchObject({ settled: 100_000, status: "paid" });
  });

  test("pays what is due in the rule's order: 张三 brings 6,350.00", async () => {
    house.setClock("2026-03-10T09:00:00+08:00");
    const id = await aParty(house, "张三丰", { villageId: store.villageId });
    const contractId = await aContract(house, store, id, { start: "2026-03-10" });
    const month = { periodStart: "2026-03-10", periodEnd: "2026-04-09" };
    const bills = [
      await aBill(house, store, id, {
        contractId,
        dueDate: "2026-03-10",
        lines: [aLine("rent", 300_000, month), aLine("property", 10_000, month)],
      }),
      await aBill(house, store, id, {
        contractId,
        title: "押金",
        dueDate: "2026-03-10",
        lines: [aLine("deposit", 300_000, { slices: [] })],
      }),
    ];
    const wechat = { partyId: id, channel: "wechat" as const, merchantAccountId: accounts.wechat };
    const body = await receipt(bills, 635_000, wechat);
    const preview = await house.did(previewFlow, { as: cashier }, { body });
    expect(preview).toMatchObject({ fee: 3810, paid: 610_000, toPrepaid: 25_000, prepaidAfter: 25_000 });
    expect(preview.rows.map((r) => [r.subject, r.pay])).toEqual([
      ["押金", 300_000],
      ["租金", 300_000],
      ["物业费", 10_000],
    ]);
    const sent = { ...body, previewHash: preview.hash };
    expect(await at.refused(receiveFlow, cashier, { body: { ...sent, exact: true } })).toEqual({
      status: 409,
      message: "收款金额大于应收，请确认转入预存款",
    });
    const { id: flowId } = await house.did(receiveFlow, { as: cashier }, { body: sent });
    const flow = await house.did(getFlow, { as: cashier }, { params: { id: flowId! } });
    expect(flow).toMatchObject({ amount: 635_000, fee: 3810, allocated: 610_000, unallocated: 25_000 });
    expect(flow.allocations.map((a) => [a.subject, a.amount])).toEqual([
      ["押金", 300_000],
      ["租金", 300_000],
      ["物业费", 10_000],
    ]);
    expect(flow.log[0]).toMatchObject({
      who: "陈收银",
      action: "收款",
      summary: "收款 6,350.00，分配 6,100.00，转入预存款 250.00",
    });
    const { rows } = await pool.query(
      "select action from business_log where kind = 'renter' and record_id = $1",
      [id],
    );
    expect(rows).toEqual([{ action: "收款" }]);
    house.setClock("2026-03-20T10:00:00+08:00");
  });

  test("a single fen that is left is owed, and is paid", async () => {
    const id = await aRent(50_000);
    await at.taken(await receipt([id], 49_999));
    expect(await at.bill(id)).toMatchObject({ settled: 49_999, status: "partial" });
    await at.taken(await receipt([id], 1));
    expect(await at.bill(id)).toMatchObject({ settled: 50_000, status: "paid" });
  });

  test("may be laid out by hand, within what is owed and there", async () => {
    const id = await aRent(0, { lines: [aLine("rent", 50_000), aLine("property", 5_000)] });
    const base = await receipt([id], 10_000);
    const [rent, property] = base.wants;
    const laid = (a: number, b: number) => ({
      body: {
        ...base,
        wants: [
          { ...rent!, amount: a },
          { ...property!, amount: b },
        ],
      },
    });
    expect(await at.refused(previewFlow, cashier, laid(5_000, 5_001))).toEqual({
      status: 400,
      wants: "超过该费用的未收金额",
    });
    expect(await at.refused(previewFlow, cashier, laid(8_000, 5_000))).toEqual({
      status: 400,
      wants: "分配金额超过未分配余额",
    });
    const good = await house.did(previewFlow, { as: cashier }, laid(4_000, 5_000));
    expect(good).toMatchObject({ paid: 9_000, toPrepaid: 1_000 });
    expect(good.rows.map((r) => r.pay)).toEqual([4_000, 5_000]);
  });

  test("is not needed where prepaid money is enough", async () => {
    const id = await aParty(house, "预存客户", { villageId: store.villageId });
    await at.taken(await receipt([], 80_000, { partyId: id }));
    const bill = await aBill(house, store, id, { dueDate: "2026-03-20", lines: [aLine("rent", 60_000)] });
    const wants = (await receipt([bill], 0)).wants;
    const body = { villageId: store.villageId, partyId: id, amount: 0, wants, usePrepaid: true };
    const { hash, ...preview } = await house.did(previewFlow, { as: cashier }, { body });
    expect(preview).toMatchObject({ prepaidBefore: 80_000, prepaidUsed: 60_000, prepaidAfter: 20_000 });
    const made = await house.did(receiveFlow, { as: cashier }, { body: { ...body, previewHash: hash } });
    expect(made).toMatchObject({ id: null, state: "confirmed" });
    expect(await at.bill(bill)).toMatchObject({ status: "paid" });
    // there is no flow that papers could hang on
    const papers = { ...body, previewHash: hash, fileIds: [await at.paper()] };
    expect(await at.refused(receiveFlow, cashier, { body: papers })).toEqual({
      status: 400,
      fileIds: "只使用预存款时没有流水，不能上传附件",
    });
  });
});

test("an account, a time or an amount that is wrong is named under its field", async () => {
  const wrong = async (more: object) =>
    at.refused(previewFlow, cashier, { body: await receipt([], 100, more) });
  const field = (name: string, msg: string) => ({ status: 400, [name]: msg });
  expect(await wrong({ merchantAccountId: accounts.pos })).toEqual(
    field("merchantAccountId", "账户与渠道不一致"),
  );
  expect(await wrong({ paidAt: "2026-03-20T10:00:01+08:00" })).toEqual(
    field("paidAt", "支付时间不能晚于当前时间"),
  );
  expect(await wrong({ paidAt: "2025-03-19T10:00:00+08:00" })).toEqual(
    field("paidAt", "支付时间不能早于一年前"),
  );
  expect(await wrong({ amount: 10_000_000_000 })).toEqual(field("amount", "金额过大"));
  expect(await wrong({ amount: 1.5 })).toEqual(field("amount", "请输入正确的金额（最多两位小数）"));
  const other = (await pool.query("select id from room where village_id <> $1 limit 1", [store.villageId]))
    .rows[0];
  expect(await wrong({ roomId: other.id })).toEqual(field("roomId", "房间不属于该门店"));
  const bare = { ...(await receipt([], 100)), merchantAccountId: undefined, previewHash: "-" };
  expect(await at.refused(receiveFlow, cashier, { body: bare })).toEqual(
    field("merchantAccountId", "请选择账户"),
  );
  const set = (column: string, value: unknown, id: number) =>
    pool.query(`update merchant_account set ${column} = $1 where id = $2`, [value, id]);
  await set("statement_mode", "claim", accounts.bankTransfer);
  const bank = { channel: "bankTransfer", merchantAccountId: accounts.bankTransfer };
  expect(await wrong(bank)).toEqual(field("merchantAccountId", "该账户为对公入账账户，请到对公流水认领登记"));
  await set("statement_mode", "reconcile", accounts.bankTransfer);
  await set("enabled", false, accounts.pos);
  expect(await wrong({ channel: "pos", merchantAccountId: accounts.pos })).toEqual(
    field("merchantAccountId", "该账户已停用"),
  );
  await set("enabled", true, accounts.pos);
});

test("in a locked month money is booked on the first open day, and its own day stays", async () => {
  const { villageId } = store;
  const day = (of: string, direction: "in" | "out" = "in") =>
    house.did(postingDay, { as: cashier }, { query: { villageId, day: of, direction } });
  expect(await day("2026-02-27")).toEqual({ day: "2026-02-27" });
  await pool.query("insert into period_lock (village_id, month, side) values ($1, '2026-02', 'income')", [
    villageId,
  ]);
  expect(await day("2026-02-27")).toEqual({ day: "2026-03-01" });
  expect(await day("2026-02-27", "out")).toEqual({ day: "2026-02-27" });
  const body = await receipt([], 1_000, { paidAt: "2026-02-27T09:00:00+08:00" });
  expect(await house.did(previewFlow, { as: cashier }, { body })).toMatchObject({ postedOn: "2026-03-01" });
  const made = await at.taken(body);
  const flow = await house.did(getFlow, { as: cashier }, { params: { id: made.id! } });
  expect(flow.paidOn).toBe("2026-02-27");
  expect(flow.entries[0]).toMatchObject({ event: "E06", date: "2026-03-01", businessDate: "2026-02-27" });
});
