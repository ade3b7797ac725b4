import { idCheckDigit } from "../../../platform/kernel/certificate.ts";
import type { TestHouse } from "../../../platform/server/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { renterInput } from "./renter-input.contract.ts";
import type { z } from "zod";
import { createRenter } from "./renter.service.ts";

let count = 0;

/** A right ID number of its own; odd sequences are men. */
export function anIdNumber(birthday = "1994-06-18", sequence = ++count): string {
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
