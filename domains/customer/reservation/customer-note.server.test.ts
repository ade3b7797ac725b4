import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { mergeRenters } from "../renter/acts.contract.ts";
import { getRenter } from "../renter/renter.contract.ts";
import { aRenter } from "../renter/renter.sample.ts";
import jobs from "../reservation-acts/reservation.job.ts";
import { aDesk, aHeldReservation, reservationOf } from "./reservation.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house);
const { pool } = house.database;
const texts = async () =>
  (
    await pool.query<{ recipient: string; body: string }>(
      "select recipient, body from outbox where source = 'notice' and party_id is not null order by id",
    )
  ).rows;
const night = async () => {
  for (const job of jobs.filter((j) => j.cron)) await perform(house, job, {}, "test");
};

test("the customer hears that the room is kept, a day before its end, and when it is not kept any more, each once", async () => {
  const made = await aHeldReservation(house, desk, { name: "苏瑾", phone: "13911112222" });
  const { holdUntil, roomName } = await reservationOf(house, desk, made.id);
  expect(await texts()).toHaveLength(1);
  expect((await texts())[0]!.recipient).toBe("13911112222");
  expect((await texts())[0]!.body).toContain(`${roomName}已为您保留至${holdUntil}`);

  house.setClock(`${holdUntil}T09:00:00+08:00`);
  await pool.query("update reservation set hold_until = hold_until + 1 where id = $1", [made.id]);
  await night();
  await night();
  expect(await texts()).toHaveLength(2);
  expect((await texts())[1]!.body).toContain("过期后房间自动释放");

  await pool.query("update reservation set hold_until = hold_until - 2 where id = $1", [made.id]);
  await night();
  await night();
  expect(await texts()).toHaveLength(3);
  expect((await texts())[2]!.body).toContain("预订已失效");
  house.setClock("2026-11-20T09:00:00+08:00");
});

test("a record for which a room is kept does not disappear into another", async () => {
  const made = await aHeldReservation(house, desk, {
    name: "江晚",
    phone: "13911113333",
    roomId: await desk.room("1402"),
  });
  const { partyId, number } = await reservationOf(house, desk, made.id);
  const keepId = await aRenter(house, desk.villageId, { name: "江晚" });
  const as = await house.person({ permits: ["16.get", "16.edit", "#1602"], villages: [desk.villageId] });
  const version = async (id: number) => (await house.did(getRenter, { as }, { params: { id } })).version;
  const refused = await house.ask(
    mergeRenters,
    { as },
    {
      body: {
        keepId,
        keepVersion: await version(keepId),
        goneId: partyId,
        goneVersion: await version(partyId),
        take: [],
        reason: "同一个人",
      },
    },
  );
  expect(refused.body).toMatchObject({ reason: "reserved", message: expect.stringContaining(number) });
});
