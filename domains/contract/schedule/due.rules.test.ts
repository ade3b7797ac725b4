import { expect, test } from "vitest";
import { dueDate, dueOn, ruleDate } from "./slot.rules.ts";
import type { DueRule } from "./terms.rules.ts";

const fixed = (dueDay: number, dueMonthOffset: -1 | 0 | 1): DueRule => ({
  rule: "fixedDay",
  dueDay,
  dueMonthOffset,
});

test.each([
  [fixed(25, -1), "2026-05-31", "2026-04-25"],
  [fixed(31, -1), "2026-03-01", "2026-02-28"],
  [fixed(31, -1), "2028-03-01", "2028-02-29"],
  [fixed(31, 0), "2026-12-15", "2026-12-31"],
  [fixed(1, 0), "2026-03-15", "2026-03-01"],
  [fixed(10, 1), "2026-03-01", "2026-04-10"],
  [fixed(15, -1), "2026-01-20", "2025-12-15"],
  [{ rule: "advance", dueDays: 7 } as const, "2026-03-05", "2026-02-26"],
  [{ rule: "signing" } as const, "2026-03-05", null],
])("E25 %j of the period from %s is due on %s", (due, start, expected) => {
  expect(ruleDate(due, start)).toBe(expected);
});

test("a rule date before the signing moves to the signing; a preview waits without changing", () => {
  const due: DueRule = { rule: "advance", dueDays: 7 };
  expect(dueDate(due, "2026-06-15", false)).toEqual({ rule: "2026-06-08", onSigning: false });
  expect(dueDate(due, "2026-06-15", true).onSigning).toBe(true);
  expect(dueDate({ rule: "signing" }, "2026-06-15", false)).toEqual({ rule: null, onSigning: true });
  const later = { dueRuleDate: "2026-06-08", onSigning: false };
  expect(dueOn(later, "2026-06-10", 3)).toBe("2026-06-13");
  expect(dueOn(later, "2026-06-08", 3)).toBe("2026-06-08");
  expect(dueOn({ ...later, onSigning: true }, "2026-06-01")).toBe("2026-06-01");
  expect(dueOn({ dueRuleDate: null, onSigning: true }, "2026-03-12")).toBe("2026-03-12");
});
