import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { deleteApartment, apartments } from "../apartment/apartment.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { rooms, addRoom, editRoom, retireRoom } from "./room.contract.ts";
import { setRoomPrice } from "../pricing/room-price.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const villages = [await aVillage(house), await aVillage(house)];
const permits = ["6.add", "6.edit", "6.delete", "6.query", "#601"] as const;
const as = await house.person({ permits: [...permits], villages });
const [flat, single] = await Promise.all([
  aFlat(house, await aBuilding(house, villages[0]!), { rooms: ["A", "B"] }),
  aFlat(house, await aBuilding(house, villages[1]!), {}),
]);
const [a, b] = flat.roomIds as [number, number];

/** Sums over the stores, which are kept, beside the same read from the rooms. */
const totals = async () => {
  const at = async (list: typeof rooms | typeof apartments, more: { areaFrom?: number }) => {
    const { total, sums } = await house.did(list, { as }, { query: { want: "totals", ...more } } as never);
    return { total, ...sums };
  };
  const [kept, read] = await Promise.all(
    [{}, { areaFrom: 0 }].map(async (more) => [await at(rooms, more), await at(apartments, more)]),
  );
  expect(kept).toEqual(read);
  return kept as unknown as [
    { rooms: number; area: number; listPrice: number },
    { total: number; grossArea: number },
  ];
};

test("sums of the lists stay those of the rooms through every change, and over midnight", async () => {
  expect((await totals())[0]).toMatchObject({ rooms: 3, area: 119.5, listPrice: 900_000 });
  await house.did(
    editRoom,
    { as },
    { params: { id: a }, body: { name: "A", area: 15.55, capacity: 1, version: 1 } },
  );
  expect((await totals())[0].area).toBe(120.05);
  const price = (listPrice: number, effectiveDay: string) =>
    house.did(setRoomPrice, { as }, { params: { id: b }, body: { listPrice, effectiveDay } });
  await price(250_000, "2026-11-20");
  expect((await totals())[0].listPrice).toBe(850_000);
  const body = { apartmentId: flat.id, name: "C", area: 11, capacity: 1, listPrice: 150_000 };
  await house.did(addRoom, { as }, { body });
  expect((await totals())[0]).toMatchObject({ rooms: 4, listPrice: 1_000_000 });
  await price(270_000, "2026-11-21");
  await house.did(
    retireRoom,
    { as },
    { params: { id: a }, body: { day: "2026-11-21", reason: "改作储藏", version: 2 } },
  );
  expect((await totals())[0]).toMatchObject({ rooms: 4, listPrice: 1_000_000 });
  house.setClock("2026-11-21T00:05:00+08:00");
  expect((await totals())[0]).toMatchObject({ rooms: 3, listPrice: 720_000 });
  await house.did(deleteApartment, { as }, { params: { id: single.id }, query: { version: 1 } });
  expect((await totals())[1]).toMatchObject({ total: 1, grossArea: 89.5 });
});
