import fc from "fast-check";
import { addDays, minDay } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { isBillable } from "../../finance/bill/make.rules.ts";
import { planBills } from "./bills.rules.ts";
import { anchorFor } from "./months.rules.ts";
import { firstRent, rentsOver } from "./steps.rules.ts";
import {
  BASES,
  CYCLES,
  type RentFree,
  type RentStep,
  type ScheduleDiscount,
  type ScheduleFee,
  type ScheduleInput,
  type ScheduleRoom,
} from "./terms.rules.ts";

const of = <T>(...values: T[]) => fc.constantFrom(...values);
const rent = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 10_000, max: 2_000_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }) },
  { weight: 1, arbitrary: fc.integer({ min: 900_000_000, max: 3_000_000_000 }) },
);
const decimal = (max: number, places: number) =>
  fc.integer({ min: 1, max: max * 10 ** places }).map((n) => (n / 10 ** places).toFixed(places));

const room = fc.record({
  monthlyRent: rent,
  area: decimal(300, 2),
  unitPrice: fc.integer({ min: 500_000, max: 20_000_000 }).map((n) => (n / 1e6).toFixed(6)),
  join: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(200)),
  stay: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.nat(300)),
});
const step = fc.record({
  gap: fc.integer({ min: 1, max: 300 }),
  rent,
  roomNo: fc.integer({ min: -2, max: 2 }),
});
const free = fc.record({ gap: fc.integer({ min: 1, max: 200 }), days: fc.integer({ min: 1, max: 70 }) });
const fee = fc.record({
  kind: of<ScheduleFee["kind"]>("recurring", "recurring", "once", "depositInKind"),
  amount: fc.nat(50_000),
  cycleMonths: of(...CYCLES),
  prorate: of(true, true, false),
  own: fc.boolean(),
  day: fc.nat(400),
  free: fc.boolean(),
});
const discount = fc.record({
  kind: of<ScheduleDiscount["kind"]>("firstMonths", "percent", "amount"),
  n: fc.integer({ min: 1, max: 100 }),
  fromMonth: fc.integer({ min: 1, max: 6 }),
  months: fc.option(fc.nat(12)),
  everyMonth: fc.boolean(),
  onFee: fc.boolean(),
});

const shape = fc.record({
  day: fc.nat(2_500),
  days: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 60, max: 800 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 59 }) },
    { weight: 1, arbitrary: fc.integer({ min: 800, max: 2_500 }) },
  ),
  calendarPeriods: fc.boolean(),
  cycleMonths: of(...CYCLES),
  pricing: of<"month" | "areaDay">("month", "month", "month", "areaDay"),
  basis: of(...BASES),
  rentRounding: of<"fen" | "jiao" | "yuan">("fen", "fen", "jiao", "yuan"),
  rooms: fc.array(room, { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { maxLength: 3 }),
  free: fc.array(free, { maxLength: 3 }),
  fees: fc.array(fee, { maxLength: 3 }),
  discounts: fc.array(discount, { maxLength: 3 }),
  billGrouping: of<"period" | "fee">("period", "fee"),
  billPerRoom: fc.boolean(),
});

/** Days one after another inside the term, each some days after the one before. */
function* following(start: string, end: string, gaps: readonly number[]) {
  let day = start;
  for (const gap of gaps) {
    day = addDays(day, gap);
    if (day > end) return;
    yield day;
  }
}

const anyTerms: fc.Arbitrary<ScheduleInput> = shape.map((s) => {
  const start = addDays("2024-01-01", s.day);
  const end = addDays(start, s.days - 1);
  const rooms = s.rooms.map((r, i): ScheduleRoom => {
    const joinDate = minDay(addDays(start, r.join), end);
    const leaveDate = r.stay === null ? null : minDay(addDays(joinDate, r.stay), end);
    const { monthlyRent, area, unitPrice } = r;
    return { roomId: i + 1, monthlyRent, area, unitPrice, joinDate, leaveDate };
  });
  const terms = { pricing: s.pricing, rentRounding: s.rentRounding };
  // Tiny shops at yuan rounding would cost nothing a month; the form refuses those.
  for (const r of rooms) if (firstRent(terms, r) === 0) r.area = "300";
  const stepDays = [
    ...following(
      start,
      end,
      s.steps.map((x) => x.gap),
    ),
  ];
  const steps = stepDays.map((fromDate, i): RentStep => {
    const { rent: resultRent, roomNo } = s.steps[i]!;
    const one = roomNo > 0 && roomNo <= rooms.length ? { roomId: roomNo } : {};
    const value = String((resultRent % 60) - 20);
    return {
      ...one,
      fromDate,
      mode: i % 2 ? "percentBase" : "percentCompound",
      value,
      resultRent,
      source: "rule",
    };
  });
  const rentFree: RentFree[] = [];
  for (const f of s.free) {
    const last = rentFree.at(-1);
    const fromDate = last ? addDays(last.toDate, f.gap) : addDays(start, f.gap - 1);
    if (fromDate > end) break;
    rentFree.push({ fromDate, toDate: minDay(addDays(fromDate, f.days - 1), end), feeIds: [101, 103] });
  }
  const fees = s.fees.map((f, i): ScheduleFee => {
    const fromDate = f.own ? minDay(addDays(start, f.day), end) : null;
    const { kind, amount, cycleMonths, prorate } = f;
    return { feeId: 101 + i, kind, amount, cycleMonths, prorate, roomId: f.free ? 1 : null, fromDate };
  });
  const discounts = s.discounts.map((d, order): ScheduleDiscount => {
    const value = String(d.kind === "firstMonths" ? 1 + (d.n % 12) : d.kind === "amount" ? d.n * 1_000 : d.n);
    const toMonth = d.months === null ? null : d.fromMonth + d.months;
    const { kind, fromMonth, everyMonth } = d;
    return { kind, value, fromMonth, toMonth, everyMonth, order, feeIds: d.onFee ? [101] : [] };
  });
  return {
    start,
    end,
    anchorDate: anchorFor(start, s.calendarPeriods),
    calendarPeriods: s.calendarPeriods,
    cycleMonths: s.cycleMonths,
    ...terms,
    basis: s.basis,
    rooms,
    steps,
    rentFree,
    fees,
    discounts,
    deposit: { mode: "months", months: "1.5" },
    due: { rule: "advance", dueDays: 5 },
    billGrouping: s.billGrouping,
    billPerRoom: s.billPerRoom,
  };
});

const fits = (input: ScheduleInput): boolean =>
  rentsOver(input).every(({ rent, rooms }) => rent <= AMOUNT_MAX && rooms.every((price) => price > 0)) &&
  planBills(input).bills.every((bill) => isBillable(bill.lines.map(({ amount }) => amount)));

/**
 * A random contract that the form would accept: every basis, cycle and grouping, one to three rooms, steps, free days, fees,
 * offers; no rent, line or bill beyond what the books take.
 */
export const anySchedule: fc.Arbitrary<ScheduleInput> = anyTerms.filter(fits);
