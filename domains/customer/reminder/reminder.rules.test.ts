import { describe, expect, test } from "vitest";
import {
  dayText,
  dayWords,
  daysRefusal,
  goesAt,
  missedDays,
  spokenOf,
  timeHasCome,
  usualDays,
} from "./reminder.rules.ts";

test("days are counted from the day itself", () => {
  expect([-3, 0, 7].map(dayText)).toEqual(["前 3 天", "当天", "后 7 天"]);
  expect(dayWords("billDue", -3)).toBe("应收日前 3 天");
  expect(dayWords("contractEnd", 0)).toBe("合同到期日当天");
});

describe("each event has its days", () => {
  test("a bill is due until its day and overdue after it", () => {
    expect(daysRefusal("billDue", [-7, -3, 0])).toBeUndefined();
    expect(daysRefusal("billDue", [1])).toBe("账单待付的提醒日须在应收日前 60 天到应收日当天之间");
    expect(daysRefusal("overdue", [0])).toBe("账单逾期的提醒日须在应收日后 1 天到应收日后 90 天之间");
    expect(daysRefusal("overdue", [1, 3, 7, 15])).toBeUndefined();
    expect(daysRefusal("overdue", [3, 3])).toBe("提醒日不能重复");
  });

  test("only those are offered", () => {
    expect(usualDays("reservationEnd").every((day) => day <= 0)).toBe(true);
    expect(usualDays("overdue")).toContain(3);
    expect(usualDays("overdue")).not.toContain(0);
  });
});

describe("nobody is disturbed at night", () => {
  test("what would go in quiet hours goes in the morning", () => {
    expect(goesAt("09:00")).toEqual({ at: "09:00", moved: false });
    expect(goesAt("22:00")).toEqual({ at: "08:30", moved: true });
    expect(goesAt("08:00")).toEqual({ at: "08:30", moved: true });
  });

  test("a store may choose its own", () => {
    const siesta = { from: "12:00", to: "14:00" };
    expect(goesAt("13:00", siesta)).toEqual({ at: "14:00", moved: true });
    expect(timeHasCome("09:00", "12:30", siesta)).toBe(false);
    expect(timeHasCome("09:00", "22:00", siesta)).toBe(true);
  });

  test("the time comes once the clock is there, and not after 21:00", () => {
    expect(timeHasCome("09:00", "08:59")).toBe(false);
    expect(timeHasCome("09:00", "09:00")).toBe(true);
    expect(timeHasCome("09:00", "20:59")).toBe(true);
    expect(timeHasCome("09:00", "21:00")).toBe(false);
    expect(timeHasCome("22:00", "08:30")).toBe(true);
  });
});

describe("days on which no server ran", () => {
  test("are counted between the last that was gone through and today, three at most", () => {
    expect(missedDays("2026-11-19", "2026-11-20")).toBe(0);
    expect(missedDays("2026-11-20", "2026-11-20")).toBe(0);
    expect(missedDays("2026-11-18", "2026-11-20")).toBe(1);
    expect(missedDays("2026-10-01", "2026-11-20")).toBe(3);
    // a rule that was only just switched on has missed nothing
    expect(missedDays(null, "2026-11-20")).toBe(0);
  });

  test("a record is spoken of once, for the last of its days; what is true no more is not said", () => {
    expect(spokenOf("overdue", [3, 7], 0)).toEqual([
      { days: 3, offset: 3 },
      { days: 7, offset: 7 },
    ]);
    expect(spokenOf("overdue", [3, 4], 1)).toEqual([
      { days: 3, offset: 3 },
      { days: 4, offset: 4 },
      { days: 5, offset: 4 },
    ]);
    expect(spokenOf("billDue", [-1, 0], 2)).toEqual([
      { days: -1, offset: -1 },
      { days: 0, offset: 0 },
    ]);
  });
});
