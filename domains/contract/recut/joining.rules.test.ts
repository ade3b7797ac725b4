import { expect, test } from "vitest";
import { planBills } from "../schedule/bills.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import { parted } from "./joining.rules.ts";

test("the bill of rooms that join is called by what stands on it, the fee of the whole contract stays with the other", () => {
  const fees = [{ feeId: 7, name: "物业费", kind: "recurring" as const, amount: 15_000, prorate: true }];
  const room = { monthlyRent: 300_000, unitPrice: null, area: null };
  const input = scheduleOf({
    start: "2026-03-15",
    end: "2026-09-14",
    terms: { ...DEFAULT_TERMS, cycleMonths: 1, fees },
    rooms: [
      { ...room, roomId: 1 },
      { ...room, roomId: 2, joinDate: "2026-03-25" },
    ],
  });
  const bills = parted(planBills(input).bills, new Set([2]), "2026-03-25", input);
  expect(bills.filter((b) => b.periodNo === 1).map((b) => b.title)).toEqual([
    "第1期租金、物业费",
    "加房第1期租金",
  ]);
});
