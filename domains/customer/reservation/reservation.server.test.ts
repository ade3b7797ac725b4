import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { recordHistory } from "../../system/log/log.contract.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { loseLead } from "../lead/acts.contract.ts";
import { getLead } from "../lead/lead.contract.ts";
import { aRenter } from "../renter/renter.sample.ts";
import { aLead } from "../lead/lead.sample.ts";
import { changeReservedRoom, extendReservation } from "../reservation-acts/acts.contract.ts";
import { addReservation } from "./reservation.contract.ts";
import {
  aReservingHouse,
  aHeldReservation,
  aReservation,
  bookOf,
  lapsing,
  ledgerBreaks,
  paying,
  reservationOf,
  typedReservation,
} from "./reservation.sample.ts";

const { house, desk } = await aReservingHouse({}, { permits: ["#601"] });
const { clerk, boss } = desk;
const { pool } = house.database;

const asking = (body: object, as = clerk) =>
  house.ask(addReservation, { as, key: randomUUID() }, { body: body as never });
const onTimeline = async (roomId: number) =>
  (
    await pool.query(
      `select kind, lower(period)::text "from", (upper(period) - 1)::text "to", reservation_id from occupancy_row where room_id = $1`,
      [roomId],
    )
  ).rows;

describe("reserving", () => {
  test("keeps the room, bills the money and holds it once paid; the ledger agrees", async () => {
    const { id, number } = await aReservation(house, desk);
    expect(number).toMatch(/^YD20261120-\d{6}$/);
    expect(await onTimeline(desk.roomId)).toEqual([
      { kind: "reservation", from: "2026-12-01", to: "2027-11-30", reservation_id: id },
    ]);
    const before = await reservationOf(house, desk, id);
    expect(before).toMatchObject({
      state: "pending",
      earnest: 100_000,
      received: 0,
      held: 0,
      payUntil: "2026-11-20T03:00:00.000Z",
    });
    expect(await bookOf(house, "2205")).toBe(100_000);
    expect((await paying(house, desk, id, 50_000)).body.fields).toEqual([
      { field: "amount", msg: "须一次收齐 1,000.00 元" },
    ]);
    const paid = await paying(house, desk, id);
    expect(paid.body.data.state).toBe("held");
    expect(await reservationOf(house, desk, id)).toMatchObject({
      state: "held",
      received: 100_000,
      held: 100_000,
    });
    expect(await bookOf(house, "2241")).toBe(100_000);
    expect(await bookOf(house, "2205")).toBe(0);
    expect((await paying(house, desk, id)).status).toBe(409);
    const { list } = await house.did(listMessages, { as: clerk }, { query: {} });
    expect(list[0]!.title).toContain("沈知夏已预订");
    const log = await house.did(
      recordHistory,
      { as: clerk },
      { params: { kind: "reservation", recordId: id }, query: {} },
    );
    expect(log.list.map((l) => l.action)).toEqual(["预订成功", "收定金", "预订"]);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("a second one for the same days names the first, also when two come at once", async () => {
    const roomId = await desk.room("1204");
    const bodies = [typedReservation({ ...desk, roomId }), typedReservation({ ...desk, roomId })];
    const answers = await Promise.all(bodies.map((body) => asking(body)));
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    const won = answers.find((a) => a.status === 200)!.body.data;
    const lost = answers.find((a) => a.status === 409)!.body;
    expect(lost.reason).toBe("roomTaken");
    expect(lost.message).toBe(`滨江店·3栋·1单元·1204 在 2026-12-01 至 2027-11-30 已被 ${won.number} 占用`);
    const { rows } = await pool.query("select count(*)::int n from bill where room_id = $1", [roomId]);
    expect(rows[0].n).toBe(1);
  });

  test("without money it is held at once; the same key reserves once", async () => {
    const roomId = await desk.room("1205");
    const body = typedReservation({ ...desk, roomId }, { earnest: 0 });
    const key = randomUUID();
    const answers = await Promise.all(
      [1, 2, 3].map(() => house.ask(addReservation, { as: clerk, key }, { body })),
    );
    expect(new Set(answers.map((a) => a.body.data.id)).size).toBe(1);
    expect(await reservationOf(house, desk, answers[0]!.body.data.id)).toMatchObject({
      state: "held",
      billId: null,
    });
  });

  test("wrong fields are refused in the words of the form", async () => {
    const fieldsOf = async (more: object) => (await asking(typedReservation(desk, more))).body.fields;
    expect(await fieldsOf({ name: "", phone: "12" })).toEqual(
      expect.arrayContaining([
        { field: "name", msg: "请输入客户姓名" },
        { field: "phone", msg: "手机格式不正确！" },
      ]),
    );
    expect(await fieldsOf({ moveInDay: "2026-11-19" })).toEqual([
      { field: "moveInDay", msg: "入住日不能早于今天" },
    ]);
    expect(await fieldsOf({ holdUntil: "2026-12-06" })).toEqual([
      { field: "holdUntil", msg: "预订保留期不能超过 15 天" },
    ]);
    expect(await fieldsOf({ plannedEndDay: "2026-11-30" })).toEqual([
      { field: "plannedEndDay", msg: "预计到期不能早于入住日" },
    ]);
  });

  test("a store that keeps rooms only once paid gives the room to whoever pays first", async () => {
    await pool.query("update village_setting set reservation_unpaid_minutes = 0 where village_id = $1", [
      desk.villageId,
    ]);
    const roomId = await desk.room("1206");
    const slow = await aReservation(house, desk, { roomId });
    const quick = await aReservation(house, desk, { roomId });
    expect(await onTimeline(roomId)).toEqual([]);
    expect((await paying(house, desk, quick.id)).body.data.state).toBe("held");
    const late = await paying(house, desk, slow.id);
    expect(late.body.data.state).toBe("kept");
    const lapsed = await reservationOf(house, desk, slow.id);
    expect(lapsed).toMatchObject({ state: "lapsed", held: 0 });
    expect(lapsed.endReason).toContain(quick.number);
    const { rows } = await pool.query("select balance::int from party_balance where party_id = $1", [
      lapsed.partyId,
    ]);
    expect(rows).toEqual([{ balance: 100_000 }]);
    await pool.query("update village_setting set reservation_unpaid_minutes = 120 where village_id = $1", [
      desk.villageId,
    ]);
    expect(await ledgerBreaks(house)).toEqual([]);
  });
});

describe("for somebody who is typed", () => {
  const partyOf = async (id: number) => (await reservationOf(house, desk, id)).partyId;

  test("the same name and phone are the same person; another name under that phone is asked for", async () => {
    const typed = { name: "魏晓峰", phone: "13911114444" };
    const first = await aReservation(house, desk, { ...typed, roomId: await desk.room("1501") });
    const roomId = await desk.room("1502");
    const refused = await asking(typedReservation({ ...desk, roomId }, { ...typed, name: "魏晓岚" }));
    expect(refused.body.fields).toEqual([
      { field: "phone", msg: "该手机号已登记：魏*，是同一人请直接选择客户，不是请先新建租客" },
    ]);
    expect(await onTimeline(roomId)).toEqual([]);
    // whoever shares the phone has a record too, the newer one: the name tells
    await aRenter(house, desk.villageId, { ...typed, name: "魏晓岚" });
    const second = await aReservation(house, desk, { ...typed, roomId });
    expect(await partyOf(second.id)).toBe(await partyOf(first.id));
  });

  test("a lead whose phone was registered under another name first says who it is", async () => {
    const leadId = await aLead(house, clerk, desk.villageId, { name: "魏女士", phone: "13911115555" });
    await aRenter(house, desk.villageId, { name: "魏晓梅", phone: "13911115555" });
    const roomId = await desk.room("1503");
    const refused = await asking(typedReservation({ ...desk, roomId }, { leadId, name: "", phone: "" }));
    expect(refused.body.fields).toEqual([
      { field: "partyId", msg: "该手机号已登记：魏*，请先在客源中选择客户" },
    ]);
  });
});

describe("for a lead", () => {
  test("its customer is registered on the way, it is reserved when the money is there, and free when it ends", async () => {
    const roomId = await desk.room("1207");
    const leadId = await aLead(house, clerk, desk.villageId, { name: "苏瑾", phone: "13911112222" });
    const { id } = await aReservation(house, desk, { roomId, leadId, name: "", phone: "" });
    const lead = () => house.did(getLead, { as: clerk }, { params: { id: leadId } });
    expect(await lead()).toMatchObject({ state: "new", partyName: "苏瑾" });
    const second = await asking(typedReservation({ ...desk, roomId: await desk.room("1208") }, { leadId }));
    expect(second.body.message).toBe("该客源已有进行中的预订，请先取消或换房间");
    await paying(house, desk, id);
    expect((await lead()).state).toBe("reserved");
    const { version } = await lead();
    const lost = await house.ask(
      loseLead,
      { as: clerk },
      { params: { id: leadId }, body: { version, lostReason: "价格过高" } },
    );
    expect(lost.body.message).toMatch(/^该客源有进行中的预订 YD\d{8}-\d{6}，请先取消预订$/);
    house.setClock("2026-11-26T00:00:10+08:00");
    await lapsing(house);
    expect((await lead()).state).toBe("following");
  });

  test("somebody else's lead is not there to be reserved for", async () => {
    const leadId = await aLead(house, boss, desk.villageId);
    expect((await asking(typedReservation(desk, { leadId }))).status).toBe(404);
  });
});

describe("changing it", () => {
  test("extended within the store's limit, counted from the day it was held", async () => {
    const { id } = await aHeldReservation(house, desk, { roomId: await desk.room("1209") });
    const { version } = await reservationOf(house, desk, id);
    const extend = (holdUntil: string, v = version) =>
      house.ask(extendReservation, { as: clerk }, { params: { id }, body: { version: v, holdUntil } });
    expect((await extend("2026-12-06")).body.fields).toEqual([
      { field: "holdUntil", msg: "预订保留期不能超过 15 天" },
    ]);
    expect((await extend("2026-11-25")).body.fields).toEqual([
      { field: "holdUntil", msg: "须晚于原保留日 2026-11-25" },
    ]);
    expect((await extend("2026-12-05")).status).toBe(200);
    expect((await extend("2026-12-05")).body.message).toBe("数据已被他人修改，请刷新后重试");
  });

  test("another room: one is freed and the other taken in one transaction, or neither", async () => {
    const [one, two, three] = [await desk.room("1301"), await desk.room("1302"), await desk.room("1303")];
    const { id } = await aHeldReservation(house, desk, { roomId: one });
    await aHeldReservation(house, desk, { roomId: three });
    const change = async (roomId: number) =>
      house.ask(
        changeReservedRoom,
        { as: clerk },
        {
          params: { id },
          body: { version: (await reservationOf(house, desk, id)).version, roomId, rent: 310_000 },
        },
      );
    expect((await change(three)).body.reason).toBe("roomTaken");
    expect(await onTimeline(one)).toHaveLength(1);
    expect((await change(two)).status).toBe(200);
    expect(await onTimeline(one)).toEqual([]);
    expect(await onTimeline(two)).toHaveLength(1);
    expect(await reservationOf(house, desk, id)).toMatchObject({
      roomId: two,
      rent: 310_000,
      received: 100_000,
    });
  });
});
