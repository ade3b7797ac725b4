import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { aBuilding, aFlat, aVillage } from "../../listing/village/village.sample.ts";
import { overviewPlaces, overviewRanking } from "./overview.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const today = { from: "2026-11-20", to: "2026-11-20" };
let as: Person, stores: number[];

/** A district below a city. */
async function areaOf(city: string, area: string): Promise<number> {
  const one = async (name: string, level: string, parentId: number | null) =>
    (
      await pool.query<{ id: number }>(
        `insert into district (enterprise_id, name, level, parent_id) values ($1, $2, $3, $4) returning id`,
        [house.enterpriseId, name, level, parentId],
      )
    ).rows[0]!.id;
  return one(area, "area", await one(city, "city", null));
}

beforeAll(async () => {
  house.setClock("2026-11-20T10:00:00+08:00");
  const [binjiang, minhang] = [await areaOf("杭州", "滨江区"), await areaOf("上海", "闵行区")];
  stores = [
    await aVillage(house, { districtId: binjiang, lng: 120.211, lat: 30.208 }),
    await aVillage(house, { districtId: binjiang, lng: 120.2, lat: 30.2 }),
    await aVillage(house, { districtId: minhang }),
  ];
  // 4 rooms of which 3 are let, 2 of which none, 2 of which 1
  for (const [i, [all, let_]] of [
    [4, 3],
    [2, 0],
    [2, 1],
  ].entries()) {
    const villageId = stores[i]!;
    const at = await aBuilding(house, villageId);
    for (let n = 1; n <= all!; n++) {
      const roomId = (await aFlat(house, at, { name: `120${n}` })).roomIds[0]!;
      if (n <= let_!) await aLease(house, { villageId, roomId, start: "2026-03-01", rent: 300_000 });
    }
  }
  as = await house.person({ permits: ["139.query"], villages: stores });
});

test("stores stand where they are, and a city is the sum of its stores", async () => {
  const data = await house.did(overviewPlaces, { as }, { query: today });
  expect(data.stores.map((s) => [s.city, s.district, s.lng, s.lat, s.rooms, s.vacant])).toEqual([
    ["杭州", "滨江区", 120.211, 30.208, 4, 1],
    ["杭州", "滨江区", 120.2, 30.2, 2, 2],
    ["上海", "闵行区", null, null, 2, 1],
  ]);
  // of Hangzhou 3 of 6, not the mean of 75 % and 0 %
  expect(data.cities).toEqual([
    {
      name: "杭州",
      villageIds: stores.slice(0, 2),
      rooms: 6,
      vacant: 3,
      occupancyRate: 0.5,
      avgRent: 300_000,
    },
    { name: "上海", villageIds: stores.slice(2), rooms: 2, vacant: 1, occupancyRate: 0.5, avgRent: 300_000 },
  ]);
});

test("each store's rate on the map is that of the ranking", async () => {
  const { stores: placed } = await house.did(overviewPlaces, { as }, { query: today });
  const { list } = await house.did(overviewRanking, { as }, { query: today });
  const ranked = new Map(list.map((row) => [row.id, row]));
  for (const { id, rooms, vacant, occupancyRate } of placed)
    expect(ranked.get(id)).toMatchObject({ rooms, vacant, occupancyRate });
});

test("a store out of sight is on no map", async () => {
  const clerk = await house.person({ permits: ["139.query"], villages: [stores[2]!] });
  const seen = await house.did(overviewPlaces, { as: clerk }, { query: today });
  expect(seen.stores.map((s) => s.id)).toEqual([stores[2]]);
  expect(seen.cities.map((c) => c.name)).toEqual(["上海"]);
  const asked = { query: { ...today, villageIds: String(stores[0]) } };
  expect((await house.ask(overviewPlaces, { as: clerk }, asked)).status).toBe(404);
});

test("before its period a store has no figures", async () => {
  const coming = { from: "2026-12-01", to: "2026-12-31" };
  expect((await house.did(overviewPlaces, { as }, { query: coming })).stores).toEqual([]);
});
