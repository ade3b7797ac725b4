import { expect, test } from "vitest";
import { z } from "zod";
import { id } from "../field.ts";
import { idsNamedIn } from "./named-fields.ts";

const body = z
  .object({
    roomId: id,
    homeVillageId: id.nullish(),
    addVillages: z.array(id).default([]),
    allVillages: z.boolean(),
    prices: z.array(z.object({ villageId: z.number(), price: z.number() })),
    saved: z.unknown(),
  })
  .superRefine(() => {});
const query = z.object({
  villageIds: z
    .string()
    .transform((text) => text.split(",").map(Number))
    .optional(),
});

test("villages are found at any depth by the name of their field, and nothing else is", () => {
  const value = {
    roomId: 1,
    homeVillageId: 2,
    addVillages: [3, 4],
    allVillages: true,
    prices: [
      { villageId: 5, price: 6 },
      { villageId: 0, price: 7 },
    ],
    saved: { villageIds: [8] },
  };
  expect(idsNamedIn(body, value, "village")).toEqual([2, 3, 4, 5]);
  expect(idsNamedIn(body, { ...value, homeVillageId: null, addVillages: [], prices: [] }, "village")).toEqual(
    [],
  );
  expect(idsNamedIn(query, query.parse({ villageIds: "7,9" }), "village")).toEqual([7, 9]);
  expect(idsNamedIn(query, {}, "village")).toEqual([]);
});

test("entries of dictionaries are found by their names", () => {
  const bill = z.object({
    feeSubjectId: id,
    fees: z.array(z.object({ feeId: id, assetDicId: id })),
    feeling: id,
  });
  const value = { feeSubjectId: 1, fees: [{ feeId: 2, assetDicId: 3 }], feeling: 4 };
  expect(idsNamedIn(bill, value, "feeSubject")).toEqual([1, 2]);
  expect(idsNamedIn(bill, value, "assetDic")).toEqual([3]);
});
