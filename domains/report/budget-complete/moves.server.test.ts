import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aSettler } from "../../contract/settlement/settlement.sample.ts";
import { settlementActs } from "../../contract/settlement/settlement.contract.ts";
import { listIndicators } from "../budget-indicator/budget-indicator.contract.ts";
import { seedIndicators } from "../budget-indicator/budget-indicator.service.ts";
import { indicatorComplete } from "./budget-complete.contract.ts";

const house = await testHouse();

test("rooms that are let and left are counted as soon as they are, and no more once a leaving is undone", async () => {
  const { shop, as, lease, agreed, confirm } = await aSettler(house);
  await seedIndicators({ tx: house.database.db }, house.enterpriseId);
  const finance = await house.person({ superType: "1" });
  const { list: indicators } = await house.did(listIndicators, { as: finance }, { query: { pageSize: 200 } });
  const idOf = (code: string) => indicators.find((one) => one.code === code)!.id;
  const counted = async (code: string, month: number) => {
    const query = { year: 2026, month, indicatorIds: String(idOf(code)), villageIds: String(shop.villageId) };
    const { list } = await house.did(indicatorComplete, { as: finance }, { query });
    return list[0]!.actual;
  };
  expect(await counted("newRooms", 3)).toBe(0);
  const { id } = await lease();
  expect(await counted("newRooms", 3)).toBe(1);
  await lease();
  expect(await counted("newRooms", 3)).toBe(2);

  house.setClock("2026-08-05T10:00:00+08:00");
  expect([await counted("newRooms", 3), await counted("leftRooms", 8)]).toEqual([2, 0]);
  const done = await agreed(id);
  const { version } = (await confirm(done)).body.data;
  expect(await counted("leftRooms", 8)).toBe(1);
  const body = { version, reason: "租客改期" };
  const undone = await house.ask(
    settlementActs.undo,
    { as, key: randomUUID() },
    { params: { id: done.id }, body },
  );
  expect(undone.status).toBe(200);
  expect(await counted("leftRooms", 8)).toBe(0);
});
