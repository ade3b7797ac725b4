import { expect, test } from "vitest";
import {
  type PricedRoom,
  totalsOf,
  priceIn,
  productLine,
  productMove,
  productText,
  roomLine,
  type ProductGiven,
} from "./change.rules.ts";

const room: PricedRoom = {
  roomId: 1,
  roomName: "1203",
  villageId: 7,
  area: "30.00",
  unit: "month",
  oldList: 300_000,
  oldLowest: 280_000,
  productId: null,
  followed: false,
  vacant: true,
  retired: false,
  other: "TJ1",
  laterDay: null,
};
const product: ProductGiven = {
  kind: "product",
  productId: 3,
  effectiveDay: "2026-12-01",
  listPrice: 315_000,
  lowestPrice: 300_000,
  villages: [{ villageId: 8, listPrice: 360_000, lowestPrice: 350_000 }],
};

test("a price of its own is compared by the month, whatever its unit", () => {
  const same = { listPrice: 300_000, lowestPrice: 280_000 };
  expect(roomLine(room, { ...same, unit: "month" })).toMatchObject({ skipped: true, why: "价格不变" });
  const daily = roomLine(room, { listPrice: 10_000, lowestPrice: 10_000, unit: "day" });
  expect(daily).toMatchObject({ skipped: false, unit: "day", oldUnit: "month", edited: false });
  // 100.00 a day for 365 / 12 days
  expect(totalsOf([daily])).toMatchObject({ oldSum: 300_000, newSum: 304_167, effect: 4_167 });
});

test("a room that follows stays with its product", () => {
  const line = productLine({ ...room, followed: true }, "month", {
    listPrice: 315_000,
    lowestPrice: 300_000,
  });
  expect(line).toMatchObject({ byProduct: true, newList: 315_000, warnings: [] });
});

test("a product's own prices differ by store, and its largest move counts", () => {
  expect([priceIn(product, 7).listPrice, priceIn(product, 8).listPrice]).toEqual([315_000, 360_000]);
  const before = [{ villageId: null, list: 300_000, lowest: 280_000 }];
  expect(productMove(product, before)).toBe(20);
  expect(productMove({ ...product, villages: [] }, before)).toBe(5);
  expect(productMove(product, [])).toBe(0);
  expect(productText(product, "month")).toBe("标价 3,150.00 元/月，1 个门店另定");
});
