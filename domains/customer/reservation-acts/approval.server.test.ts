import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { cancelReservation, changeReservedRoom, forfeitReservation } from "./acts.contract.ts";
import { addReservation } from "../reservation/reservation.contract.ts";
import {
  actingOn,
  aDesk,
  aReservation,
  lapsing,
  ledgerBreaks,
  paying,
  reservationOf,
  typedReservation,
} from "../reservation/reservation.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house);
const { clerk } = desk;
const { pool } = house.database;

const free = async (roomId: number) =>
  (await pool.query("select 1 from occupancy_row where room_id = $1", [roomId])).rows.length === 0;
const acting = actingOn(house, desk, "客户改变计划");

test("a rent below the lowest waits with the room kept; rejected it is free again", async () => {
  const admin = await house.person({ superType: "1", name: "许承锦" });
  const manager = await house.person({ villages: [desk.villageId], permits: ["15.query"], name: "罗佳宁" });
  const fallback = await house.person({ villages: [desk.villageId], name: "郭晓东" });
  const roomId = await desk.room("1414");
  await pool.query("update room_price set lowest_price = 280000 where room_id = $1", [roomId]);
  const open = await aReservation(house, desk, { roomId, rent: 270_000 });
  expect(open.waiting).toBeNull();
  await acting(cancelReservation, open.id);
  for (const moduleType of ["reservationBelowLowest", "earnestForfeit"])
    await aModule(house, admin, {
      moduleType,
      name: moduleType === "earnestForfeit" ? "没收审批" : "底价审批",
      villageIds: [desk.villageId],
      fallback,
      processes: [otherwise(asking("店长", [manager]))],
    });
  const decide = async (examineId: number, decision: "approve" | "reject") => {
    const { version } = await house.did(getExamine, { as: manager }, { params: { id: examineId } });
    return house.ask(
      decideExamine,
      { as: manager, key: randomUUID() },
      { params: { id: examineId }, body: { decision, version, comment: "不同意" } as never },
    );
  };
  const waitingFor = async (id: number) =>
    (
      await pool.query(
        "select id::int from examine where target_kind = 'reservation' and target_id = $1 and state = 'approving'",
        [id],
      )
    ).rows[0].id as number;
  const body = typedReservation({ ...desk, roomId }, { rent: 270_000 });
  const made = await house.did(addReservation, { as: clerk, key: randomUUID() }, { body });
  expect(made.waiting).toMatch(/^SP/);
  expect((await paying(house, desk, made.id)).body.reason).toBe("frozen");
  house.setClock("2026-11-20T15:00:00+08:00");
  await lapsing(house);
  expect(await reservationOf(house, desk, made.id)).toMatchObject({ state: "pending", frozen: true });
  expect((await decide(await waitingFor(made.id), "reject")).status).toBe(200);
  await house.deliver();
  expect((await reservationOf(house, desk, made.id)).state).toBe("cancelled");
  expect(await free(roomId)).toBe(true);

  const again = await house.did(
    addReservation,
    { as: clerk, key: randomUUID() },
    { body: typedReservation({ ...desk, roomId }, { rent: 270_000 }) },
  );
  expect((await decide(await waitingFor(again.id), "approve")).status).toBe(200);
  expect(await reservationOf(house, desk, again.id)).toMatchObject({
    state: "pending",
    payUntil: "2026-11-20T09:00:00.000Z",
  });
  expect((await paying(house, desk, again.id)).body.data.state).toBe("held");

  const cheaper = await desk.room("1415");
  await pool.query("update room_price set lowest_price = 280000 where room_id = $1", [cheaper]);
  const { version } = await reservationOf(house, desk, again.id);
  const changing = await house.ask(
    changeReservedRoom,
    { as: clerk },
    { params: { id: again.id }, body: { version, roomId: cheaper, rent: 260_000 } },
  );
  expect(changing.body.data).toEqual({ waiting: expect.stringMatching(/^SP/) });
  expect(await free(cheaper)).toBe(true);
  expect((await decide(await waitingFor(again.id), "approve")).status).toBe(200);
  expect(await free(roomId)).toBe(true);
  expect(await reservationOf(house, desk, again.id)).toMatchObject({ roomId: cheaper, rent: 260_000 });

  const waits = await acting(forfeitReservation, again.id);
  expect(waits.body.data).toEqual({ waiting: expect.stringMatching(/^SP/) });
  expect((await reservationOf(house, desk, again.id)).state).toBe("held");
  expect((await decide(await waitingFor(again.id), "approve")).status).toBe(200);
  expect((await reservationOf(house, desk, again.id)).state).toBe("forfeited");
  expect(await ledgerBreaks(house)).toEqual([]);
});
