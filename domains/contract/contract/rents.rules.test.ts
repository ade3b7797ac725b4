import { expect, test } from "vitest";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { rentsOf } from "./contract.rules.ts";

const room = (roomId: number, monthlyRent: number) => ({ roomId, monthlyRent, area: null, unitPrice: null });
type Shown = Parameters<typeof rentsOf>[0];
const shown = (more: object): Shown =>
  ({
    startDate: "2026-03-15",
    endDate: "2027-03-14",
    anchorDate: null,
    terms: DEFAULT_TERMS,
    rooms: [room(1, 300_000), room(2, 50_000)],
    ...more,
  }) as Shown;
const steps = [
  {
    fromDate: "2026-09-15",
    mode: "percentCompound",
    value: "10",
    resultRent: 0,
    source: "manual",
    roomId: null,
  },
];

test("rents stand from day to day as they are charged", () => {
  expect(rentsOf(shown({ terms: { ...DEFAULT_TERMS, steps } }))).toEqual([
    { fromDate: "2026-03-15", rent: 350_000, rooms: [300_000, 50_000] },
    { fromDate: "2026-09-15", rent: 385_000, rooms: [330_000, 55_000] },
  ]);
});

test("a draft without its dates or rooms has the first rent alone", () => {
  const first = { rent: 350_000, rooms: [300_000, 50_000] };
  const terms = { ...DEFAULT_TERMS, steps };
  expect(rentsOf(shown({ terms, startDate: null }))).toEqual([{ fromDate: "", ...first }]);
  expect(rentsOf(shown({ terms, endDate: null }))).toEqual([{ fromDate: "2026-03-15", ...first }]);
  expect(rentsOf(shown({ terms, rooms: [] }))).toEqual([{ fromDate: "2026-03-15", rent: 0, rooms: [] }]);
});
