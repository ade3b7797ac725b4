import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { payerErrors } from "../terms/check.rules.ts";
import { monthsOver, occupantShares, shareSentence } from "./occupant-fee.rules.ts";

const MARCH = { no: 1, from: "2026-03-01", to: "2026-03-31", days: 31, monthDays: 31 };
const fee = { feeId: 7, amount: 10_000 };
const stay = (id: number, from: string, to: string | null = null, roomId = 1) => ({ id, roomId, from, to });
const shares = (
  stays: readonly ReturnType<typeof stay>[],
  rooms: Parameters<typeof occupantShares>[1] = [{ roomId: 1 }],
  fees: Parameters<typeof occupantShares>[2] = [fee],
) => occupantShares(MARCH, rooms, fees, stays);

test("a month alone is the whole fee; who comes on the 11th shares 21 days, and nobody pays an empty room", () => {
  expect(shares([stay(1, "2026-01-01")]).map((s) => s.amount)).toEqual([10_000]);
  const two = shares([stay(1, "2026-01-01"), stay(2, "2026-03-11")]);
  expect(two.map((s) => [s.from, s.to, s.amount])).toEqual([
    ["2026-03-01", "2026-03-31", 6_613],
    ["2026-03-11", "2026-03-31", 3_387],
  ]);
  expect(two.map((s) => shareSentence(s.explain).formula)).toEqual([
    "100.00 × (10 ÷ 1 + 21 ÷ 2) ÷ 31 = 66.13",
    "100.00 × 21 ÷ 2 ÷ 31 = 33.87",
  ]);
  expect(shares([])).toEqual([]);
  expect(shares([stay(1, "2026-04-01")])).toEqual([]);
});

test("only days of the room and of the fee count", () => {
  const rooms = [{ roomId: 1, joinDate: "2026-03-10", leaveDate: "2026-03-20" }];
  const [share] = shares([stay(1, "2026-01-01")], rooms, [{ ...fee, fromDate: "2026-03-16" }]);
  expect([share!.from, share!.to, share!.amount]).toEqual(["2026-03-16", "2026-03-20", 1_613]);
  expect(shares([stay(1, "2026-01-01")], rooms, [{ ...fee, toDate: "2026-03-05" }])).toEqual([]);
});

test("occupants pay only what recurs, of companies' contracts alone", () => {
  const wrong = (kind: "renter" | "company", of: "recurring" | "once") =>
    payerErrors(kind, [{ kind: of }, { kind: of, payer: "occupant" }]).map((e) => `${e.field} ${e.msg}`);
  expect(wrong("company", "recurring")).toEqual([]);
  expect(wrong("company", "once")).toEqual(["fees.1.payer 入住人付款的费用按月计算，请选择周期费用"]);
  expect(wrong("renter", "recurring")).toEqual(["fees.1.payer 只有企业合同的费用可以由入住人付款"]);
});

test("months are billed once, when they are over, the last one to the end of the lease", () => {
  const april = { no: 2, from: "2026-04-01", to: "2026-04-30", days: 30, monthDays: 30 };
  const over = (last: string, today: string, billed: string[] = []) =>
    monthsOver([MARCH, april], last, today, new Set(billed)).map((m) => [m.from, m.to]);
  expect(over("2027-02-28", "2026-03-31")).toEqual([]);
  expect(over("2027-02-28", "2026-04-01")).toEqual([["2026-03-01", "2026-03-31"]]);
  expect(over("2027-02-28", "2026-05-01", ["2026-03-01"])).toEqual([["2026-04-01", "2026-04-30"]]);
  expect(over("2026-04-12", "2026-04-13", ["2026-03-01"])).toEqual([["2026-04-01", "2026-04-12"]]);
  expect(over("2026-03-31", "2026-06-01")).toEqual([["2026-03-01", "2026-03-31"]]);
});

test("law: the parts of a room add up to what its lived-in days cost, and each explains itself", () => {
  const someStay = fc
    .tuple(fc.integer({ min: -5, max: 30 }), fc.integer({ min: 0, max: 40 }))
    .map(([a, n]) => [addDays("2026-03-01", a), addDays("2026-03-01", a + n)] as const);
  fc.assert(
    fc.property(
      fc.array(someStay, { maxLength: 6 }),
      fc.integer({ min: 1, max: 999_999 }),
      (spans, amount) => {
        const stays = spans.map(([from, to], i) => stay(i + 1, from, to));
        const parts = shares(stays, [{ roomId: 1 }], [{ feeId: 7, amount }]);
        const lived = Array.from({ length: 31 }, (_, i) => addDays("2026-03-01", i)).filter((day) =>
          stays.some((s) => s.from <= day && s.to! >= day),
        ).length;
        expect(parts.reduce((sum, p) => sum + p.amount, 0)).toBe(Math.floor((amount * lived * 2 + 31) / 62));
        for (const part of parts) {
          expect(shareSentence(part.explain).amount).toBe(part.amount);
          const days = part.explain.shared.reduce((sum, s) => sum + s.days, 0);
          expect(days).toBe(daysBetween(part.from, part.to) + 1);
        }
      },
    ),
  );
});
