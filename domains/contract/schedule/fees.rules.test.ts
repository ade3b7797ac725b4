import { expect, test } from "vitest";
import { feeLines } from "./fees.rules.ts";
import { restAfter } from "./bills.rules.ts";
import { takeOver } from "./carry.rules.ts";
import { aSchedule, type SampleTerms } from "./schedule.sample.ts";
import type { ScheduleFee } from "./terms.rules.ts";

const fee = (more: Partial<ScheduleFee> = {}): ScheduleFee => ({
  feeId: 7,
  name: "物业费",
  kind: "recurring",
  amount: 10_000,
  ...more,
});
const shown = (lines: ReturnType<typeof feeLines>) =>
  lines.map((line) => `${line.from} ~ ${line.to} ${line.amount}`);
const lines = (one: Partial<ScheduleFee>, terms: SampleTerms = {}) =>
  shown(feeLines(aSchedule({ months: 3, fees: [fee(one)], ...terms })));
/** A fee that is whole for every period begun, and what is left of it from a day on. */
const whole = (cycleMonths: ScheduleFee["cycleMonths"], terms: SampleTerms = {}) => ({
  months: 6,
  cycleMonths: 6 as const,
  deposit: { mode: "amount" as const, amount: 0 },
  fees: [fee({ prorate: false, ...(cycleMonths !== undefined && { cycleMonths }) })],
  ...terms,
});
const left = (terms: SampleTerms, paidTo: string) =>
  shown(
    restAfter(aSchedule(terms), paidTo).bills.flatMap((bill) =>
      bill.lines.filter((line) => line.kind === "fee"),
    ),
  );

const rooms = [
  { roomId: 1, monthlyRent: 300_000 },
  { roomId: 2, monthlyRent: 300_000, joinDate: "2026-04-01", leaveDate: "2026-04-30" },
];

test("a fee of a room runs with that room", () => {
  expect(lines({ roomId: 2 }, { rooms })).toEqual(["2026-04-01 ~ 2026-04-30 10000"]);
  expect(lines({ roomId: 1 }, { rooms })).toHaveLength(3);
  expect(lines({}, { rooms: rooms.toReversed() })).toHaveLength(3);
});

test("free days of fees are those of the fees they name, of all rooms or of its own", () => {
  const paid = (feeIds: number[], roomId: number | null, of: number | null = null) => {
    const rentFree = [{ fromDate: "2026-03-01", toDate: "2026-03-31", feeIds, roomId }];
    return lines({ roomId: of }, { rooms, rentFree })[0];
  };
  const [free, full] = ["2026-03-01 ~ 2026-03-31 0", "2026-03-01 ~ 2026-03-31 10000"];
  expect([paid([7], null), paid([8], null)]).toEqual([free, full]);
  expect([paid([7], null, 1), paid([7], 1, 1), paid([7], 2, 1), paid([7], 2)]).toEqual([
    free,
    free,
    full,
    full,
  ]);
});

test("a period begun costs all its months, its slices one each and the rest in the last", () => {
  const input = aSchedule(whole(3, { end: "2026-07-10" }));
  const [first, second] = feeLines(input);
  expect(shown([first!, second!])).toEqual([
    "2026-03-01 ~ 2026-05-31 30000",
    "2026-06-01 ~ 2026-07-10 30000",
  ]);
  expect(second!.slices).toEqual([
    { from: "2026-06-01", to: "2026-06-30", amount: 10_000 },
    { from: "2026-07-01", to: "2026-07-10", amount: 20_000 },
  ]);
  expect(shown(feeLines(aSchedule(whole(3, { end: "2026-06-01" }))))[1]).toBe(
    "2026-06-01 ~ 2026-06-01 30000",
  );
  expect(lines({ prorate: false, cycleMonths: 0 }, { end: "2026-05-10" })).toEqual([
    "2026-03-01 ~ 2026-05-10 30000",
  ]);
});

test("a period that is free from end to end costs nothing, and says what it would have", () => {
  const free = (fromDate: string, toDate: string) =>
    feeLines(aSchedule(whole(1, { rentFree: [{ fromDate, toDate, feeIds: [7] }] })));
  const [march, april] = free("2026-03-01", "2026-03-31");
  expect([march!.amount, april!.amount]).toEqual([0, 10_000]);
  expect(march!.slices).toEqual([{ from: "2026-03-01", to: "2026-03-31", amount: 0 }]);
  expect(march!.explain).toMatchObject({ rule: "free", days: 31, forgone: 10_000 });
  const quarter = feeLines(
    aSchedule(whole(3, { rentFree: [{ fromDate: "2026-03-01", toDate: "2026-05-31", feeIds: [7] }] })),
  )[0]!;
  expect(quarter.explain).toMatchObject({ days: 92, forgone: 30_000 });
  expect(free("2026-03-02", "2026-03-31")[0]!.amount).toBe(10_000);
  expect(free("2026-03-01", "2026-03-30")[0]!.amount).toBe(10_000);
});

test("of a period begun nothing is left but what a term paid at once has of months to come", () => {
  expect(left(whole(3), "2026-03-31")).toEqual(["2026-06-01 ~ 2026-08-31 30000"]);
  expect(left(whole(3), "2026-05-31")).toEqual(["2026-06-01 ~ 2026-08-31 30000"]);
  expect(left(whole(0), "2026-04-30")).toEqual(["2026-05-01 ~ 2026-08-31 40000"]);
  expect(left(whole(0), "2026-05-01")).toEqual(["2026-06-01 ~ 2026-08-31 30000"]);
  expect(left(whole(0), "2026-08-01")).toEqual([]);
  // what is charged up to the cut is what a term that ends there would cost
  const [before, after] = feeLines({ ...aSchedule(whole(0)), splitAt: "2026-06-15" });
  expect(shown([before!, after!])).toEqual([
    "2026-03-01 ~ 2026-06-30 40000",
    "2026-07-01 ~ 2026-08-31 20000",
  ]);
  expect([before, after].map((line) => line!.slices.map((s) => s.amount))).toEqual([
    [10_000, 10_000, 10_000, 10_000],
    [10_000, 10_000],
  ]);
});

test("while every day before is free, the period is charged from the cut on", () => {
  const free = (toDate: string) => whole(3, { rentFree: [{ fromDate: "2026-03-01", toDate, feeIds: [7] }] });
  const rest = "2026-06-01 ~ 2026-08-31 30000";
  expect(left(free("2026-03-20"), "2026-03-20")).toEqual(["2026-03-21 ~ 2026-05-31 30000", rest]);
  expect(left(free("2026-03-20"), "2026-03-21")).toEqual([rest]);
  expect(left(free("2026-04-30"), "2026-04-30")).toEqual(["2026-05-01 ~ 2026-05-31 30000", rest]);
  const input = aSchedule(free("2026-04-30"));
  const slices = feeLines({ ...input, splitAt: "2026-05-01" }).map((line) => line.slices.map((s) => s.from));
  expect(slices.slice(0, 2)).toEqual([["2026-03-01", "2026-04-01"], ["2026-05-01"]]);
  const cut = (toDate: string, splitAt: string) =>
    feeLines({ ...aSchedule(free(toDate)), splitAt })
      .slice(0, 2)
      .map((line) => line.slices.map((s) => s.from));
  expect(cut("2026-04-01", "2026-04-02")).toEqual([
    ["2026-03-01", "2026-04-01"],
    ["2026-04-02", "2026-05-01"],
  ]);
  expect(cut("2026-05-30", "2026-05-31")).toEqual([
    ["2026-03-01", "2026-04-01", "2026-05-01"],
    ["2026-05-31"],
  ]);
  expect(left(free("2026-05-30"), "2026-05-30")).toEqual(["2026-05-31 ~ 2026-05-31 30000", rest]);
});

test("who takes over inside a period begun does not pay it again; of the whole term it pays the months to come", () => {
  const taken = (cycleMonths: ScheduleFee["cycleMonths"], day: string) => {
    const old = aSchedule(whole(cycleMonths));
    return shown(feeLines({ ...old, ...takeOver(old, day), start: day }));
  };
  expect(taken(3, "2026-04-15")).toEqual(["2026-06-01 ~ 2026-08-31 30000"]);
  expect(taken(3, "2026-06-01")).toEqual(["2026-06-01 ~ 2026-08-31 30000"]);
  expect(taken(1, "2026-04-15")[0]).toBe("2026-05-01 ~ 2026-05-31 10000");
  expect(taken(0, "2026-04-15")).toEqual(["2026-04-15 ~ 2026-08-31 40000"]);
  expect(taken(0, "2026-04-01")).toEqual(["2026-04-01 ~ 2026-08-31 50000"]);
  const old = aSchedule(whole(0));
  const [line] = feeLines({ ...old, ...takeOver(old, "2026-04-15"), start: "2026-04-15" });
  expect(line!.slices.map((s) => s.amount)).toEqual([0, 10_000, 10_000, 10_000, 10_000]);
});

test("a fee that the old contract did not charge yet is the new one's, for all the months that are open", () => {
  const taken = (more: Partial<ScheduleFee>, day: string, rentFree: SampleTerms["rentFree"] = []) => {
    const old = aSchedule(whole(0, { fees: [fee({ prorate: false, cycleMonths: 0, ...more })], rentFree }));
    return shown(feeLines({ ...old, ...takeOver(old, day), start: day }));
  };
  expect(taken({ fromDate: "2026-06-10" }, "2026-04-15")).toEqual(["2026-06-10 ~ 2026-08-31 30000"]);
  expect(taken({ amount: 1, cycleMonths: 1 }, "2026-04-15")[0]).toBe("2026-05-01 ~ 2026-05-31 1");
  const free = (toDate: string) => [{ fromDate: "2026-03-01", toDate, feeIds: [7] }];
  expect(taken({ fromDate: "2026-03-31" }, "2026-05-10", free("2026-05-20"))).toEqual([
    "2026-05-10 ~ 2026-08-31 60000",
  ]);
  expect(taken({}, "2026-05-10", free("2026-05-20"))).toEqual(["2026-05-10 ~ 2026-08-31 60000"]);
  expect(taken({}, "2026-05-01", free("2026-05-20"))).toEqual(["2026-05-01 ~ 2026-08-31 60000"]);
  expect(taken({ fromDate: "2026-04-01" }, "2026-05-10", free("2026-05-20"))).toEqual([
    "2026-05-10 ~ 2026-08-31 50000",
  ]);
});

test("who takes over a free rest of the whole term pays the months that are left of it", () => {
  const rentFree = [{ fromDate: "2026-03-02", toDate: "2026-08-31", feeIds: [7] }];
  const old = aSchedule(whole(0, { rentFree }));
  const rest = (day: string) => shown(feeLines({ ...old, ...takeOver(old, day), start: day }));
  expect(shown(feeLines(old))).toEqual(["2026-03-01 ~ 2026-08-31 60000"]);
  expect(rest("2026-03-02")).toEqual(["2026-03-02 ~ 2026-08-31 50000"]);
  expect(rest("2026-04-01")).toEqual(["2026-04-01 ~ 2026-08-31 50000"]);
});

test("taken over a second time in the same period, a fee is still paid once", () => {
  const after = (old: ReturnType<typeof aSchedule>, day: string) => ({
    ...old,
    ...takeOver(old, day),
    start: day,
  });
  for (const cycle of [1, 3, 0] as const) {
    const first = after(aSchedule(whole(cycle)), "2026-04-10");
    expect(
      feeLines(after(first, "2026-04-20")).map((line) => line.amount),
      `cycle ${cycle}`,
    ).toEqual(feeLines(first).map((line) => line.amount));
  }
});
