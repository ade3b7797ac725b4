import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import {
  askPayOrder,
  closePayOrder,
  getPayOrder,
  payTill,
  payWays,
  readTill,
} from "../../finance/pay-order/pay-order.contract.ts";
import orderJobs from "../../finance/pay-order/pay-order.job.ts";
import { aTill, notify, paidUntold } from "../../finance/pay-order/pay-order.sample.ts";
import { showReservationCode } from "./acts.contract.ts";
import {
  aDesk,
  aReservingHouse,
  aReservation,
  bookOf,
  lapsing,
  ledgerBreaks,
  paying,
  reservationOf,
} from "../reservation/reservation.sample.ts";

const { house, NOW, desk } = await aReservingHouse({ poolSize: 12 });
const { clerk, stranger, villageId } = desk;
const till = await aTill(house, villageId);
const { pool } = house.database;

const showing = (id: number, as = clerk) =>
  house.ask(showReservationCode, { as, key: randomUUID() }, { params: { id }, body: {} });
/** A reservation with its code shown. */
async function shown(room: string) {
  const { id } = await aReservation(house, desk, { roomId: await desk.room(room) });
  const { body } = await showing(id);
  return { id, order: body.data };
}
const atTill = (token: string) => house.ask(payTill, {}, { params: { token } });
const tending = () => perform(house, orderJobs[0]!, {}, randomUUID());
const flowsOf = async (id: number) =>
  (
    await pool.query(
      `select f.amount::int, f.channel, f.state, f.out_trade_no "outTradeNo" from flow f join reservation r
       on r.party_id = f.party_id where r.id = $1`,
      [id],
    )
  ).rows;
const prepaid = async (partyId: number) =>
  Number(
    (
      await pool.query("select coalesce(sum(balance), 0) fen from party_balance where party_id = $1", [
        partyId,
      ])
    ).rows[0].fen,
  );
const told = async (like: string) =>
  (
    await pool.query(
      "select m.title, m.content from message m where m.title like $1 order by m.id desc limit 1",
      [like],
    )
  ).rows[0];

describe("the code", () => {
  test("carries the amount of the server, is good as long as the room waits, and is one", async () => {
    const { id, order } = await shown("2001");
    expect(order).toMatchObject({ amount: 100_000, channel: "till", state: "created", code: null });
    expect(new Date(order.expiresAt).toISOString()).toBe("2026-11-20T03:00:00.000Z");
    const again = await showing(id);
    expect(again.body.data).toMatchObject({ id: order.id, token: order.token });
    const both = await Promise.all([showing(id), showing(id)]);
    expect(both.map((b) => b.body.data.id)).toEqual([order.id, order.id]);
  });

  test("is not shown where the store takes no money by a code, nor to strangers", async () => {
    const other = await aDesk(house, { village: "无码店" });
    const { id } = await aReservation(house, other);
    const no = await house.ask(
      showReservationCode,
      { as: other.clerk, key: randomUUID() },
      { params: { id }, body: {} },
    );
    expect(no.body.message).toBe("该门店未配置收款账户");
    const { id: mine, order } = await shown("2002");
    expect((await showing(mine, stranger)).status).toBe(404);
    for (const call of [getPayOrder, askPayOrder, closePayOrder])
      expect((await house.ask(call, { as: stranger }, { params: { id: order.id } })).status).toBe(404);
    expect((await house.ask(payWays, { as: stranger }, { query: { villageId } })).status).toBe(404);
    expect((await house.did(payWays, { as: clerk }, { query: { villageId } })).map((w) => w.channel)).toEqual(
      ["till"],
    );
  });

  test("at the till the payer sees what and whom, and pays once", async () => {
    const { id, order } = await shown("2003");
    const seen = await house.did(readTill, {}, { params: { token: order.token } });
    expect(seen).toMatchObject({ amount: 100_000, payer: "沈*夏", state: "created", secondsLeft: 7200 });
    expect(seen.payee).toBe("青禾公寓管理有限公司");
    const clearing = await bookOf(house, "1012");
    const twice = await Promise.all([atTill(order.token), atTill(order.token)]);
    expect(twice.map((t) => t.status)).toEqual([200, 200]);
    expect(twice[0]!.body.data.state).toBe("paid");
    expect(await reservationOf(house, desk, id)).toMatchObject({ state: "held", held: 100_000 });
    expect(await flowsOf(id)).toEqual([
      { amount: 100_000, channel: "till", state: "confirmed", outTradeNo: order.orderNo },
    ]);
    expect(await bookOf(house, "1012")).toBe(clearing - 100_000);
    const now = await house.did(getPayOrder, { as: clerk }, { params: { id: order.id } });
    expect(now).toMatchObject({ state: "paid", outcome: "held" });
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("an unknown address is none", async () => {
    const token = "x".repeat(43);
    expect((await house.ask(readTill, {}, { params: { token } })).status).toBe(404);
    expect((await atTill(token)).status).toBe(404);
  });

  test("taken back it cannot be paid; paid over the counter it is taken back", async () => {
    const { order } = await shown("2004");
    await house.did(closePayOrder, { as: clerk }, { params: { id: order.id } });
    expect((await atTill(order.token)).body.message).toBe("收款码已失效，请联系工作人员重新出示");
    const { id, order: second } = await shown("2005");
    expect((await paying(house, desk, id)).status).toBe(200);
    expect((await atTill(second.token)).status).toBe(409);
    expect((await flowsOf(id)).length).toBe(1);
  });

  test("what the channel took before the counter counts, and the counter is told", async () => {
    const { id, order } = await shown("2006");
    await paidUntold(house, till, order.orderNo);
    const key = randomUUID();
    const counter = await paying(house, desk, id, 100_000, key);
    expect(counter.body.message).toBe("客户已扫码付款，请刷新后查看");
    // pressed again it is not taken for done
    expect((await paying(house, desk, id, 100_000, key)).status).toBe(409);
    expect((await reservationOf(house, desk, id)).state).toBe("held");
    expect((await flowsOf(id)).map((f) => f.channel)).toEqual(["till"]);
  });
});

describe("notifications", () => {
  test("the same one twice, at once and later, moves money once", async () => {
    const { id, order } = await shown("2010");
    const { body, headers } = await paidUntold(house, till, order.orderNo);
    const both = await Promise.all([notify(house, till, body, headers), notify(house, till, body, headers)]);
    expect(both.map((b) => b.statusCode)).toEqual([200, 200]);
    expect((await notify(house, till, body, headers)).statusCode).toBe(200);
    expect((await reservationOf(house, desk, id)).state).toBe("held");
    expect((await flowsOf(id)).length).toBe(1);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("a forged one changes nothing: no signature, a wrong one, another body", async () => {
    const { id, order } = await shown("2011");
    const { body, headers } = await paidUntold(house, till, order.orderNo);
    expect((await notify(house, till, body)).statusCode).toBe(401);
    expect((await notify(house, till, body, { "till-signature": "00".repeat(32) })).statusCode).toBe(401);
    const richer = body.replace("100000", "100001");
    expect((await notify(house, till, richer, headers)).statusCode).toBe(401);
    expect(await flowsOf(id)).toEqual([]);
    expect((await reservationOf(house, desk, id)).state).toBe("pending");
    expect((await notify(house, till, body, headers)).statusCode).toBe(200);
  });

  test("one signed for another account finds no order there", async () => {
    const elsewhere = await aTill(house, (await aDesk(house, { village: "别店" })).villageId);
    const { id, order } = await shown("2012");
    const { body, headers } = await paidUntold(house, elsewhere, order.orderNo);
    expect((await notify(house, elsewhere, body, headers)).statusCode).toBe(404);
    expect(await flowsOf(id)).toEqual([]);
  });

  test("another amount is booked nowhere; it stands on the order and the clerk is told once", async () => {
    const { id, order } = await shown("2013");
    const wrong = await paidUntold(house, till, order.orderNo, 90_000);
    for (let i = 0; i < 2; i++) {
      const answer = await notify(house, till, wrong.body, wrong.headers);
      expect(answer.statusCode).toBe(409);
      expect(answer.json().message).toBe("渠道通知的金额 900.00 元与收款单 1000.00 元不符");
    }
    expect(await flowsOf(id)).toEqual([]);
    const now = await house.did(getPayOrder, { as: clerk }, { params: { id: order.id } });
    expect(now).toMatchObject({ state: "created", problem: expect.stringContaining("900.00") });
    const { rows } = await pool.query("select 1 from message where title = $1", [
      `收款金额不符：${order.title}`,
    ]);
    expect(rows.length).toBe(1);
  });

  test("one that comes after the lapse is kept as prepayment, and the owner is told how to go on", async () => {
    const { id, order } = await shown("2014");
    house.setClock("2026-11-20T10:59:58+08:00");
    const { body, headers } = await paidUntold(house, till, order.orderNo);
    house.setClock("2026-11-20T11:00:30+08:00");
    await lapsing(house);
    expect((await reservationOf(house, desk, id)).state).toBe("lapsed");
    expect((await notify(house, till, body, headers)).statusCode).toBe(200);
    const lapsed = await reservationOf(house, desk, id);
    expect(lapsed).toMatchObject({ state: "lapsed", held: 0 });
    expect(await prepaid(lapsed.partyId)).toBe(100_000);
    expect((await told("过期预订收到定金：%")).content).toContain("恢复预订");
    const now = await house.did(getPayOrder, { as: clerk }, { params: { id: order.id } });
    expect(now).toMatchObject({ state: "paid", outcome: "kept" });
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("lapse against notification: held, or kept for the customer, never lost", async () => {
    for (const room of ["2015", "2016", "2017"]) {
      house.setClock(NOW);
      const { id, order } = await shown(room);
      house.setClock("2026-11-20T10:59:59+08:00");
      const { body, headers } = await paidUntold(house, till, order.orderNo);
      house.setClock("2026-11-20T11:00:00+08:00");
      const [answer] = await Promise.all([notify(house, till, body, headers), lapsing(house)]);
      expect(answer.statusCode).toBe(200);
      const after = await reservationOf(house, desk, id);
      expect(await prepaid(after.partyId)).toBe(after.state === "held" ? 0 : 100_000);
    }
    expect(await ledgerBreaks(house)).toEqual([]);
  });
});

describe("the minute's run", () => {
  test("closes a code whose time is over, and books what was paid without a word", async () => {
    const { order } = await shown("2020");
    const { id, order: silent } = await shown("2021");
    await paidUntold(house, till, silent.orderNo);
    house.setClock("2026-11-20T11:00:00+08:00");
    await tending();
    await tending();
    const state = async (orderId: number) =>
      (await house.did(getPayOrder, { as: clerk }, { params: { id: orderId } })).state;
    expect(await state(order.id)).toBe("closed");
    expect(await state(silent.id)).toBe("paid");
    expect((await reservationOf(house, desk, id)).state).toBe("held");
    expect((await atTill(order.token)).status).toBe(409);
  });

  test("a person can ask at once", async () => {
    const { id, order } = await shown("2022");
    const ask = () => house.did(askPayOrder, { as: clerk }, { params: { id: order.id } });
    expect((await ask()).state).toBe("created");
    await paidUntold(house, till, order.orderNo);
    expect((await ask()).state).toBe("paid");
    expect((await reservationOf(house, desk, id)).state).toBe("held");
  });
});
