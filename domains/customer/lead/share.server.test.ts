import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import { aLead, aLettingOffice } from "./lead.sample.ts";
import { leadMatches } from "./acts.contract.ts";
import { releaseLead } from "./acts.contract.ts";
import { shareRoom } from "./lead.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:15:00+08:00");
const { here, there, zhao, li, head, stranger } = await aLettingOffice(house);
const { pool } = house.database;
const room = async (villageId: number, name: string) =>
  (await aFlat(house, await aBuilding(house, villageId), { name, listPrice: 300_000 })).roomIds[0]!;
const roomId = await room(here, "1203");
await pool.query("update room_price set lowest_price = 287654 where room_id = $1", [roomId]);
await pool.query("update operator set phone = '13800001111' where id = $1", [zhao.operatorId]);
const leadId = await aLead(house, zhao, here, { moveInDay: "2026-12-01" });
const share = (as = zhao, of = roomId) =>
  house.ask(shareRoom, { as }, { params: { id: leadId }, query: { roomId: of } });

test("shows store, price and consultant; neither the door nor the lowest price leaves the house", async () => {
  const { body } = await share();
  const { rows } = await pool.query("select name from village where id = $1", [here]);
  expect(body.data).toMatchObject({
    storeName: rows[0].name,
    listPrice: 300_000,
    unit: "month",
    freeFrom: "2026-12-01",
    pictures: [],
    consultantName: "赵思源",
    consultantPhone: "13800001111",
  });
  const text = JSON.stringify(body.data);
  for (const hidden of ["1203", "287654"]) expect(text).not.toMatch(new RegExp(`\\b${hidden}\\b`));
  const [match] = await house.did(leadMatches, { as: zhao }, { params: { id: leadId } });
  expect(match).toMatchObject({ id: roomId, listPrice: 300_000, unit: "month" });
});

test("of a lead that may be seen and a room in its stores alone; a head shares in the consultant's name", async () => {
  expect((await share(li)).status).toBe(404);
  expect((await share(stranger)).status).toBe(404);
  expect((await share(zhao, await room(there, "1204"))).status).toBe(404);
  expect((await share(head)).body.data.consultantName).toBe("赵思源");
  await house.did(releaseLead, { as: zhao }, { params: { id: leadId }, body: { version: 1 } });
  expect((await share(head)).body.data.consultantName).toBe("陈嘉禾");
});
