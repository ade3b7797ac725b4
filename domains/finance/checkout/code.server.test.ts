import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { strike } from "../../../platform/server/database/strike.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { disableAccount } from "../account/account.contract.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { removeBinding } from "../account/binding.contract.ts";
import { aContract, aLine, aParty } from "../bill/bill.sample.ts";
import { adjustBill, previewAdjust, voidBill } from "../bill-acts/acts.contract.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { previewReceipt, receive } from "../flow/receive.service.ts";
import { askPayOrder, closePayOrder, getPayOrder } from "../pay-order/pay-order.contract.ts";
import { notify, paidUntold } from "../pay-order/pay-order.sample.ts";
import { setBilling } from "../setting/setting.service.ts";
import { aCheckout } from "./checkout.sample.ts";

const house = await testHouse({ poolSize: 12 });
const shop = await aCheckout(house);
const { cashier, stranger, store, partyId, till, newBill, showing, shown, open, flowsOf, order, pay } = shop;
const { db } = house.database;
const NOW = "2026-03-02T10:00:00+08:00";
beforeEach(() => house.setClock(NOW));
const keeper = await house.person({ permits: ["26.get", "#2601", "#2602"], villages: [store.villageId] });
const voiding = async (id: number) =>
  house.ask(
    voidBill,
    { as: keeper, key: randomUUID() },
    { params: { id }, body: { reason: "录入错误", version: (await shop.bill(id)).version } },
  );
const adjusting = async (id: number) => {
  const { lines } = await shop.bill(id);
  const changes = [{ lineId: lines[0]!.id, mode: "minus" as const, value: 50_000 }];
  const how = { changes, reason: "漏水补偿" };
  const { hash } = await house.did(previewAdjust, { as: keeper }, { params: { id }, body: how });
  const sent = { params: { id }, body: { ...how, previewHash: hash } };
  return house.ask(adjustBill, { as: keeper, key: randomUUID() }, sent);
};
/** Money over the counter, and what listens to it. */
const atCounter = async (...ids: number[]) => {
  const owed = (await open(...ids)).reduce((a, b) => a + b, 0);
  await shop.taken(await shop.receipt(ids, owed));
  await house.deliver();
};

describe("a code for bills", () => {
  test("pays two bills whole with one flow, once, and says so", async () => {
    const ids = [
      await newBill("3月租金"),
      await newBill("3月物业费", { lines: [aLine("property", 20_000)] }),
    ];
    const [code, ...more] = await shown(ids);
    expect(more).toEqual([]);
    expect(code).toMatchObject({
      amount: 320_000,
      channel: "till",
      title: expect.stringContaining("等 2 笔账单"),
    });
    const twice = await Promise.all([pay(code!.token), pay(code!.token)]);
    expect(twice.map((t) => t.status)).toEqual([200, 200]);
    expect(await open(...ids)).toEqual([0, 0]);
    expect(await flowsOf(code!.orderNo)).toEqual([
      { amount: 320_000, allocated: 320_000, unallocated: 0, fee: 0, state: "confirmed" },
    ]);
    const now = await house.did(getPayOrder, { as: cashier }, { params: { id: code!.id } });
    expect(now).toMatchObject({ state: "paid", outcome: "held" });
    expect(await shop.sound()).toEqual([]);
  });

  test("is one for the same bills, and replaced by one that would pay a line twice", async () => {
    const [a, b] = [await newBill("甲"), await newBill("乙")];
    const [first] = await shown([a]);
    expect((await shown([a]))[0]).toMatchObject({ id: first!.id, token: first!.token });
    const both = await Promise.all([showing([a]), showing([a])]);
    expect(both.map((t) => t.body.data[0]!.id)).toEqual([first!.id, first!.id]);
    const [second] = await shown([a, b]);
    expect(await order(first!.id)).toMatchObject({ state: "closed", why: "重新出示收款码" });
    expect((await pay(first!.token)).status).toBe(409);
    expect((await pay(second!.token)).status).toBe(200);
    expect(await open(a, b)).toEqual([0, 0]);
  });

  test("that is shown while the payer pays is refused, and the payment counts", async () => {
    const a = await newBill("正在付");
    const [first] = await shown([a]);
    await paidUntold(house, till, first!.orderNo);
    const again = await showing([a], {
      shares: [{ billId: a, lineId: (await shop.bill(a)).lines[0]!.id, amount: 100 }],
    });
    expect(again.body.message).toBe("客户已扫码付款，请刷新后查看");
    expect(await open(a)).toEqual([0]);
  });

  test("that was paid and then booked by hand ends with that flow when the channel tells of it", async () => {
    const a = await newBill("先补录");
    const [first] = await shown([a]);
    const { body, headers } = await paidUntold(house, till, first!.orderNo);
    const { amount, tradeNo } = JSON.parse(body) as { amount: number; tradeNo: string };
    const { flowNo } = await acting(house, async (act) => {
      const receipt = {
        ...{ villageId: store.villageId, partyId, channel: "till" as const, merchantAccountId: till },
        ...{ amount, paidAt: NOW, channelTradeNo: tradeNo, wants: [], usePrepaid: false },
      };
      return receive(act, receipt, (await previewReceipt(act, receipt)).hash);
    });
    const told = await Promise.all([notify(house, till, body, headers), notify(house, till, body, headers)]);
    expect(told.map((t) => t.statusCode)).toEqual([200, 200]);
    expect(await order(first!.id)).toMatchObject({ state: "paid" });
    expect(await flowsOf(first!.orderNo)).toEqual([]);
    expect(await open(a)).toEqual([300_000]);
    expect((await shop.messages("收款单已有补录流水%")).map((m) => m.content)).toEqual([
      expect.stringContaining(flowNo!),
    ]);
    expect(await shop.sound()).toEqual([]);
  });

  test("pays the parts that were chosen at the counter", async () => {
    const a = await newBill("分次付", { lines: [aLine("rent", 300_000), aLine("property", 20_000)] });
    const [rent, property] = (await shop.bill(a)).lines;
    const shares = [
      { billId: a, lineId: rent!.id, amount: 100_000 },
      { billId: a, lineId: property!.id, amount: 20_000 },
    ];
    const over = [{ ...shares[0]!, amount: 300_001 }];
    expect((await showing([a], { shares: over })).body.fields).toEqual([
      { field: "shares", msg: "超过该费用的未收金额" },
    ]);
    const [code] = await shown([a], { shares });
    expect(code!.amount).toBe(120_000);
    await pay(code!.token);
    expect((await shop.bill(a)).lines.map((l) => l.outstanding)).toEqual([200_000, 0]);
  });

  test("takes late fee grown by today; what is paid before midnight and told after pays as asked", async () => {
    house.setClock("2026-03-11T23:50:00+08:00");
    // seven days behind the three of grace: 7 × 3,000.00 × 0.05% = 10.50
    const a = await newBill("有滞纳金");
    const [code] = await shown([a]);
    expect(code!.amount).toBe(301_050);
    house.setClock("2026-03-12T00:05:00+08:00");
    expect((await pay(code!.token)).status).toBe(200);
    // the eighth day: 1.50 more stands open
    expect(await open(a)).toEqual([150]);
    expect(await flowsOf(code!.orderNo)).toMatchObject([{ allocated: 301_050, unallocated: 0 }]);
  });

  test("lives as long as the store says", async () => {
    const owner = { enterpriseId: house.enterpriseId, villageId: store.villageId };
    await setBilling({ tx: db }, owner, { payOrderMinutes: 5 });
    const a = await newBill("五分钟");
    const { body } = await showing([a]);
    expect(new Date(body.data[0]!.expiresAt).toISOString()).toBe("2026-03-02T02:05:00.000Z");
    await setBilling({ tx: db }, owner, { payOrderMinutes: 30 });
  });

  test("is two where deposits go to an account of their own", async () => {
    const contractId = await aContract(house, store, partyId);
    const { enterpriseId } = house;
    const supervised = await addAccount({ tx: db }, { enterpriseId, name: "押金监管", kind: "till" });
    const at = { villageId: store.villageId, payType: "till", terminal: "h5" };
    await db
      .insertInto("villageAccount")
      .values({ ...at, purpose: "deposit", merchantAccountId: supervised })
      .execute();
    const a = await newBill("首期", {
      contractId,
      lines: [aLine("rent", 300_000), aLine("deposit", 200_000)],
    });
    const codes = await shown([a]);
    expect(codes.map((c) => c.amount)).toEqual([300_000, 200_000]);
    for (const { token } of codes) expect((await pay(token)).status).toBe(200);
    expect(await open(a)).toEqual([0]);
    const { rows } = await house.database.pool.query(
      `select merchant_account_id "accountId", amount::int from flow where out_trade_no = any($1) order by amount`,
      [codes.map((c) => c.orderNo)],
    );
    expect(rows).toEqual([
      { accountId: supervised, amount: 200_000 },
      { accountId: till, amount: 300_000 },
    ]);
    await house.database.pool.query("delete from village_account where merchant_account_id = $1", [
      supervised,
    ]);
    expect(await shop.sound()).toEqual([]);
  });

  test("is not for strangers, for bills of two customers, for void ones, nor where a store has no account", async () => {
    const a = await newBill("权限");
    expect((await showing([a], {}, stranger)).status).toBe(404);
    const reader = await house.person({ permits: ["26.query", "26.get"], villages: [store.villageId] });
    expect((await showing([a], {}, reader)).status).toBe(403);
    const [{ id } = { id: 0 }] = await shown([a]);
    for (const call of [getPayOrder, askPayOrder, closePayOrder])
      expect((await house.ask(call, { as: stranger }, { params: { id } })).status).toBe(404);
    const clerk = await house.person({ permits: ["26.add"], villages: [store.villageId] });
    expect((await showing([a], {}, clerk)).status).toBe(200);
    expect((await house.ask(getPayOrder, { as: clerk }, { params: { id } })).status).toBe(200);
    const other = await newBill("别人", {
      partyId: await aParty(house, "李四", { villageId: store.villageId }),
    });
    expect((await showing([a, other])).body.fields).toEqual([
      { field: "billIds", msg: "请选择同一客户、同一门店的应收账单" },
    ]);
    expect((await voiding(other)).status).toBe(200);
    expect((await showing([other])).body.message).toMatch(/^账单 ZD\S+ 已作废/);
    const paid = await newBill("已付");
    await atCounter(paid);
    expect((await showing([paid])).body.message).toBe("所选账单没有待付金额");
    await house.database.pool.query(
      "update village_account set enabled = false where merchant_account_id = $1",
      [till],
    );
    const b = await newBill("无账户");
    expect((await showing([b])).body.message).toBe("该门店未配置收款账户");
    await house.database.pool.query(
      "update village_account set enabled = true where merchant_account_id = $1",
      [till],
    );
  });
});

describe("a payment while something happens to its bills", () => {
  test("voided before it is told: the money is prepaid, and finance hears of it once", async () => {
    const [a, b] = [await newBill("作废的"), await newBill("留下的", { lines: [aLine("rent", 100_000)] })];
    const before = await shop.prepaid();
    const [code] = await shown([a, b]);
    const { body, headers } = await paidUntold(house, till, code!.orderNo);
    expect((await voiding(a)).status).toBe(200);
    for (let i = 0; i < 2; i++) expect((await notify(house, till, body, headers)).statusCode).toBe(200);
    expect(await open(b)).toEqual([0]);
    expect(await flowsOf(code!.orderNo)).toMatchObject([
      { amount: 400_000, allocated: 100_000, unallocated: 300_000 },
    ]);
    expect((await shop.prepaid()) - before).toBe(300_000);
    expect(await order(code!.id)).toMatchObject({ state: "paid", outcome: "kept" });
    const told = (await shop.messages("扫码收款转入预存款：张三")).filter((m) =>
      m.content.includes(code!.orderNo),
    );
    expect(told).toHaveLength(1);
    expect(told[0]!.content).toContain("3,000.00 元转入预存款");
    expect(await shop.sound()).toEqual([]);
  });

  test("adjusted: what is owed now is paid, the rest is prepaid", async () => {
    const a = await newBill("减免的");
    const before = await shop.prepaid();
    const [code] = await shown([a]);
    const { body, headers } = await paidUntold(house, till, code!.orderNo);
    expect((await adjusting(a)).status).toBe(200);
    await notify(house, till, body, headers);
    expect(await open(a)).toEqual([0]);
    expect(await flowsOf(code!.orderNo)).toMatchObject([{ allocated: 250_000, unallocated: 50_000 }]);
    expect((await shop.prepaid()) - before).toBe(50_000);
    expect(await shop.sound()).toEqual([]);
  });

  test("paid at the counter: its code is taken back; what the channel took before is prepaid", async () => {
    const [a, b] = [await newBill("柜台一"), await newBill("柜台二")];
    const [idle] = await shown([a]);
    await atCounter(a);
    expect(await order(idle!.id)).toMatchObject({ state: "closed", why: "账单已变化" });
    expect((await pay(idle!.token)).status).toBe(409);
    const before = await shop.prepaid();
    const [code] = await shown([b]);
    const late = await paidUntold(house, till, code!.orderNo);
    await atCounter(b);
    // the run after the counter asked the channel, which told of the payment
    expect(await order(code!.id)).toMatchObject({ state: "paid", outcome: "kept" });
    expect((await notify(house, till, late.body, late.headers)).statusCode).toBe(200);
    expect((await shop.prepaid()) - before).toBe(300_000);
    expect(await flowsOf(code!.orderNo)).toMatchObject([{ allocated: 0, unallocated: 300_000 }]);
    expect(await shop.sound()).toEqual([]);
  });

  test("voided, adjusted or paid at the same moment: the money is always somewhere, once", async () => {
    for (let i = 0; i < 6; i++) {
      const a = await newBill(`同时${i}`);
      const before = await shop.prepaid();
      const [code] = await shown([a]);
      const { body, headers } = await paidUntold(house, till, code!.orderNo);
      const counter = await shop.receipt([a], 300_000);
      const beside = [() => shop.taken(counter).catch(() => undefined), () => voiding(a), () => adjusting(a)];
      const [told] = await Promise.all([notify(house, till, body, headers), beside[i % 3]!()]);
      // a channel that was refused for the moment tells again
      if (told.statusCode !== 200) expect((await notify(house, till, body, headers)).statusCode).toBe(200);
      const [flow] = await flowsOf(code!.orderNo);
      expect(flow.allocated + flow.unallocated).toBe(300_000);
      expect((await shop.prepaid()) - before).toBe(flow.unallocated);
    }
    expect(await shop.sound()).toEqual([]);
  });

  test("another amount than the order's is prepaid whole, and said on the order", async () => {
    const a = await newBill("金额不符");
    const before = await shop.prepaid();
    const [code] = await shown([a]);
    const wrong = await paidUntold(house, till, code!.orderNo, 290_000);
    expect((await notify(house, till, wrong.body, wrong.headers)).statusCode).toBe(200);
    expect(await open(a)).toEqual([300_000]);
    expect((await shop.prepaid()) - before).toBe(290_000);
    expect(await order(code!.id)).toMatchObject({
      outcome: "kept",
      problem: expect.stringContaining("2900.00"),
    });
  });
});

describe("a channel that answers late, never, or is cut off", () => {
  test("timed out it is asked before the code is closed", async () => {
    const [a, b] = [await newBill("未付"), await newBill("付了没说")];
    const [[idle], [silent]] = [await shown([a]), await shown([b])];
    await paidUntold(house, till, silent!.orderNo);
    house.setClock("2026-03-02T10:31:00+08:00");
    await shop.tending();
    expect(await order(idle!.id)).toMatchObject({ state: "closed", why: "超过有效期" });
    expect(await order(silent!.id)).toMatchObject({ state: "paid", outcome: "held" });
    expect(await open(a, b)).toEqual([300_000, 0]);
  });

  test("what is told of a code that was closed counts", async () => {
    const a = await newBill("关闭后到账");
    const [code] = await shown([a]);
    const { body, headers } = await paidUntold(house, till, code!.orderNo);
    await house.database.pool.query("update pay_order set state = 'closed' where id = $1", [code!.id]);
    expect((await notify(house, till, body, headers)).statusCode).toBe(200);
    expect(await open(a)).toEqual([0]);
    expect(await order(code!.id)).toMatchObject({ state: "paid" });
  });

  test("killed at any statement between the channel's yes and the booking: all or nothing, and booked by the next", async () => {
    let all = 0;
    for (let round = -1; round < 8; round++) {
      const a = await newBill(`中断${round}`);
      const [code] = await shown([a]);
      const { body, headers } = await paidUntold(house, till, code!.orderNo);
      const at = round < 0 ? 0 : 1 + Math.floor(((round + Math.random()) / 8) * (all + 1));
      const struck = strike(house, at);
      const told = await notify(house, till, body, headers);
      const counted = struck();
      if (round < 0) {
        all = counted;
        expect(all).toBeGreaterThan(20);
        continue;
      }
      expect([at, told.statusCode]).toEqual([at, 503]);
      expect([at, await open(a)]).toEqual([at, at > all ? [0] : [300_000]]);
      expect(await flowsOf(code!.orderNo)).toHaveLength(at > all ? 1 : 0);
      // the clerk asks, or the minute's run: the channel says yes once more
      await house.did(askPayOrder, { as: cashier }, { params: { id: code!.id } });
      expect(await open(a)).toEqual([0]);
      expect((await notify(house, till, body, headers)).statusCode).toBe(200);
      expect(await flowsOf(code!.orderNo)).toHaveLength(1);
    }
    expect(await shop.sound()).toEqual([]);
  }, 120_000);
});

test("a code ends with the account that it is for: of the store that gives it up, or of all", async () => {
  const boss = await house.person({ superType: "1" });
  const bill = await newBill("5月租金");
  const first = (await shown([bill]))[0]!;
  // the counter keeps the account, and so does H5 for deposits: neither shows codes for rent
  const also = { villageId: store.villageId, payType: "till" as const, merchantAccountId: till };
  await linkAccount({ tx: db }, { ...also, terminal: "counter" });
  await db
    .insertInto("villageAccount")
    .values({ ...also, terminal: "h5", purpose: "deposit" })
    .execute();
  const bound = await db
    .selectFrom("villageAccount")
    .select(["id", "version"])
    .where((at) => at.and({ merchantAccountId: till, terminal: "h5", purpose: "all" }))
    .executeTakeFirstOrThrow();
  await house.did(removeBinding, { as: boss }, { query: { id: bound.id, version: bound.version } });
  await house.deliver();
  expect(await order(first.id)).toMatchObject({ state: "closed", why: "收款账户已停用" });
  await linkAccount(
    { tx: db },
    { villageId: store.villageId, payType: "till", merchantAccountId: till, terminal: "h5" },
  );
  const second = (await shown([bill]))[0]!;
  // who pays before the code has ended has paid
  const paid = await paidUntold(house, till, second.orderNo);
  const { version } = await db
    .selectFrom("merchantAccount")
    .select("version")
    .where("id", "=", till)
    .executeTakeFirstOrThrow();
  await house.did(disableAccount, { as: boss }, { params: { id: till }, body: { version } });
  await house.deliver();
  expect(paid.body).toBeTruthy();
  expect(await order(second.id)).toMatchObject({ state: "paid" });
  expect(await open(bill)).toEqual([0]);
});
