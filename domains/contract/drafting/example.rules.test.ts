import { expect, test } from "vitest";
import type { ContractForm } from "../terms/terms.contract.ts";
import { blankForm, chargeSentence } from "./drafting.rules.ts";

const said = (more: Partial<ContractForm>, area: string | null = null) =>
  chargeSentence(
    blankForm({
      start: "2026-03-15",
      end: "2026-06-30",
      rooms: [{ roomId: 1, monthlyRent: 350_000 }],
      ...more,
    }),
    area,
  );

test("the first month that is not whole is shown with its days, whatever the cycle", () => {
  const last = "2026-06-15 ~ 06-30 共 16 天：3,500.00 × 16 ÷ 30 = 1,866.67";
  for (const cycleMonths of [1, 3, 6, 0] as const) expect(said({ cycleMonths })).toBe(last);
  expect(said({ calendarPeriods: true })).toBe("2026-03-15 ~ 03-31 共 17 天：3,500.00 × 17 ÷ 31 = 1,919.35");
  expect(said({ start: "2026-06-30" })).toBe("2026-06-30 ~ 06-30 共 1 天：3,500.00 × 1 ÷ 30 = 116.67");
});

test("a month that free days cut into is shown by the days that are left of it", () => {
  const free = (fromDate: string, toDate: string) => said({ rentFree: [{ fromDate, toDate }] });
  expect(free("2026-03-15", "2026-03-20")).toBe("2026-03-21 ~ 04-14 共 25 天：3,500.00 × 25 ÷ 31 = 2,822.58");
  expect(free("2026-04-25", "2026-04-26")).toBe("2026-04-15 ~ 04-24 共 10 天：3,500.00 × 10 ÷ 30 = 1,166.67");
  expect(free("2026-05-15", "2026-05-20")).toBe("2026-05-21 ~ 06-14 共 25 天：3,500.00 × 25 ÷ 31 = 2,822.58");
});

test("whole months alone have no example", () => {
  expect(said({ end: "2026-06-14" })).toBeUndefined();
});

test("it waits for room, days and rent, and for nothing else", () => {
  expect(said({ rooms: [] })).toBeUndefined();
  expect(said({ start: null })).toBeUndefined();
  expect(said({ end: null })).toBeUndefined();
  expect(said({ end: "2026-03-14" })).toBeUndefined();
  const rented = (monthlyRent: number) => said({ rooms: [{ roomId: 1, monthlyRent }] });
  expect(rented(0)).toBeUndefined();
  expect(rented(undefined as unknown as number)).toBeUndefined();
  expect(rented(1)).toContain("0.01 × 16 ÷ 30");
  const byArea = { pricing: "areaDay", rooms: [{ roomId: 1, monthlyRent: 0, unitPrice: "3" }] } as const;
  expect(said({ ...byArea, rooms: [...byArea.rooms] }, "40.00")).toContain("3,650.00 × 16 ÷ 30 = 1,946.67");
  expect(said({ ...byArea, rooms: [...byArea.rooms] })).toBeUndefined();
  // the deposit is still being typed
  expect(said({ deposit: { mode: "months", months: "" } })).toContain("1,866.67");
});
