import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { reverseFlow } from "../../finance/flow/flow.contract.ts";
import {
  aDesk,
  aHeldReservation,
  ledgerBreaks,
  paying,
  reservationOf,
} from "../reservation/reservation.sample.ts";

const house = await testHouse({ work: true });
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house, { permits: ["#10202"] });
const { pool } = house.database;
/** Reverses the receipt of a reservation and waits until that has told. */
async function reverse(reservationId: number): Promise<void> {
  const { billId } = await reservationOf(house, desk, reservationId);
  const { rows } = await pool.query(
    "select f.id, f.version from flow f join allocation a on a.flow_id = f.id where a.bill_id = $1 and a.undoes_id is null order by a.id desc limit 1",
    [billId],
  );
  const { id, version } = rows[0];
  await house.did(
    reverseFlow,
    { as: desk.boss, key: randomUUID() },
    { params: { id }, body: { reason: "转账退回", version } },
  );
  await expect
    .poll(async () => (await reservationOf(house, desk, reservationId)).state, { timeout: 10_000 })
    .toBe("pending");
}
const taken = async (roomId: number) =>
  (await pool.query("select 1 from occupancy_row where room_id = $1", [roomId])).rows.length > 0;

test("a reservation whose receipt is reversed waits for its money again, and is held by the next", async () => {
  const roomId = await desk.room("1801");
  const { id } = await aHeldReservation(house, desk, { roomId });
  house.setClock("2026-11-21T10:00:00+08:00");
  await reverse(id);
  expect(await reservationOf(house, desk, id)).toMatchObject({
    state: "pending",
    held: 0,
    payUntil: "2026-11-21T04:00:00.000Z",
  });
  expect(await taken(roomId)).toBe(true);
  expect((await paying(house, desk, id)).body.data.state).toBe("held");
  expect(await reservationOf(house, desk, id)).toMatchObject({ state: "held", held: 100_000 });
  expect(await ledgerBreaks(house)).toEqual([]);
});

test("where only paid reservations keep a room, the room is free with the reversal", async () => {
  await pool.query("update village_setting set reservation_unpaid_minutes = 0 where village_id = $1", [
    desk.villageId,
  ]);
  const roomId = await desk.room("1802");
  const { id } = await aHeldReservation(house, desk, { roomId });
  expect(await taken(roomId)).toBe(true);
  await reverse(id);
  expect(await taken(roomId)).toBe(false);
});
