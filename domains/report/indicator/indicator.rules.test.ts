import { expect, test } from "vitest";
import {
  GIVEN_RULES,
  limitsOf,
  ofThem,
  reached,
  SHOWN_CODES,
  toneOf,
  unionOf,
  wanted,
  weighted,
} from "./indicator.rules.ts";

test("a share of a target: 2,886 of 3,038 days against 96 % is 98.95 %; of what should be little, less is all of it", () => {
  expect((reached("more", 2886 / 3038, 0.96)! * 100).toFixed(2)).toBe("98.95");
  expect(reached("less", 100_00, 120_00)).toBe(1);
  expect(reached("less", 160_00, 120_00)).toBe(0.75);
  expect(reached("more", null, 1)).toBeNull();
  expect(reached("more", 1, null)).toBeNull();
});

test("colours follow the limits, on the percent as it is written", () => {
  const given = GIVEN_RULES.occupancyRate;
  expect([0.99, 0.96, 0.93, null].map((share) => toneOf(share, given))).toEqual([
    "green",
    "gold",
    "red",
    "grey",
  ]);
  expect(toneOf(0.97999, given)).toBe("green");
  expect(toneOf(0.93, { greenFrom: 92, amberFrom: 80 })).toBe("green");
});

test("several roles see the union; one that nobody chose for sees everything, and so does nobody's choice", () => {
  expect(unionOf([])).toBeNull();
  expect(unionOf([null, null])).toBeNull();
  expect(
    unionOf([
      ["collected", "billed"],
      ["arrears", "billed"],
    ]),
  ).toEqual(["collected", "billed", "arrears"]);
  const open = unionOf([["collected"], null])!;
  expect(open[0]).toBe("collected");
  expect(open.toSorted()).toEqual([...SHOWN_CODES].toSorted());
});

test("a place shows its figures in the chosen order, else in its own; another one is refused", () => {
  const keys = ["billed", "arrears", "collected"] as const;
  expect(ofThem(null, keys)).toEqual(keys);
  expect(ofThem(["collected", "vacant", "billed"], keys)).toEqual(["collected", "billed"]);
  expect(wanted(["collected", "billed"], keys, ["billed"])).toEqual(["billed"]);
  expect(() => wanted(["collected", "billed"], keys, ["billed", "arrears"])).toThrow("没有权限");
});

test("a store's completion weighs its figures; those without a target do not count", () => {
  expect(
    weighted([
      { share: 0.9, weight: 3 },
      { share: 0.5, weight: 1 },
    ]),
  ).toBeCloseTo(0.8);
  expect(
    weighted([
      { share: 0.9, weight: 3 },
      { share: null, weight: 1 },
    ]),
  ).toBe(0.9);
  expect(weighted([{ share: 0.9, weight: 0 }])).toBeNull();
  expect(limitsOf([GIVEN_RULES.occupancyRate, GIVEN_RULES.billed])).toEqual({ greenFrom: 98, amberFrom: 95 });
});
