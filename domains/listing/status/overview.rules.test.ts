import { expect, test } from "vitest";
import { chosenCount, type Counts } from "../board/sieve.rules.ts";

const counts = { vacant: 3, holdingOver: 2, dirty: 4, arrearsRooms: 7 } as Counts;
const none = { occ: [], cond: [], flag: [] };

test("a filter of the board is counted village by village as long as it lies on one axis", () => {
  const late = chosenCount({ ...none, occ: ["holdingOver", "vacant"] })!;
  expect([late.title, late.of(counts)]).toEqual(["到期未退、空置", 5]);
  expect(chosenCount({ ...none, cond: ["dirty"] })!.of(counts)).toBe(4);
  expect(chosenCount({ ...none, flag: ["arrears"] })!.of(counts)).toBe(7);
  expect(chosenCount({ ...none, flag: ["signing"] })).toBeUndefined();
  expect(chosenCount({ ...none, occ: ["vacant"], cond: ["dirty"] })).toBeUndefined();
  expect(chosenCount(none)).toBeUndefined();
});
