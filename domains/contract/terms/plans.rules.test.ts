import { expect, test } from "vitest";
import { chipOf, chipsOf, choosing } from "./plans.rules.ts";

const plans = [
  { depositMonths: 1, payMonths: 3, adjustPercent: 0, default: true },
  { depositMonths: 1, payMonths: 12, adjustPercent: -5, default: false },
  { depositMonths: 2, payMonths: 0, adjustPercent: 2.5, default: false },
];
const chips = chipsOf(plans);
const room = { roomId: 7, listPrice: 300_000 };
const form = (monthlyRent: number, pricing: "month" | "areaDay" = "month") => ({
  pricing,
  rooms: [
    { roomId: 7, monthlyRent },
    { roomId: 8, monthlyRent: 300_000 },
  ],
});

test("a product's ways of paying are chips, and the one that the terms stand on is found", () => {
  expect(chips.map((c) => [c.text, c.percent, c.usual])).toEqual([
    ["押一付三", 0, true],
    ["押一付十二", -5, false],
    ["押二付全期", 2.5, false],
  ]);
  const at = (months: string, cycleMonths: 3 | 12) =>
    chipOf(chips, { deposit: { mode: "months", months }, cycleMonths });
  expect(at("1", 12)).toBe(chips[1]);
  expect(at("1.0", 3)).toBe(chips[0]);
  expect(at("2", 12)).toBeUndefined();
});

test("押一付十二 at -5 % of 3,000.00 is 2,850.00; only the room of the product moves", () => {
  expect(choosing(form(300_000), chips[1]!, chips, room)).toEqual({
    deposit: { mode: "months", months: "1" },
    cycleMonths: 12,
    rooms: [
      { roomId: 7, monthlyRent: 285_000 },
      { roomId: 8, monthlyRent: 300_000 },
    ],
  });
  expect(choosing(form(285_000), chips[2]!, chips, room).rooms?.[0]?.monthlyRent).toBe(307_500);
});

test("a rent that is not there yet, or only the list price, is proposed anew", () => {
  const rent = (monthlyRent: number) =>
    choosing(form(monthlyRent), chips[2]!, [], room).rooms?.[0]?.monthlyRent;
  expect([rent(0), rent(300_000), rent(285_000)]).toEqual([307_500, 307_500, 285_000]);
});

test("a rent that somebody typed stays, and so does a price by area", () => {
  expect(choosing(form(291_000), chips[1]!, chips, room).rooms?.[0]?.monthlyRent).toBe(291_000);
  expect(choosing(form(300_000, "areaDay"), chips[1]!, chips, room)).not.toHaveProperty("rooms");
  expect(choosing(form(0), chips[1]!, chips, { roomId: 7, listPrice: null })).not.toHaveProperty("rooms");
});
