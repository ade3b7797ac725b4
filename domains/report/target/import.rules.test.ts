import { expect, test } from "vitest";
import { cellOf, codeOf, rowOf, yearIn } from "./import.rules.ts";

test("a rate is a percentage, an amount is yuan; a share that a spreadsheet made of a percentage is sent back", () => {
  expect(cellOf("occupancyRate", "96")).toEqual({ value: 0.96 });
  expect(cellOf("occupancyRate", "96.5%")).toEqual({ value: 0.965 });
  expect(cellOf("occupancyRate", "0.96")).toEqual({ msg: "请写成 96 或 96%，不要写成小数" });
  expect(cellOf("occupancyRate", "1")).toEqual({ msg: "请写成 96 或 96%，不要写成小数" });
  expect(cellOf("occupancyRate", "abc")).toEqual({ msg: "请输入0到100之间的数" });
  expect(cellOf("collected", "294,000.00")).toEqual({ value: 29_400_000 });
  expect(cellOf("collected", "0.5")).toEqual({ value: 50 });
  expect(cellOf("collected", "100000000")).toEqual({ msg: "金额过大" });
});

test("what the template holds is read back as it was", () => {
  const row = rowOf({ name: "滨江店", code: "occupancyRate", year: 2026 }, [0.965, null]);
  expect(row).toEqual(["滨江店", "出租率", "2026", "96.5%", ""]);
  expect(codeOf(row[1]!)).toBe("occupancyRate");
  expect(yearIn(row[2]!)).toBe(2026);
  expect(yearIn("26")).toBeUndefined();
});
