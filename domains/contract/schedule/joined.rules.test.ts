import { expect, test } from "vitest";
import { dayNumber } from "../../../platform/kernel/day.ts";
import { roomPrices } from "./steps.rules.ts";

test("a step on the very day a room joins is already in its rent; the one of the day after is not", () => {
  const room = {
    roomId: 1,
    joinDate: "2026-05-01",
    monthlyRent: 100_000,
    unitPrice: null,
    area: null,
  } as never;
  const other = {
    roomId: 2,
    joinDate: "2026-01-01",
    monthlyRent: 100_000,
    unitPrice: null,
    area: null,
  } as never;
  const step = (fromDate: string) =>
    ({ fromDate, mode: "amount" as const, value: "5000", resultRent: 0 }) as never;
  const prices = (...days: string[]) =>
    roomPrices(
      {
        start: "2026-01-01",
        pricing: "month",
        rentRounding: "fen",
        rooms: [room, other],
        steps: days.map(step),
      },
      room,
    ).map((p) => [p.from, p.price]);
  const joined = [dayNumber("2026-05-01"), 100_000];
  expect(prices("2026-05-01")).toEqual([joined]);
  expect(prices("2026-04-30", "2026-05-02")).toEqual([joined, [dayNumber("2026-05-02"), 105_000]]);
});
