import { expect, test } from "vitest";
import { blankForm } from "../drafting/drafting.rules.ts";
import { DEFAULT_TERMS } from "./plans.rules.ts";
import type { Limits } from "./product.rules.ts";
import { firstOf, liveBills, staleSteps } from "./check.rules.ts";
import type { ContractForm, Terms } from "./terms.contract.ts";
import { payTextOf, rentOn, scheduleOf } from "./terms.rules.ts";

test("the way of paying as people name it", () => {
  const text = (months: string, cycleMonths: Terms["cycleMonths"]) =>
    payTextOf({ deposit: { mode: "months", months }, cycleMonths });
  expect([text("1", 3), text("2", 1), text("1", 6), text("1", 12)]).toEqual([
    "押一付三",
    "押二付一",
    "押一半年付",
    "押一年付",
  ]);
  expect([text("0", 1), text("0.5", 1), text("1.5", 3), text("10.5", 1)]).toEqual([
    "免押付一",
    "押半月付一",
    "押一个半月付三",
    "押十个半月付一",
  ]);
  expect([text("11", 1), text("12", 1)]).toEqual(["押十一付一", "押十二付一"]);
  expect(text("1", 0)).toBe("押一 一次性付清");
  expect(payTextOf({ deposit: { mode: "amount", amount: 1 }, cycleMonths: 3 })).toBe("押定额付三");
});

const rooms = [1, 2].map((roomId) => ({
  roomId,
  monthlyRent: roomId * 100_000,
  unitPrice: null,
  area: null,
}));
const step = {
  fromDate: "2026-09-15",
  mode: "table",
  value: "150000",
  resultRent: 150_000,
  source: "manual",
} as const;
const agreed = (steps: Terms["steps"] = []) =>
  scheduleOf({ start: "2026-03-15", end: "2027-03-14", terms: { ...DEFAULT_TERMS, steps }, rooms });

test("the rent in force on a day", () => {
  const input = agreed([{ ...step, roomId: 1 }]);
  expect([rentOn(input, "2026-01-01"), rentOn(input, "2026-09-14"), rentOn(input, "2026-09-15")]).toEqual([
    300_000, 300_000, 350_000,
  ]);
});

test("a rent set by hand is out of date once the first rent it was set beside is another", () => {
  const input = agreed();
  expect([firstOf(input, 1), firstOf(input, 2), firstOf(input, null)]).toEqual([100_000, 200_000, 300_000]);
  const stale = (firstRent: number, roomId?: number) =>
    staleSteps([{ ...step, firstRent, ...(roomId && { roomId }) }], input);
  expect([stale(300_000), stale(200_000, 2), stale(100_000), stale(300_000, 2)]).toEqual([[], [], [0], [0]]);
  expect(staleSteps([step], input)).toEqual([]);
});

test("bills are shown as soon as nothing is open that they rest on", () => {
  const limits: Limits = {
    today: "2026-03-15",
    backdateDays: 90,
    maxDepositMonths: 0,
    maxPrepayMonths: 0,
    mayBackdate: false,
    rooms: [{ roomId: 1, name: "1203", kind: "room", area: "40.00", capacity: 2, gender: "any" }],
    party: undefined,
  };
  const live = (more: Partial<ContractForm> = {}) =>
    liveBills(
      blankForm({
        start: "2026-03-15",
        end: "2027-03-14",
        rooms: [{ roomId: 1, monthlyRent: 300_000 }],
        ...more,
      }),
      limits,
    );
  const { plan, errors } = live();
  expect([plan?.bills.length, errors.map((e) => e.field)]).toEqual([5, ["partyId"]]);
  expect(live({ rooms: [] }).plan).toBeUndefined();
  expect(live({ start: null }).plan).toBeUndefined();
  expect(live({ end: null }).plan).toBeUndefined();
  expect(live({ graceDays: 61 }).plan).toBeUndefined();
  const byArea = live({ pricing: "areaDay", rooms: [{ roomId: 1, monthlyRent: 0, unitPrice: "3" }] });
  expect(byArea.plan?.totals.deposit).toBe(365_000);
});
