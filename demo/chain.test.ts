import { expect, test } from "vitest";
import { chainOf } from "./chain.ts";
import { PLACES } from "./stores/places.ts";

test("a company of an ordinary size has one store in each place", () => {
  const stores = chainOf(2000);
  expect(stores.map((s) => s.name)).toEqual(PLACES.map((p) => p.name));
  expect(stores.reduce((sum, s) => sum + s.rooms, 0)).toBe(2000);
});

test("a large one opens more stores: about a hundred for 100,000 rooms, none above 5,000, each with a name and code of its own", () => {
  const stores = chainOf(100_000);
  expect(stores.reduce((sum, s) => sum + s.rooms, 0)).toBe(100_000);
  expect(stores.length).toBeGreaterThan(80);
  expect(Math.max(...stores.map((s) => s.rooms))).toBe(5000);
  expect(new Set(stores.map((s) => s.name)).size).toBe(stores.length);
  expect(new Set(stores.map((s) => s.code)).size).toBe(stores.length);
});
