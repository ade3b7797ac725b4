import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { roomDetail } from "../../listing/room-detail/detail.contract.ts";
import { roomTimeline } from "../../listing/status/overview.contract.ts";
import {
  countReservations,
  exportReservations,
  getReservation,
  listReservations,
  reservationRules,
  sendReservationPaper,
  reservationPaper,
} from "./reservation.contract.ts";
import { aDesk, aHeldReservation, aReservation } from "./reservation.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house);
const { clerk, boss, stranger } = desk;
const { pool } = house.database;
await aHeldReservation(house, desk, { name: "苏瑾", phone: "13911112222" });
await aReservation(house, desk, { roomId: await desk.room("1302") });
await aHeldReservation(house, desk, { roomId: await desk.room("1303"), earnestKind: "订金" });

describe("the list", () => {
  test("sums, counts and filters agree; a stranger sees nothing", async () => {
    const { list, total, sums } = await house.did(listReservations, { as: boss }, { query: {} });
    expect(total).toBe(list.length);
    expect(sums!.earnest).toBe(list.reduce((sum, r) => sum + r.earnest, 0));
    expect(sums!.received).toBe(list.reduce((sum, r) => sum + r.received, 0));
    const counts = await house.did(countReservations, { as: boss }, { query: {} });
    expect(counts.all).toBe(total);
    const held = await house.did(listReservations, { as: boss }, { query: { state: "held" } });
    expect(held.total).toBe(counts.held);
    const found = await house.did(listReservations, { as: boss }, { query: { keyword: "苏瑾" } });
    expect(found.list.map((r) => [r.partyName, r.phone])).toEqual([["苏瑾", "139****2222"]]);
    expect((await house.did(listReservations, { as: stranger }, { query: {} })).total).toBe(0);
    const params = { id: list[0]!.id };
    expect((await house.ask(getReservation, { as: stranger }, { params })).status).toBe(404);
    const file = await house.ask(exportReservations, { as: boss }, { query: { usage: "核对预订" } } as never);
    expect(file.status).toBe(200);
  });

  test("today's are those that begin or end today and still stand", async () => {
    house.setClock("2026-12-01T09:00:00+08:00");
    await pool.query("update reservation set hold_until = '2026-12-05' where state = 'held'");
    const { rows } = await pool.query(
      "select count(*)::int n from reservation where state in ('pending', 'held') and move_in_day = '2026-12-01'",
    );
    const today = await house.did(listReservations, { as: boss }, { query: { today: "1" } });
    expect(today.total).toBe(rows[0].n);
  });

  test("the paper is a PDF", async () => {
    const { list } = await house.did(listReservations, { as: boss }, { query: {} });
    const paper = await house.ask(reservationPaper, { as: clerk }, { params: { id: list[0]!.id } });
    expect(paper.raw.subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("the paper goes to the customer's address, once a day as it stands", async () => {
    const { list } = await house.did(listReservations, { as: boss }, { query: {} });
    const { id, partyId } = list[0]!;
    const sent = (as = clerk) => house.ask(sendReservationPaper, { as }, { params: { id } });
    expect((await sent()).body.message).toBe("该客户没有登记邮箱，请先在客户资料中填写");
    await pool.query("update renter set email = 'su@example.com' where id = $1", [partyId]);
    const both = await Promise.all([sent(), sent()]);
    expect(both.map((x) => x.body.data.sent).toSorted()).toEqual([false, true]);
    expect((await sent(stranger)).status).toBe(404);
    const { rows } = await pool.query(
      "select o.subject, o.file_id is not null paper, r.notice from outbox o join push_recipient r on r.outbox_id = o.id where o.recipient = 'su@example.com'",
    );
    expect(rows).toEqual([
      { subject: expect.stringMatching(/^房屋预订单 YD/), paper: true, notice: "预订单" },
    ]);
  });
});

test("the room says who has it, and its timeline leads to the reservation", async () => {
  const looking = await house.person({
    permits: ["3.query", "3.get", "16.query"],
    villages: [desk.villageId],
  });
  house.setClock("2026-11-20T09:00:00+08:00");
  const roomId = await desk.room("1310");
  const { id, number } = await aHeldReservation(house, desk, { roomId, name: "江晚" });
  const detail = await house.did(roomDetail, { as: looking }, { params: { roomId }, query: {} });
  expect(detail.occupancy).toMatchObject({
    value: "reserved",
    reason: { text: `${number} 江晚，2026-12-01 起，保留至 2026-11-25` },
  });
  expect(detail.reservation).toMatchObject({ id, state: "held", earnestKind: "定金", signing: false });
  const [bar] = await house.did(roomTimeline, { as: looking }, { params: { id: roomId }, query: {} });
  expect(bar).toMatchObject({ kind: "reservation", number, reservationId: id, title: "江晚 已预订" });
});

test("a store's own rules are what its form begins with", async () => {
  const query = { villageId: desk.villageId };
  await pool.query("update village_setting set earnest_kind = '订金' where village_id = $1", [
    desk.villageId,
  ]);
  expect(await house.did(reservationRules, { as: clerk }, { query })).toEqual({
    maxDays: 15,
    unpaidMinutes: 120,
    earnestKind: "订金",
  });
  expect((await house.ask(reservationRules, { as: stranger }, { query })).status).toBe(404);
});
