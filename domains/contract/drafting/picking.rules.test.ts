import { expect, test } from "vitest";
import { pickedAfter, sieved } from "./picking.rules.ts";

const room = { id: 1, kind: "whole" };
const parking = (id: number) => ({ id, kind: "parking" });

test("a tenant has one room and up to five units beside it: a sixth is refused, and nothing is lost", () => {
  const full = [room, ...[11, 12, 13, 14, 15].map(parking)];
  expect(pickedAfter("renter", full.slice(0, 5), parking(15))).toEqual({ ids: [1, 11, 12, 13, 14, 15] });
  expect(pickedAfter("renter", full, parking(16))).toEqual({ refused: "一份合同最多一间主房和五个附属单元" });
  // also before a room to live in is picked
  expect(pickedAfter("renter", full.slice(1), parking(16))).toHaveProperty("refused");
  expect(pickedAfter("renter", full, parking(13))).toEqual({ ids: [1, 11, 12, 14, 15] });
  expect(pickedAfter("renter", full, { id: 2, kind: "whole" })).toEqual({ ids: [2, 11, 12, 13, 14, 15] });
});

test("companies pick many", () => {
  expect(pickedAfter("company", [room], { id: 2, kind: "room" })).toEqual({ ids: [1, 2] });
  expect(pickedAfter("company", [room], room)).toEqual({ ids: [] });
});

test("rooms are narrowed by where they face and what they cost", () => {
  const south = { orientation: "南", price: 300_000 };
  expect(sieved({}, south)).toBe(true);
  expect([sieved({ orientation: "南" }, south), sieved({ orientation: "北" }, south)]).toEqual([true, false]);
  expect(sieved({ least: 300_000, most: 300_000 }, south)).toBe(true);
  expect([sieved({ least: 300_001 }, south), sieved({ most: 299_999 }, south)]).toEqual([false, false]);
  const agreed = { orientation: "南", price: null };
  expect([sieved({}, agreed), sieved({ most: 500_000 }, agreed)]).toEqual([true, false]);
});
