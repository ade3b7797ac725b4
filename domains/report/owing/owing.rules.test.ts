import { describe, expect, test } from "vitest";
import { addDays } from "../../../platform/kernel/day.ts";
import { AGES, ageOf, dueOf, monthEndsTo } from "./owing.rules.ts";

describe("ages", () => {
  test("a bill is late from the day after it was due", () => {
    expect(ageOf("2026-03-01", "2026-03-02")).toBe("d30");
    expect(ageOf("2026-03-01", "2026-03-31")).toBe("d30");
    expect(ageOf("2026-03-01", "2026-04-01")).toBe("d60");
    expect(ageOf("2026-01-05", "2026-03-19")).toBe("d90");
    expect(ageOf("2025-03-01", "2026-03-01")).toBe("d365");
    expect(ageOf("2025-03-01", "2026-03-02")).toBe("over");
  });

  test("the due days of an age are the days whose bills fall into it", () => {
    const day = "2026-03-31";
    for (const { key } of AGES) {
      const { from, to } = dueOf(key, day);
      expect(ageOf(to, day)).toBe(key);
      if (from) expect(ageOf(from, day)).toBe(key);
      if (from) expect(ageOf(addDays(from, -1), day)).not.toBe(key);
      expect(key === "d30" ? addDays(to, 1) : ageOf(addDays(to, 1), day)).not.toBe(key);
    }
  });
});

test("month ends go back eleven months and close with the day itself", () => {
  expect(monthEndsTo("2026-03-19")).toEqual(
    "2025-04-30 2025-05-31 2025-06-30 2025-07-31 2025-08-31 2025-09-30 2025-10-31 2025-11-30 2025-12-31 2026-01-31 2026-02-28 2026-03-19".split(
      " ",
    ),
  );
});
