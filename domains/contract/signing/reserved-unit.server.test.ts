import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { changeReservedRoom, convertReservation } from "../../customer/reservation-acts/acts.contract.ts";
import { addReservation, getReservation } from "../../customer/reservation/reservation.contract.ts";
import {
  aDesk,
  aHeldReservation,
  aReservation,
  ledgerBreaks,
  paying,
  reservationOf,
  typedReservation,
} from "../../customer/reservation/reservation.sample.ts";
import { addLeadWithRoom } from "../../customer/booking/with-room.contract.ts";
import { typedLead } from "../../customer/lead/lead.sample.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { aForm, LEASING, signed } from "../contract/contract.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house, { permits: LEASING });
const as = desk.clerk;
const { pool } = house.database;

/** A room of 86.50 m² at a price of its own unit. */
async function priced(name: string, unit: "day" | "sqmDay", list: number, lowest: number) {
  const roomId = await desk.room(name);
  await pool.query("update room set area = 86.5 where id = $1", [roomId]);
  await pool.query("update room_price set unit = $2, list_price = $3, lowest_price = $4 where room_id = $1", [
    roomId,
    unit,
    list,
    lowest,
  ]);
  return roomId;
}
const convert = async (id: number) =>
  house.did(
    convertReservation,
    { as },
    { params: { id }, body: { version: (await reservationOf(house, desk, id)).version } },
  );

test("86.50 m² at 4.50 a m² and day: 11,839.69 a month, in the reservation as in the contract that it becomes", async () => {
  const roomId = await priced("1601", "sqmDay", 450, 400);
  const { id } = await aHeldReservation(house, desk, { roomId, rent: 450, unit: "sqmDay" });
  expect(await reservationOf(house, desk, id)).toMatchObject({ rent: 450, unit: "sqmDay", warning: null });
  const start = await convert(id);
  expect(start).toMatchObject({ rent: 1_183_969, unitPrice: "4.50" });
  const made = await signed(
    house,
    as,
    aForm(
      { villageId: start.villageId, roomId, partyId: start.partyId },
      {
        start: start.start,
        end: start.end,
        rooms: [{ roomId, monthlyRent: start.rent, unitPrice: start.unitPrice }],
        pricing: "areaDay",
        basis: "area",
        cycleMonths: 1,
      },
    ),
    "2026-11-20",
  );
  const { rows } = await pool.query("select monthly_rent::int rent from contract where id = $1", [made.id]);
  expect(rows).toEqual([{ rent: 1_183_969 }]);
  const first = await pool.query(
    `select sum(amount)::int amount, sum(settled)::int received from bill
     where contract_id = $1 and due_date <= '2026-11-20'`,
    [made.id],
  );
  // deposit and rent of a month, less the 1,000.00 that was paid before
  expect(first.rows).toEqual([{ amount: 2_367_938, received: 100_000 }]);
  expect((await reservationOf(house, desk, id)).state).toBe("converted");
  expect(await ledgerBreaks(house)).toEqual([]);
});

test("120.00 a day becomes a contract at 3,650.00 a month; 定金 above a fifth of its thirty days warns", async () => {
  const roomId = await priced("1602", "day", 12_000, 10_000);
  const body = { roomId, rent: 12_000, unit: "day", plannedEndDay: "2026-12-30" };
  const { id } = await aHeldReservation(house, desk, { ...body, earnest: 72_000 });
  expect((await reservationOf(house, desk, id)).warning).toBeNull();
  expect(await convert(id)).toMatchObject({ rent: 365_000, unitPrice: null });
  const other = await priced("1603", "day", 12_000, 10_000);
  const more = await aReservation(house, desk, { ...body, roomId: other, earnest: 72_001 });
  expect((await reservationOf(house, desk, more.id)).warning).toBe("超过合同总额20%的部分不具定金效力");
});

test("in the forms of a contract a room is free for who has reserved it, and for nobody else", async () => {
  const roomId = await priced("1690", "day", 12_000, 10_000);
  const { id } = await aHeldReservation(house, desk, { roomId, rent: 12_000, unit: "day" });
  const { start, end, partyId } = await convert(id);
  const whys = async (more: object) =>
    (
      await house.did(
        roomOptions,
        { as },
        { query: { ids: String(roomId), from: start, to: end, ...more } as never },
      )
    ).map((r) => r.why);
  expect(await whys({ partyId })).toEqual([null]);
  expect(await whys({})).toEqual([expect.stringContaining("已被")]);
  expect(await whys({ partyId: partyId! + 1 })).toEqual([expect.stringContaining("已被")]);
});

test("a room that is taken with the enquiry counts as its price does", async () => {
  const roomId = await priced("1604", "day", 12_000, 10_000);
  const made = await house.did(
    addLeadWithRoom,
    { as, key: randomUUID() },
    { body: { ...typedLead(desk.villageId), roomId, earnest: 0 } },
  );
  const { rent, unit } = await house.did(getReservation, { as }, { params: { id: made.reservationId! } });
  expect({ rent, unit }).toEqual({ rent: 12_000, unit: "day" });
});

test("below the lowest price of its own unit it waits, and the approval names both; unlike units meet by the month", async () => {
  const admin = await house.person({ superType: "1", name: "许承锦" });
  const manager = await house.person({ villages: [desk.villageId], permits: ["15.query"], name: "罗佳宁" });
  const fallback = await house.person({ villages: [desk.villageId], name: "郭晓东" });
  await aModule(house, admin, {
    moduleType: "reservationBelowLowest",
    name: "底价审批",
    villageIds: [desk.villageId],
    fallback,
    processes: [otherwise(asking("店长", [manager]))],
  });
  const reserving = async (name: string, more: object) =>
    house.did(
      addReservation,
      { as, key: randomUUID() },
      { body: typedReservation({ ...desk, roomId: await priced(name, "sqmDay", 450, 400) }, more) },
    );
  expect((await reserving("1605", { rent: 400, unit: "sqmDay" })).waiting).toBeNull();
  const waits = await reserving("1606", { rent: 399, unit: "sqmDay" });
  expect(waits.waiting).toMatch(/^SP/);
  const { rows } = await pool.query(
    "select id::int from examine where target_kind = 'reservation' and target_id = $1",
    [waits.id],
  );
  const shown = await house.did(getExamine, { as: manager }, { params: { id: rows[0].id } });
  const text = JSON.stringify(shown);
  expect(text).toContain("3.99 元/㎡·天");
  expect(text).toContain("4.00 元/㎡·天");
  // 4.00 × 86.5 × 365 ÷ 12 = 10,524.17 a month
  expect((await reserving("1607", { rent: 1_052_417, unit: "month" })).waiting).toBeNull();
  expect((await reserving("1608", { rent: 1_052_416, unit: "month" })).waiting).toMatch(/^SP/);

  const held = await reserving("1609", { rent: 450, unit: "sqmDay" });
  expect((await paying(house, desk, held.id)).status).toBe(200);
  const roomId = await priced("1610", "day", 12_000, 10_000);
  const change = async (rent: number) =>
    house.did(
      changeReservedRoom,
      { as },
      {
        params: { id: held.id },
        body: { version: (await reservationOf(house, desk, held.id)).version, roomId, rent, unit: "day" },
      },
    );
  expect((await change(10_000)).waiting).toBeNull();
  expect(await reservationOf(house, desk, held.id)).toMatchObject({ roomId, rent: 10_000, unit: "day" });
});
