import { expect, test } from "vitest";
import { dayInZone, isBusinessDay, isDay, untilNextDay } from "./day.ts";
import { dayInput, instantInput, lifeDayInput, monthInput } from "./field.ts";

const said = (
  schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } } },
  value: unknown,
) => schema.safeParse(value).error?.issues.map((issue) => issue.message) ?? [];

test("a day of business lies in this century, whatever writes it", () => {
  const due = dayInput("应收日");
  for (const sound of ["2000-01-01", "2024-02-29", "2099-12-31"]) expect(said(due, sound)).toEqual([]);
  for (const far of ["0130-01-01", "1999-12-31", "2100-01-01", "9999-12-31"])
    expect(said(due, far)).toEqual(["应收日须在2000年至2099年之间"]);
  for (const wrong of ["0030-01-01", "2026-02-29", "26-01-01", "", "2026-1-1"])
    expect(said(due, wrong)).toEqual(["应收日格式不正确"]);
  expect(said(due, undefined)).toEqual(["请选择应收日"]);
  expect([isBusinessDay("1999-12-31"), isBusinessDay("2000-01-01"), isBusinessDay("2026-02-30")]).toEqual([
    false,
    true,
    false,
  ]);
});

test("people are born and papers end outside of it too", () => {
  const born = lifeDayInput("生日");
  for (const sound of ["1900-01-01", "1999-12-31", "2199-12-31"]) expect(said(born, sound)).toEqual([]);
  for (const far of ["1899-12-31", "2200-01-01"])
    expect(said(born, far)).toEqual(["生日须在1900年至2199年之间"]);
});

test("so do moments and months", () => {
  const paid = instantInput("支付时间", "请选择支付时间");
  expect(said(paid, "2026-03-01T10:00:00+08:00")).toEqual([]);
  for (const far of ["0030-06-01T00:00:00Z", "2100-01-01T00:00:00+08:00"])
    expect(said(paid, far)).toEqual(["支付时间须在2000年至2099年之间"]);
  for (const wrong of ["2026-03-01", "soon", undefined])
    expect(said(paid, wrong)).toEqual(["请选择支付时间"]);
  const month = monthInput("月份");
  expect(said(month, "2026-12")).toEqual([]);
  for (const wrong of ["0030-01", "2026-13", "2026-3"])
    expect(said(month, wrong)).toEqual(["月份格式不正确"]);
});

test("the day of a moment has ten places in every century", () => {
  expect(dayInZone(new Date("0030-01-01T12:00:00Z"))).toBe("0030-01-01");
  expect(isDay(dayInZone(new Date("0999-06-01T12:00:00Z")))).toBe(true);
  expect(dayInZone(new Date("2026-03-01T16:00:00Z"))).toBe("2026-03-02");
});

test("the next day begins in a second after the last of its zone, and in a whole day after midnight", () => {
  const left = (at: string) => untilNextDay(new Date(at), "Asia/Shanghai") / 1000;
  expect(left("2026-11-27T23:59:59+08:00")).toBe(2);
  expect(left("2026-11-28T00:00:00+08:00")).toBe(86_401);
  expect(left("2026-11-27T00:00:30Z")).toBe(16 * 3600 - 30 + 1);
});
