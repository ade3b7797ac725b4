import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addTurnovers, finishRooms } from "../../listing/turnover/turnover.contract.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import { tellOfCleaned } from "./lead.job.ts";
import { aLead, aLettingOffice } from "./lead.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";

const house = await testHouse();
const { pool } = house.database;
let office: Awaited<ReturnType<typeof aLettingOffice>>, free: number, taken: number;

beforeAll(async () => {
  house.setClock("2026-11-20T10:00:00+08:00");
  office = await aLettingOffice(house);
  const at = await aBuilding(house, office.here);
  free = (await aFlat(house, at, { name: "1201" })).roomIds[0]!;
  taken = (await aFlat(house, at, { name: "1202" })).roomIds[0]!;
  await aLease(house, { villageId: office.here, roomId: taken, start: "2026-03-01" });
});

const told = async () =>
  (
    await pool.query<{ to: number; title: string; content: string; type: number }>(
      `select r.operator_id "to", m.title, m.content, m.type from message m join message_receipt r on r.message_id = m.id
       where m.title like '%已可入住%' order by r.operator_id`,
    )
  ).rows;

test("a clean, free room is told to whoever looks after somebody who wants such a room, once", async () => {
  const cleaner = await house.person({ permits: ["3.edit"], villages: [office.here] });
  const { rows } = await pool.query<{ price: number; kind: string }>(
    "select p.list_price price, r.kind from room_price p join room r on r.id = p.room_id where r.id = $1",
    [free],
  );
  const { price, kind } = rows[0]!;
  await aLead(house, office.zhao, office.here, { name: "合适", kind, budgetFrom: price, budgetTo: price });
  await aLead(house, office.zhao, office.here, { name: "随意" });
  await aLead(house, office.li, office.here, { name: "太贵", budgetTo: price - 1 });
  await aLead(house, office.stranger, office.there, { name: "别处" });
  await house.did(addTurnovers, { as: cleaner }, { body: { roomIds: [free] } });
  await house.did(finishRooms, { as: cleaner }, { body: { roomIds: [free], doneDay: "2026-11-20" } });
  await house.deliver();
  expect(await told()).toEqual([
    {
      to: office.zhao.operatorId,
      type: 4,
      title: expect.stringContaining("1201 已可入住，匹配 2 位客源"),
      content: "2026-11-20 完成保洁。可推荐给：合适、随意",
    },
  ]);
  // the event may come twice
  await acting(house, (act) => tellOfCleaned(act, [free], "2026-11-20"));
  expect(await told()).toHaveLength(1);
});

test("a room that somebody lives in is offered to nobody", async () => {
  await acting(house, (act) => tellOfCleaned(act, [taken], "2026-11-20"));
  expect(await told()).toHaveLength(1);
});
