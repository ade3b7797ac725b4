import { expect, test } from "vitest";
import { planBills } from "./bills.rules.ts";
import { canonical } from "./net.rules.ts";
import { aSchedule } from "./schedule.sample.ts";

test("equal data give equal text, whatever order it was built in", () => {
  expect(canonical({ b: 1, a: [null, { d: "租金", c: undefined }] })).toBe('{"a":[null,{"d":"租金"}],"b":1}');
  expect(canonical({ a: -0 })).toBe(canonical({ a: 0 }));
  const { start, ...rest } = aSchedule();
  expect(canonical({ ...rest, start })).toBe(canonical(aSchedule()));
});

test("a plan can be written, and is the same every time", () => {
  expect(canonical(planBills(aSchedule({ basis: "365", calendarPeriods: true, start: "2026-01-17" })))).toBe(
    canonical(planBills(aSchedule({ basis: "365", calendarPeriods: true, start: "2026-01-17" }))),
  );
});

test.each([0.1, Number.NaN, 1n, new Date(0), () => 1])("what has no exact text is refused", (value) => {
  expect(() => canonical({ value })).toThrow(TypeError);
});
