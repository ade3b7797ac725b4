import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addLead, getLead, listLeads } from "../lead/lead.contract.ts";
import { typedLead } from "../lead/lead.sample.ts";
import { addReservation, listReservations } from "./reservation.contract.ts";
import { aDesk, typedReservation } from "./reservation.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house);
const { pool } = house.database;

test("a village that is taken from somebody at work is gone with the next call, and half an act is none", async () => {
  const as = desk.clerk;
  const { id } = await house.did(addLead, { as }, { body: typedLead(desk.villageId) });
  expect((await house.did(listLeads, { as }, { query: {} })).total).toBe(1);
  // while the form is open
  await pool.query("update operator set village_ids = array_remove(village_ids, $2) where id = $1", [
    as.operatorId,
    desk.villageId,
  ]);
  expect((await house.did(listLeads, { as }, { query: {} })).total).toBe(0);
  expect((await house.ask(getLead, { as }, { params: { id } })).status).toBe(404);
  const refused = await house.ask(
    addReservation,
    { as, key: "taken-away-1" },
    { body: typedReservation(desk) },
  );
  expect(refused.status).toBe(404);
  const { rows } = await pool.query(
    `select (select count(*)::int from reservation) reservations, (select count(*)::int from occupancy_row where room_id = $1) kept,
       (select count(*)::int from bill where village_id = $2) bills`,
    [desk.roomId, desk.villageId],
  );
  expect(rows).toEqual([{ reservations: 0, kept: 0, bills: 0 }]);
  // given back, everything is as it was
  await pool.query("update operator set village_ids = village_ids || $2::bigint where id = $1", [
    as.operatorId,
    desk.villageId,
  ]);
  expect((await house.did(listLeads, { as }, { query: {} })).total).toBe(1);
  expect((await house.did(listReservations, { as }, { query: {} })).total).toBe(0);
});
