import { expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import { depositLines, planBills, restAfter } from "./bills.rules.ts";
import { trim } from "./carry.rules.ts";
import { discountLines, rentLines } from "./discounts.rules.ts";
import { canonical } from "./net.rules.ts";
import { type SampleTerms, aSchedule } from "./schedule.sample.ts";
import type { ScheduleDiscount, ScheduleFee } from "./terms.rules.ts";

const plan = (terms: SampleTerms) => planBills(aSchedule(terms));
const fee = (feeId: number, name: string, more: Partial<ScheduleFee> = {}): ScheduleFee => ({
  feeId,
  name,
  kind: "recurring",
  amount: 10_000,
  ...more,
});
const off = (kind: ScheduleDiscount["kind"], value: string, more: Partial<ScheduleDiscount> = {}) => ({
  kind,
  value,
  order: 1,
  ...more,
});
const rooms = (...rents: number[]) => rents.map((monthlyRent, i) => ({ roomId: i + 1, monthlyRent }));
const step = (fromDate: string, resultRent: number) => ({
  fromDate,
  mode: "table" as const,
  value: String(resultRent),
  resultRent,
  source: "manual" as const,
});
const free = (fromDate: string, toDate: string, more: object = {}) => ({ fromDate, toDate, ...more });
const no = { deposit: { mode: "amount", amount: 0 } } as const;
const month = { ...no, end: "2026-03-31" };

test("a bill names what stands on it, up to three things, and no fee that a discount only has the number of", () => {
  const title = (count: number) =>
    plan({ ...month, fees: [..."水电网气"].slice(0, count).map((name, i) => fee(i, name)) }).bills[0]!.title;
  expect([title(0), title(2), title(3)]).toEqual(["第1期租金", "第1期租金、水、电", "第1期租金等4项"]);
  const fees = [fee(7, "物业费", { cycleMonths: 3 })];
  expect(plan({ ...month, fees, discounts: [off("percent", "10")] }).bills.map((b) => b.title)).toEqual([
    "第1期租金",
    "第1期物业费",
  ]);
});

test("bills stand in the order of their first day, on one day deposit, rent, fees, by themselves", () => {
  const fees = [
    fee(7, "物业费", { cycleMonths: 1 }),
    fee(8, "保洁费", { kind: "once", due: { rule: "signing" } }),
    fee(9, "钥匙押金", { kind: "depositInKind" }),
  ];
  expect(plan({ months: 4, cycleMonths: 3, fees }).bills.map((b) => `${b.periodStart} ${b.title}`)).toEqual([
    "2026-03-01 押金、钥匙押金",
    "2026-03-01 第1期租金",
    "2026-03-01 第1期物业费",
    "2026-03-01 保洁费",
    "2026-04-01 第2期物业费",
    "2026-05-01 第3期物业费",
    "2026-06-01 第2期租金",
    "2026-06-01 第4期物业费",
  ]);
  // a one-off fee on a rent bill of a room that joins later
  const late = [fee(7, "物业费", { cycleMonths: 3 }), fee(8, "保洁费", { kind: "once" })];
  const joined = { room: { joinDate: "2026-04-01" }, ...no, months: 3, fees: late };
  expect(plan(joined).bills.map((b) => b.title)).toEqual([
    "第1期保洁费",
    "第1期物业费",
    "第2期租金",
    "第3期租金",
  ]);
});

test("a due rule of a fee's own makes a bill of its own", () => {
  const keys = (...fees: ScheduleFee[]) => plan({ end: "2026-03-31", fees }).bills.map((b) => b.key);
  const due = (more: object) => ({ rule: "advance", ...more }) as const;
  expect(keys(fee(7, "水"), fee(8, "电", { payer: "occupant" }))).toEqual(["deposit", "1m:2026-03-01"]);
  expect(
    keys(fee(7, "水", { due: due({ dueDays: 3 }) }), fee(8, "电", { due: due({ dueDays: 5 }) })),
  ).toHaveLength(4);
  const fixed = (dueDay: number) => ({ due: { rule: "fixedDay", dueDay } as const });
  expect(keys(fee(7, "水", fixed(3)), fee(8, "电", fixed(5)))).toHaveLength(4);
  expect(keys(fee(7, "水", fixed(3)), fee(8, "电", fixed(3)))).toHaveLength(3);
});

test("a deposit by room where every room names its own, else as one", () => {
  const deposits = (deposit: number, ...own: (number | null)[]) => {
    const each = own.map((depositAmount, i) => ({ roomId: i + 1, monthlyRent: 300_000, depositAmount }));
    const input = aSchedule({ rooms: each, deposit: { mode: "amount", amount: deposit } });
    return depositLines(input).map((line) => [line.roomId, line.amount]);
  };
  expect(deposits(1, null)).toEqual([[1, 1]]);
  expect(deposits(500, 700)).toEqual([[1, 500]]);
  expect(deposits(500, 700, 800)).toEqual([
    [1, 700],
    [2, 800],
  ]);
  expect(deposits(500, 700, null)).toEqual([[null, 500]]);
});

test("discounts stand under the last line of their period, and take what is left of whole months", () => {
  const split = { ...month, rentFree: [free("2026-03-11", "2026-03-20")], discounts: [off("percent", "10")] };
  expect(plan(split).bills[0]!.lines.map((line) => [line.kind, line.from])).toEqual([
    ["rent", "2026-03-01"],
    ["rent", "2026-03-11"],
    ["rent", "2026-03-21"],
    ["discount", "2026-03-01"],
  ]);
  const offs = (terms: SampleTerms) =>
    discountLines(aSchedule(terms)).map((line) => [line.roomId, line.amount]);
  // 3,000.00 × 15 ÷ 31 + 3,100.00 × 16 ÷ 31 = 3,051.61
  expect(offs({ ...month, steps: [step("2026-03-16", 310_000)], discounts: [off("percent", "10")] })).toEqual(
    [[1, -30_516]],
  );
  expect(offs({ ...no, months: 2, discounts: [off("percent", "10", { fromMonth: 2 })] })).toEqual([
    [1, -30_000],
  ]);
  expect(offs({ ...month, rent: 1, discounts: [off("firstMonths", "1")] })).toEqual([[1, -1]]);
  expect(offs({ ...month, discounts: [off("amount", "299900")] })).toEqual([[1, -299_900]]);
  expect(offs({ ...month, rooms: rooms(100, 100, 100), discounts: [off("amount", "100")] })).toEqual([
    [1, -33],
    [2, -34],
    [3, -33],
  ]);
});

test("discounts follow their order, and lower the fees they name", () => {
  const input = aSchedule({
    ...month,
    discounts: [off("percent", "10", { order: 2 }), off("percent", "50")],
  });
  expect(discountLines(input).map((line) => line.amount)).toEqual([-150_000, -15_000]);
  const fees = [fee(7, "水"), fee(8, "电", { amount: 20_000 })];
  const on = (...feeIds: number[]) =>
    discountLines(aSchedule({ ...month, fees, discounts: [off("percent", "10", { feeIds })] })).map(
      (line) => [line.feeKey, line.amount],
    );
  expect(on(8)).toEqual([[8, -2000]]);
  expect(on(7, 8)).toEqual([
    [7, -1000],
    [8, -2000],
  ]);
  expect(on()).toEqual([["rent", -30_000]]);
});

test("a discount that reaches a room only once its neighbour leaves is told as given back less", () => {
  const input = aSchedule({ ...month, rooms: rooms(300_000, 1), discounts: [off("amount", "100000")] });
  const { rows, back } = trim(input, "2026-03-05", [1]);
  // 3,000.00 × 5 ÷ 31 = 483.87 is left, and all of it is let off
  expect(rows.map((row) => [row.line.kind, row.line.roomId, row.kept, row.back])).toEqual([
    ["rent", 1, 48_387, 251_613],
    ["discount", 1, -48_387, -51_613],
    ["rent", 2, 1, 0],
    ["discount", 2, -1, 1],
  ]);
  expect(back).toBe(200_001);
});

test("a one-off fee stands on its day, on the bill of that period", () => {
  const once = (more: Partial<ScheduleFee>, terms: SampleTerms = {}) =>
    plan({ ...no, months: 3, fees: [fee(8, "保洁费", { kind: "once", ...more })], ...terms }).bills.flatMap(
      (bill) =>
        bill.lines.flatMap((line) =>
          line.kind === "once" ? [`${bill.title} ${line.from} ~ ${line.to}`] : [],
        ),
    );
  expect(once({})).toEqual(["第1期租金、保洁费 2026-03-01 ~ 2026-03-01"]);
  expect(once({}, { end: "2026-03-01" })).toHaveLength(1);
  expect(once({}, { end: "2026-02-28" })).toEqual([]);
  expect(once({ fromDate: "2026-03-31" })).toEqual(["第1期租金、保洁费 2026-03-31 ~ 2026-03-31"]);
  expect(once({ fromDate: "2026-04-01", toDate: "2026-04-10" })).toEqual([
    "第2期租金、保洁费 2026-04-01 ~ 2026-04-10",
  ]);
  expect(once({ fromDate: "2026-05-31" })).toEqual(["第3期租金、保洁费 2026-05-31 ~ 2026-05-31"]);
  expect(once({ fromDate: "2026-06-01" })).toEqual([]);
  expect(once({ toDate: "2026-02-01" })).toEqual(["第1期租金、保洁费 2026-03-01 ~ 2026-03-01"]);
});

test("what is left of a contract holds the one-off fees that are still to come, and none that was due on signing", () => {
  const fees = [
    fee(8, "保洁费", { kind: "once" }),
    fee(9, "年检费", { kind: "once", fromDate: "2026-06-10", due: { rule: "advance" } }),
  ];
  const left = (paidTo: string) =>
    restAfter(aSchedule({ months: 5, cycleMonths: 0, billGrouping: "fee", fees }), paidTo).bills.map(
      (b) => b.title,
    );
  expect(left("2026-04-30")).toEqual(["第1期租金", "年检费"]);
  expect(left("2026-02-28")).toEqual(["第1期租金", "保洁费", "年检费"]);
});

test("a line adds up the days of its months; free days make one line whatever their price", () => {
  const [line] = rentLines(aSchedule({ months: 3, cycleMonths: 3 }));
  expect(line!.explain).toMatchObject({ days: 92, parts: [{ months: 3, days: 92 }] });
  const cut = rentLines(aSchedule({ end: "2026-04-10", cycleMonths: 3 }))[0]!;
  expect(cut.explain).toMatchObject({ days: 41, parts: [{ months: 1, days: 31 }, { days: 10 }] });
  const [gone] = rentLines(
    aSchedule({
      months: 3,
      cycleMonths: 3,
      rentFree: [free("2026-03-01", "2026-04-30")],
      steps: [step("2026-03-16", 310_000)],
    }),
  );
  expect(gone!.slices.map(({ from, to, amount }) => [from, to, amount])).toEqual([
    ["2026-03-01", "2026-03-31", 0],
    ["2026-04-01", "2026-04-30", 0],
  ]);
  // 3,051.61 of March and 3,100.00 of April
  expect(gone!.explain).toMatchObject({ rule: "free", days: 61, forgone: 615_161 });
});

test("free days of one room are that room's", () => {
  const rent = (roomId?: number) =>
    rentLines(
      aSchedule({
        ...month,
        rooms: rooms(310_000, 310_000),
        rentFree: [free("2026-03-01", "2026-03-10", { roomId })],
      }),
    ).map((line) => [line.roomId, yuan(line.amount)]);
  expect(rent(1)).toEqual([
    [1, "0.00"],
    [1, "2,100.00"],
    [2, "3,100.00"],
  ]);
  expect(rent()).toHaveLength(4);
});

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
