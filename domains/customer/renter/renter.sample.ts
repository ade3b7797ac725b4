import { counter } from "../../../platform/server/database/counter.sample.ts";
import { idCheckDigit } from "../../../platform/kernel/texts/certificate.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, acting, aFlat, aVillage } from "../../listing/village/village.sample.ts";
import { renterInput } from "./renter.contract.ts";
import type { z } from "zod";
import { createRenter } from "./renter.service.ts";

const next = counter();

/** A right ID number of its own; odd sequences are men. */
export function anIdNumber(birthday = "1994-06-18", sequence = next()): string {
  const first17 = `330108${birthday.replaceAll("-", "")}${String(sequence % 1000).padStart(3, "0")}`;
  return first17 + idCheckDigit(first17);
}

export const typedRenter = (villageId: number, more: Partial<z.input<typeof renterInput>> = {}) => ({
  name: "张雅婷",
  phone: "13812345678",
  certType: "idCard" as const,
  certNo: anIdNumber(),
  source: "walkIn" as const,
  homeVillageId: villageId,
  ...more,
});

/** A registered renter of a village. */
export const aRenter = (
  house: TestHouse,
  villageId: number,
  more: Partial<z.input<typeof renterInput>> = {},
): Promise<number> =>
  acting(
    house,
    async (act) => (await createRenter(act, renterInput.parse(typedRenter(villageId, more)))).id,
    { villages: [villageId], name: "陈嘉禾" },
  );

const PERMITS = [
  "16.query",
  "16.get",
  "16.add",
  "16.edit",
  "16.delete",
  "16.import",
  "16.export",
  "#1601",
  "#1602",
  "#1603",
];

/** Two stores of one enterprise, with somebody at each who may do everything with renters. */
export async function twoStores(house: TestHouse) {
  const a = await aVillage(house);
  const b = await aVillage(house);
  const clerk = await house.person({ permits: PERMITS, villages: [a], name: "周敏" });
  const stranger = await house.person({ permits: PERMITS, villages: [b], name: "李四" });
  return { a, b, clerk, stranger };
}

/** Flats 1201, 1202 … let as a whole; answers their rooms. */
export async function someFlats(house: TestHouse, villageId: number, count: number): Promise<number[]> {
  const at = await aBuilding(house, villageId);
  const rooms = [];
  for (let i = 1; i <= count; i++)
    rooms.push((await aFlat(house, at, { name: String(1200 + i) })).roomIds[0]!);
  return rooms;
}
