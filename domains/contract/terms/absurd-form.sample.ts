import fc from "fast-check";
import { addDays } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { BASES, CYCLES } from "../schedule/terms.rules.ts";
import type { AnyFee } from "./any-form.sample.ts";
import { DEFAULT_TERMS } from "./plans.rules.ts";
import type { ContractForm, Terms } from "./terms.contract.ts";

const of = <T>(...values: T[]) => fc.constantFrom(...values);
const usually = <T>(common: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: common }, { weight: 1, arbitrary: odd });
const sum = usually(fc.integer({ min: 50_000, max: 900_000 }), of(0, 1, 99, AMOUNT_MAX, AMOUNT_MAX + 1));
const percent = usually(
  of("5", "4.5", "-2.5", "12"),
  of("-50", "-100", "200", "-99.9", "0.000001", "9999999999"),
);
const amount = usually(of("10000", "-20000", "33333"), of("-500000", "-900000", "9999999999", "0"));
const mode = of("percentCompound" as const, "percentBase" as const, "amount" as const);
const changed = mode.chain((m) => (m === "amount" ? amount : percent).map((value) => ({ mode: m, value })));

const shape = fc.record({
  kind: of<ContractForm["kind"]>("renter", "company", "merchant"),
  rooms: fc.array(
    fc.record({ monthlyRent: sum, unitPrice: of("4.5", "0.35", "12.345678", "99999999", "-1") }),
    { minLength: 1, maxLength: 3 },
  ),
  startIn: fc.nat(300),
  days: usually(fc.integer({ min: 20, max: 800 }), fc.integer({ min: 1, max: 3_000 })),
  pricing: of<Terms["pricing"]>("month", "month", "areaDay"),
  rentRounding: of<Terms["rentRounding"]>("fen", "jiao", "yuan"),
  basis: of(...BASES),
  calendarPeriods: fc.boolean(),
  cycleMonths: of(...CYCLES),
  deposit: fc.oneof(
    of("0", "1", "1.5", "12").map((months) => ({ mode: "months" as const, months })),
    sum.map((fen) => ({ mode: "amount" as const, amount: fen })),
  ),
  billGrouping: of<Terms["billGrouping"]>("period", "fee"),
  billPerRoom: fc.boolean(),
  rule: fc.option(
    fc.tuple(
      changed,
      usually(fc.integer({ min: 1, max: 14 }), of(0, -3)),
      of<"month" | "year">("month", "year"),
    ),
  ),
  byHand: fc.array(
    fc.record({ gap: fc.integer({ min: 1, max: 400 }), room: fc.nat(3), rent: sum, change: changed }),
    { maxLength: 3 },
  ),
  free: fc.option(fc.record({ at: fc.nat(200), days: fc.integer({ min: 1, max: 60 }), fees: fc.boolean() })),
  fees: fc.array(
    fc.record({
      amount: sum,
      once: fc.boolean(),
      prorate: fc.boolean(),
      cycleMonths: fc.option(of(...CYCLES), { nil: undefined }),
    }),
    { maxLength: 3 },
  ),
  turnover: of<"fixed" | "turnover" | "higherOf">("fixed", "turnover", "higherOf"),
});

/** A contract as somebody might hand it in by the API, sensible or not; its rooms are numbered 1, 2, 3. */
export type AbsurdForm = Pick<ContractForm, "kind" | "rooms"> & { start: string; end: string; terms: Terms };

/** Contracts of every kind, one to three rooms, with steps of all modes and figures that no books take among them. */
export const absurdForm = (fees: readonly AnyFee[], from: string): fc.Arbitrary<AbsurdForm> =>
  shape.map((s) => {
    const start = addDays(from, s.startIn);
    const end = addDays(start, s.days);
    let day = start;
    const steps = s.byHand.map(({ gap, room, rent, change }): Terms["steps"][number] => {
      day = addDays(day, gap);
      const one = room > 0 && room <= s.rooms.length ? { roomId: room } : {};
      const how = room === 3 ? { mode: "table" as const, value: String(rent) } : change;
      return { ...one, ...how, fromDate: day, resultRent: rent, source: "manual" };
    });
    const [change, every, unit] = s.rule ?? [];
    const terms: Terms = {
      ...DEFAULT_TERMS,
      ...{ pricing: s.pricing, rentRounding: s.rentRounding, basis: s.basis, deposit: s.deposit },
      ...{ calendarPeriods: s.calendarPeriods, cycleMonths: s.cycleMonths },
      ...{ billGrouping: s.billGrouping, billPerRoom: s.billPerRoom },
      stepRule: change ? { ...change, every: every!, unit: unit! } : null,
      steps,
      rentFree: s.free
        ? [
            {
              fromDate: addDays(start, s.free.at),
              toDate: addDays(start, s.free.at + s.free.days),
              ...(s.free.fees && { feeIds: fees.map((f) => f.feeId) }),
            },
          ]
        : [],
      fees: s.fees.map((fee, i) => {
        const { feeId, name, deposit } = fees[i % fees.length]!;
        const { amount: fen, prorate, cycleMonths } = fee;
        const kind = deposit
          ? ("depositInKind" as const)
          : fee.once
            ? ("once" as const)
            : ("recurring" as const);
        return { feeId, name, kind, amount: fen, prorate, ...(cycleMonths !== undefined && { cycleMonths }) };
      }),
      ...(s.kind === "merchant" &&
        s.turnover !== "fixed" && {
          turnover: {
            ...{ rentKind: s.turnover, bandMode: "marginal", bandBasis: "month", settleBasis: "month" },
            ...{ bands: [{ upTo: null, rate: "10" }], netOfTax: false, declareDay: 5, missing: "base" },
            excludedCategories: "",
          },
        }),
    };
    const rooms = s.rooms.map(({ monthlyRent, unitPrice }, i) => ({
      roomId: i + 1,
      monthlyRent,
      ...(s.pricing === "areaDay" || s.basis === "area" ? { unitPrice } : {}),
    }));
    return { kind: s.kind, rooms, start, end, terms };
  });
