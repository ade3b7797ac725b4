import { expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import { rentLines } from "./discounts.rules.ts";
import { aSchedule, type SampleTerms } from "./schedule.sample.ts";
import { expandSteps, rentsOver, type StepRule } from "./steps.rules.ts";

const expand = (terms: SampleTerms, rule: Partial<StepRule> = {}) =>
  expandSteps(aSchedule(terms), { every: 1, unit: "year", mode: "percentCompound", value: "5", ...rule });
const shown = (terms: SampleTerms, rule?: Partial<StepRule>) =>
  expand(terms, rule).map((s) => `${s.fromDate} ${s.value} ${yuan(s.resultRent)}`);

test("rows begin one interval after the start, or on a day of their own, and stop at the end", () => {
  expect(shown({ months: 36 })).toEqual(["2027-03-01 5 3,150.00", "2028-03-01 5 3,307.50"]);
  expect(shown({ months: 12 })).toEqual([]);
  // the longest term there is
  expect(expand({ months: 240 }, { from: "2026-03-02", every: 1, unit: "month" })).toHaveLength(240);
  expect(
    shown({ months: 12 }, { from: "2026-08-31", every: 3, unit: "month", mode: "amount", value: "10000" }),
  ).toEqual(["2026-08-31 10000 3,100.00", "2026-11-30 10000 3,200.00", "2027-02-28 10000 3,300.00"]);
});

test("of the first rent, each row says its own percent from it", () => {
  expect(shown({ months: 48 }, { mode: "percentBase", value: "2.5" })).toEqual([
    "2027-03-01 2.5 3,075.00",
    "2028-03-01 5.0 3,150.00",
    "2029-03-01 7.5 3,225.00",
  ]);
  expect(shown({ months: 36 }, { mode: "percentBase", value: "-0.5" })).toEqual([
    "2027-03-01 -0.5 2,985.00",
    "2028-03-01 -1.0 2,970.00",
  ]);
});

test("every room steps by itself; one that joins later keeps the rent agreed for it until the next step", () => {
  const rooms = [
    { roomId: 1, monthlyRent: 100_000 },
    { roomId: 2, monthlyRent: 200_000, joinDate: "2027-06-01" },
  ];
  for (const mode of ["percentCompound", "percentBase"] as const) {
    const terms = { months: 36, rooms, cycleMonths: 12 as const };
    const steps = expand(terms, { mode, value: "10" });
    const last = mode === "percentBase" ? 120_000 : 121_000;
    expect(steps.map((s) => s.resultRent)).toEqual([310_000, last + 220_000]);
    const rents = rentLines(aSchedule({ ...terms, steps })).map((l) => [l.roomId, l.from, l.amount]);
    expect(rents).toEqual([
      [1, "2026-03-01", 1_200_000],
      [1, "2027-03-01", 1_320_000],
      [1, "2028-03-01", last * 12],
      [2, "2027-06-01", 1_800_000],
      [2, "2028-03-01", 2_640_000],
    ]);
  }
});

test("a figure corrected by hand is what is billed, and the rows after it stay as they were stored", () => {
  const [first, second] = expand({ months: 36 });
  const steps = [{ ...first!, resultRent: 314_000, source: "manual" as const }, second!];
  const yearly = rentLines(aSchedule({ months: 36, cycleMonths: 12, steps })).map((l) => yuan(l.amount / 12));
  expect(yearly).toEqual(["3,000.00", "3,140.00", "3,307.50"]);
});

test("percents of any length stay exact", () => {
  const values = (value: string) =>
    expand({ months: 36 }, { mode: "percentBase", value }).map((s) => s.value);
  expect(values("12.5")).toEqual(["12.5", "25.0"]);
  expect(values("-0.25")).toEqual(["-0.25", "-0.50"]);
});

test("steps hold in the order of their days, however they were typed", () => {
  const row = (fromDate: string, resultRent: number) =>
    ({ fromDate, mode: "table", value: String(resultRent), resultRent, source: "manual" }) as const;
  const steps = [row("2026-09-01", 320_000), row("2026-06-01", 310_000), row("2026-12-01", 330_000)];
  expect(rentsOver(aSchedule({ steps })).map((r) => [r.fromDate, r.rent])).toEqual([
    ["2026-03-01", 300_000],
    ["2026-06-01", 310_000],
    ["2026-09-01", 320_000],
    ["2026-12-01", 330_000],
  ]);
});

test("a room that joins after steps of the first rent goes on by what the later ones add", () => {
  const row = (fromDate: string, value: string) =>
    ({ fromDate, mode: "percentBase", value, resultRent: 0, source: "manual" }) as const;
  const rooms = [
    { roomId: 1, monthlyRent: 100_000 },
    { roomId: 2, monthlyRent: 200_000, joinDate: "2026-09-01" },
  ];
  const steps = [row("2026-06-01", "10.5"), row("2026-09-01", "20.5"), row("2026-12-01", "30.75")];
  // 2,000.00 was agreed at 20.5 %: 10.25 % more
  expect(rentsOver(aSchedule({ rooms, steps })).map((r) => r.rooms)).toEqual([
    [100_000, 200_000],
    [110_500, 200_000],
    [120_500, 200_000],
    [130_750, 220_500],
  ]);
});

test("a rule of one room names it; what is still being typed makes no rows", () => {
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: roomId * 100_000 }));
  expect(expand({ months: 24, rooms }, { roomId: 2 })[0]).toMatchObject({ roomId: 2, resultRent: 210_000 });
  expect(expand({ months: 24, rooms })[0]).not.toHaveProperty("roomId");
  const typing = [rooms[0]!, { roomId: 2, monthlyRent: undefined as unknown as number }];
  expect(expand({ months: 24, rooms: typing })).toEqual([]);
  const byArea = (unitPrice: string, area: string | null, rent = 0) =>
    expand({ months: 24, pricing: "areaDay", rent, room: { unitPrice, area } }).length;
  expect([byArea("4.5", "40"), byArea("4.", "40"), byArea("4.5", "4x")]).toEqual([1, 0, 0]);
  expect([byArea("4.", null, 300_000), byArea("4.", null, Number.NaN)]).toEqual([1, 0]);
  expect(expand({ months: 24, room: { unitPrice: "x", area: "y" } })).toHaveLength(1);
});
