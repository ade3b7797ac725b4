import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import { leadMatches } from "./acts.contract.ts";
import { getLead } from "./lead.contract.ts";
import { aLead, aLettingOffice } from "./lead.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:15:00+08:00");
const { here, zhao } = await aLettingOffice(house);
const { pool } = house.database;
const at = await aBuilding(house, here);
/** A room of 86.50 m² at a list price of its own unit. */
async function priced(name: string, unit: string, listPrice: number) {
  const roomId = (await aFlat(house, at, { name, listPrice })).roomIds[0]!;
  await pool.query("update room set area = 86.5 where id = $1", [roomId]);
  await pool.query("update room_price set unit = $2 where room_id = $1", [roomId, unit]);
  return roomId;
}
const daily = await priced("1201", "day", 12_000);
const byArea = await priced("1202", "sqmDay", 450);
const monthly = await priced("1203", "month", 300_000);

async function matching(budgetFrom: number, budgetTo: number): Promise<number[]> {
  const id = await aLead(house, zhao, here, { budgetFrom, budgetTo });
  const list = await house.did(leadMatches, { as: zhao }, { params: { id } });
  expect((await house.did(getLead, { as: zhao }, { params: { id } })).matches).toBe(list.length);
  return list.map((room) => room.id);
}

test("120.00 a day suits a budget as 3,650.00 a month, 86.50 m² at 4.50 a m² and day as 11,839.69", async () => {
  // give or take a tenth: 3,650.00 lies between 0.9 × 4,055.55 and 1.1 × 3,318.19
  expect(await matching(405_555, 500_000)).toEqual([daily]);
  expect(await matching(405_556, 500_000)).toEqual([]);
  expect(await matching(100_000, 331_819)).toEqual([monthly, daily]);
  expect(await matching(100_000, 331_818)).toEqual([monthly]);
  expect(await matching(1_000_000, 1_200_000)).toEqual([byArea]);
  expect(await matching(1_320_000, 1_500_000)).toEqual([]);
});
