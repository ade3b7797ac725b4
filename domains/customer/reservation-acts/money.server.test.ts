import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { previewFlow, receiveFlow } from "../../finance/flow/receive.contract.ts";
import { getRefund, confirmRefund, rerouteRefund } from "../../finance/refund/refund.contract.ts";
import { wantsOf } from "../../finance/flow/flow.sample.ts";
import {
  cancelReservation,
  forfeitReservation,
  payReservation,
  restoreReservation,
  showReservationCode,
} from "./acts.contract.ts";
import { listReservations } from "../reservation/reservation.contract.ts";
import {
  actingOn,
  aReservingHouse,
  aHeldReservation,
  aReservation,
  bookOf,
  lapsing,
  ledgerBreaks,
  paying,
  reservationOf,
} from "../reservation/reservation.sample.ts";

const { house, NOW, desk } = await aReservingHouse({ poolSize: 12 });
const { clerk, boss } = desk;
const { pool } = house.database;

const free = async (roomId: number) =>
  (await pool.query("select 1 from occupancy_row where room_id = $1", [roomId])).rows.length === 0;
const tile = async (roomId: number, day: string) =>
  (
    await pool.query(
      "select occupancy from room_status_at($1::date, $1::date, array[$2::bigint], array[$3::bigint])",
      [day, desk.villageId, roomId],
    )
  ).rows[0].occupancy;
const acting = actingOn(house, desk, "客户改变计划");
/** What its owner was told under a title. */
const told = async (title: string): Promise<string> =>
  (
    await pool.query(
      "select m.content from message m join message_receipt r on r.message_id = m.id where m.title = $1 and r.operator_id = $2",
      [title, clerk.operatorId],
    )
  ).rows[0]?.content;
const PREPAID = "select coalesce(sum(balance), 0) fen from party_balance where party_id = $1";
const prepaid = async (partyId: number) => Number((await pool.query(PREPAID, [partyId])).rows[0].fen);

describe("time", () => {
  test("unpaid for 120 minutes it lapses, its bill is void and the tile is 空 again", async () => {
    const roomId = await desk.room("1401");
    const { id } = await aReservation(house, desk, { roomId });
    expect(await tile(roomId, "2026-11-20")).toBe("reserved");
    house.setClock("2026-11-20T10:59:59+08:00");
    await lapsing(house);
    expect((await reservationOf(house, desk, id)).state).toBe("pending");
    house.setClock("2026-11-20T11:00:00+08:00");
    await lapsing(house);
    await lapsing(house);
    const lapsed = await reservationOf(house, desk, id);
    expect(lapsed).toMatchObject({ state: "lapsed", endReason: "未按时支付定金" });
    expect(await tile(roomId, "2026-11-20")).toBe("vacant");
    const { rows } = await pool.query("select status from bill where id = $1", [lapsed.billId]);
    expect(rows).toEqual([{ status: "void" }]);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("one that cannot lapse is named, and keeps no other from lapsing", async () => {
    const stuck = await aReservation(house, desk, { roomId: await desk.room("1491") });
    const { id } = await aReservation(house, desk, { roomId: await desk.room("1492") });
    await house.database.owner.query(
      `create function stay() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$;
       create trigger stay before update on reservation for each row when (new.id = ${stuck.id}) execute function stay()`,
    );
    house.setClock("2026-11-20T11:00:00+08:00");
    await expect(lapsing(house)).rejects.toThrow(`${stuck.number}：stuck`);
    expect((await reservationOf(house, desk, stuck.id)).state).toBe("pending");
    expect((await reservationOf(house, desk, id)).state).toBe("lapsed");
    await house.database.owner.query("drop trigger stay on reservation");
    await lapsing(house);
    expect((await reservationOf(house, desk, stuck.id)).state).toBe("lapsed");
  });

  test("earnest money that came by transfer is not taken again while that is not confirmed", async () => {
    const made = await aReservation(house, desk, { roomId: await desk.room("1493") });
    const transfer = { channel: "bankTransfer" as const, merchantAccountId: desk.accounts.bankTransfer };
    const body = { ...transfer, amount: 100_000 };
    const pay = () =>
      house.ask(payReservation, { as: clerk, key: randomUUID() }, { params: { id: made.id }, body });
    const { flowNo } = (await pay()).body.data;
    expect((await pay()).body.message).toBe(`流水 ${flowNo} 已收这笔定金，待确认，请先确认或驳回`);
    expect((await paying(house, desk, made.id)).status).toBe(409);
    const code = { params: { id: made.id }, body: {} };
    expect((await house.ask(showReservationCode, { as: clerk, key: randomUUID() }, code)).status).toBe(409);
  });

  test("past its day it lapses with its money held, and waits in the list of those to be decided", async () => {
    const roomId = await desk.room("1402");
    const { id, number } = await aHeldReservation(house, desk, { roomId });
    house.setClock("2026-11-25T23:59:00+08:00");
    await lapsing(house);
    expect((await reservationOf(house, desk, id)).state).toBe("held");
    house.setClock("2026-11-26T00:00:00+08:00");
    await lapsing(house);
    expect(await reservationOf(house, desk, id)).toMatchObject({ state: "lapsed", held: 100_000 });
    expect(await free(roomId)).toBe(true);
    const waiting = await house.did(
      listReservations,
      { as: clerk },
      { query: { state: "lapsed", kept: "1" } },
    );
    expect(waiting.list.map((r) => r.number)).toEqual([number]);
    expect(await told(`预订过期：沈知夏 滨江店·3栋·1单元·1402`)).toContain("定金 1,000.00 元待处理");
    expect((await acting(forfeitReservation, id)).status).toBe(200);
  });

  test("lapse against payment: either it is held, or the money is the customer's prepaid", async () => {
    for (const name of ["1403", "1404", "1405", "1406"]) {
      house.setClock(NOW);
      const { id } = await aReservation(house, desk, { roomId: await desk.room(name) });
      house.setClock("2026-11-20T11:00:00+08:00");
      const [paid] = await Promise.all([paying(house, desk, id), lapsing(house)]);
      expect(paid.status).toBe(200);
      const after = await reservationOf(house, desk, id);
      if (paid.body.data.state === "held") expect(after).toMatchObject({ state: "held", held: 100_000 });
      else expect(after).toMatchObject({ state: "lapsed", held: 0 });
      expect(await prepaid(after.partyId)).toBe(after.state === "held" ? 0 : 100_000);
    }
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("what comes too late is kept and told; 恢复预订 takes the room again while it is free", async () => {
    const roomId = await desk.room("1407");
    const { id } = await aReservation(house, desk, { roomId });
    house.setClock("2026-11-20T12:00:00+08:00");
    await lapsing(house);
    const late = await paying(house, desk, id);
    expect(late.body.data.state).toBe("kept");
    expect(await told("过期预订收到定金：沈知夏")).toContain("恢复预订");
    const lapsed = await reservationOf(house, desk, id);
    expect(await prepaid(lapsed.partyId)).toBe(100_000);
    const restore = (version: number) =>
      house.ask(
        restoreReservation,
        { as: clerk, key: randomUUID() },
        { params: { id }, body: { version, holdUntil: "2026-11-28" } },
      );
    const rival = await aReservation(house, desk, { roomId });
    expect((await restore(lapsed.version)).body.reason).toBe("roomTaken");
    await acting(cancelReservation, rival.id);
    expect((await restore(lapsed.version)).status).toBe(200);
    expect(await reservationOf(house, desk, id)).toMatchObject({
      state: "held",
      held: 100_000,
      holdUntil: "2026-11-28",
    });
    expect(await prepaid(lapsed.partyId)).toBe(0);
    expect(await free(roomId)).toBe(false);
    expect(await ledgerBreaks(house)).toEqual([]);
  });
});

describe("money that comes over the counter", () => {
  test("keeps the room too, when the bill is paid", async () => {
    const { id } = await aReservation(house, desk, { roomId: await desk.room("1410") });
    const { billId, partyId } = await reservationOf(house, desk, id);
    const body = {
      villageId: desk.villageId,
      partyId,
      amount: 100_000,
      channel: "cash" as const,
      merchantAccountId: desk.accounts.cash,
      wants: (await wantsOf(house, [billId!])).filter((w) => w.lineId !== null),
    };
    const { hash } = await house.did(previewFlow, { as: clerk }, { body });
    await house.did(receiveFlow, { as: clerk, key: randomUUID() }, { body: { ...body, previewHash: hash } });
    await house.deliver();
    expect(await reservationOf(house, desk, id)).toMatchObject({ state: "held", held: 100_000 });
  });
});

describe("ending it", () => {
  test("unpaid it is given up freely", async () => {
    const roomId = await desk.room("1411");
    const { id } = await aReservation(house, desk, { roomId });
    expect((await acting(cancelReservation, id)).body.data).toEqual({ refundNo: null });
    expect(await reservationOf(house, desk, id)).toMatchObject({ state: "cancelled", received: 0 });
    expect(await free(roomId)).toBe(true);
    expect((await paying(house, desk, id)).body.message).toBe("当前状态为“已取消”，不能收定金");
  });

  test("订金 of 500.00 cannot be forfeited; its refund goes the refund way, once", async () => {
    const roomId = await desk.room("1412");
    const held = await bookOf(house, "2241");
    const { id } = await aHeldReservation(house, desk, { roomId, earnestKind: "订金", earnest: 50_000 });
    expect((await acting(forfeitReservation, id)).body.message).toBe("订金不能没收");
    expect((await acting(cancelReservation, id)).body.message).toBe("已收定金，请选择退款");
    const twice = await Promise.all([
      acting(cancelReservation, id, { refund: true }),
      acting(cancelReservation, id, { refund: true }),
    ]);
    expect(twice.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(twice.find((a) => a.status === 200)!.body.data).toMatchObject({
      refundNo: expect.stringMatching(/^TK20261120-\d{6}$/),
    });
    expect(await reservationOf(house, desk, id)).toMatchObject({
      state: "refunding",
      held: 0,
      received: 50_000,
    });
    expect(await free(roomId)).toBe(true);
    expect(await bookOf(house, "2241")).toBe(held);
    expect(await bookOf(house, "2202")).toBe(50_000);
    const cash = await bookOf(house, "1001");
    const refundId = (await reservationOf(house, desk, id)).refundId!;
    const params = { id: refundId };
    const version = async () => (await house.did(getRefund, { as: boss }, { params })).version;
    await house.did(
      rerouteRefund,
      { as: boss, key: randomUUID() },
      { params, body: { version: await version(), route: "cash" } },
    );
    const seen = await version();
    const pay = () =>
      house.ask(
        confirmRefund,
        { as: boss, key: randomUUID() },
        { params, body: { version: seen, merchantAccountId: desk.accounts.cash } },
      );
    const paid = await Promise.all([pay(), pay()]);
    expect(paid.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(await bookOf(house, "2202")).toBe(0);
    expect(await bookOf(house, "1001")).toBe(cash + 50_000);
    expect((await reservationOf(house, desk, id)).state).toBe("refunded");
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("a forfeited 定金 pays the penalty it becomes", async () => {
    const roomId = await desk.room("1413");
    const held = await bookOf(house, "2241");
    const { id } = await aHeldReservation(house, desk, { roomId });
    expect(
      (
        await house.ask(
          forfeitReservation,
          { as: clerk, key: randomUUID() },
          { params: { id }, body: { version: 1, reason: "未签约" } },
        )
      ).status,
    ).toBe(403);
    expect((await acting(forfeitReservation, id)).body.data).toEqual({ waiting: null });
    expect(await reservationOf(house, desk, id)).toMatchObject({ state: "forfeited", held: 0 });
    expect(await bookOf(house, "2241")).toBe(held);
    const { rows } = await pool.query(
      `select b.status, b.settled::int, s.code from bill b join bill_line l on l.bill_id = b.id
       join fee_subject s on s.id = l.fee_subject_id where b.room_id = $1 and s.code = 'penalty'`,
      [roomId],
    );
    expect(rows).toEqual([{ status: "paid", settled: 100_000, code: "penalty" }]);
    expect(await ledgerBreaks(house)).toEqual([]);
  });
});
