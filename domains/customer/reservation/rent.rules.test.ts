import { expect, test } from "vitest";
import {
  belowLowest,
  contractRent,
  earnestWarning,
  lowestText,
  monthlyRent,
  rentText,
} from "./reservation.rules.ts";

const AREA = "86.50";
const year = { moveInDay: "2026-12-01", plannedEndDay: "2027-11-30" };

test("a rent is said with what it counts", () => {
  expect(rentText({ rent: 300_000, unit: "month" })).toBe("3,000.00 元/月");
  expect(rentText({ rent: 450, unit: "sqmDay" })).toBe("4.50 元/㎡·天");
});

test("a month has 365 ÷ 12 days: 120.00 a day is 3,650.00, 86.50 m² at 4.50 a day are 11,839.69", () => {
  expect(monthlyRent({ rent: 300_000, unit: "month" }, AREA)).toBe(300_000);
  expect(monthlyRent({ rent: 12_000, unit: "day" }, AREA)).toBe(365_000);
  expect(monthlyRent({ rent: 450, unit: "sqmDay" }, AREA)).toBe(1_183_969);
});

test("定金 above a fifth of the whole rent warns, 订金 does not", () => {
  const of = { ...year, area: AREA, unit: "month" as const, earnestKind: "定金", rent: 300_000 };
  expect(earnestWarning({ ...of, earnest: 720_000 })).toBeUndefined();
  expect(earnestWarning({ ...of, earnest: 720_001 })).toBe("超过合同总额20%的部分不具定金效力");
  expect(earnestWarning({ ...of, earnestKind: "订金", earnest: 900_000 })).toBeUndefined();
  expect(earnestWarning({ ...of, plannedEndDay: null, earnest: 900_000 })).toBeUndefined();
});

test("the fifth of thirty days at 120.00 a day is 720.00; of ten days at 4.50 a m² and day over 86.50 m² 778.50", () => {
  const days = { area: AREA, earnestKind: "定金", unit: "day" as const, rent: 12_000 };
  const month = { moveInDay: "2026-12-01", plannedEndDay: "2026-12-30" };
  expect(earnestWarning({ ...days, ...month, earnest: 72_000 })).toBeUndefined();
  expect(earnestWarning({ ...days, ...month, earnest: 72_001 })).toBeDefined();
  const shop = {
    ...days,
    unit: "sqmDay" as const,
    rent: 450,
    moveInDay: "2026-12-01",
    plannedEndDay: "2026-12-10",
  };
  expect(earnestWarning({ ...shop, earnest: 77_850 })).toBeUndefined();
  expect(earnestWarning({ ...shop, earnest: 77_851 })).toBeDefined();
});

test("the lowest price speaks in its own unit; unlike units meet by the month", () => {
  const price = { lowestPrice: 450, unit: "sqmDay" as const };
  expect(belowLowest({ rent: 450, unit: "sqmDay" }, price, AREA)).toBeUndefined();
  const below = belowLowest({ rent: 449, unit: "sqmDay" }, price, AREA)!;
  expect(below).toEqual({ rent: 449, unit: "sqmDay", lowest: 450 });
  expect(lowestText(below)).toBe("低于底价 4.50 元/㎡·天，需审批");
  expect(belowLowest({ rent: 1_183_969, unit: "month" }, price, AREA)).toBeUndefined();
  expect(belowLowest({ rent: 1_183_968, unit: "month" }, price, AREA)).toEqual({
    rent: 1_183_968,
    unit: "month",
    lowest: 1_183_969,
  });
  expect(belowLowest({ rent: 11_999, unit: "day" }, { lowestPrice: 365_000, unit: "month" }, AREA)).toEqual({
    rent: 364_970,
    unit: "month",
    lowest: 365_000,
  });
});

test("a contract begins with a month's rent; priced by area it keeps the price of the square metre", () => {
  expect(contractRent({ rent: 12_000, unit: "day" }, AREA)).toEqual({ rent: 365_000, unitPrice: null });
  expect(contractRent({ rent: 450, unit: "sqmDay" }, AREA)).toEqual({ rent: 1_183_969, unitPrice: "4.50" });
});
