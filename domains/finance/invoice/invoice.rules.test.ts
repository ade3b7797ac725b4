import fc from "fast-check";
import { expect, test } from "vitest";
import { INVOICE_MOVES, invoiceable, sheetsOf, taxEntry, taxOfPart, type Wish } from "./invoice.rules.ts";

const wish = (lineId: number, amount: number, more: Partial<Wish> = {}): Wish => ({
  lineId,
  amount,
  whole: amount,
  tax: Math.round(amount / 70),
  taken: 0,
  takenTax: 0,
  villageId: 1,
  lease: null,
  ...more,
});

test("3,000.00 with 42.86 in three parts of 1,000.00: 14.29, 14.28, 14.29", () => {
  const of = { whole: 300_000, tax: 4286 };
  expect(taxOfPart({ ...of, taken: 0, takenTax: 0 }, 100_000)).toBe(1429);
  expect(taxOfPart({ ...of, taken: 100_000, takenTax: 1429 }, 100_000)).toBe(1428);
  expect(taxOfPart({ ...of, taken: 200_000, takenTax: 2857 }, 100_000)).toBe(1429);
});

test("parts of any size carry the line's tax to the fen, none of them a negative one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 12 }),
      fc.double({ min: 0, max: 0.2, noNaN: true }),
      (parts, share) => {
        const whole = parts.reduce((a, b) => a + b, 0);
        const tax = Math.floor(whole * share);
        let taken = 0;
        let takenTax = 0;
        for (const amount of parts) {
          const part = taxOfPart({ whole, tax, taken, takenTax }, amount);
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(amount);
          taken += amount;
          takenTax += part;
        }
        expect(takenTax).toBe(tax);
      },
    ),
  );
});

test("lines that fit are not cut, one beyond the limit is; stores and kinds of lease stand apart", () => {
  const sheets = sheetsOf([wish(1, 600_000), wish(2, 600_000), wish(3, 300_000)], 1_000_000);
  expect(sheets.map((s) => s.parts.map((p) => [p.lineId, p.amount]))).toEqual([
    [
      [1, 600_000],
      [3, 300_000],
    ],
    [[2, 600_000]],
  ]);
  const cut = sheetsOf([wish(1, 2_500_000)], 1_000_000);
  expect(cut.map((s) => s.parts[0]!.amount)).toEqual([1_000_000, 1_000_000, 500_000]);
  expect(cut.reduce((sum, s) => sum + s.parts[0]!.tax, 0)).toBe(Math.round(2_500_000 / 70));
  const apart = sheetsOf(
    [
      wish(1, 100, { lease: "a" }),
      wish(2, 100),
      wish(3, 100, { lease: "b" }),
      wish(4, 100, { villageId: 2 }),
      wish(5, 100, { lease: "a" }),
    ],
    1000,
  );
  expect(apart.map((s) => [s.villageId, s.lease, s.parts.map((p) => p.lineId)])).toEqual([
    [1, true, [1, 5]],
    [1, false, [2]],
    [1, true, [3]],
    [2, false, [4]],
  ]);
});

test("no invoice is above the limit and nothing of a line is lost", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1000, max: 5_000_000 }),
      (amounts, limit) => {
        fc.pre(amounts.every((a) => a / limit < 500));
        const sheets = sheetsOf(
          amounts.map((amount, i) => wish(i + 1, amount)),
          limit,
        );
        for (const { parts } of sheets)
          expect(parts.reduce((sum, p) => sum + p.amount, 0)).toBeLessThanOrEqual(limit);
        for (const [i, amount] of amounts.entries()) {
          const own = sheets.flatMap((s) => s.parts).filter((p) => p.lineId === i + 1);
          expect(own.reduce((sum, p) => sum + p.amount, 0)).toBe(amount);
        }
      },
    ),
  );
});

test("what may be invoiced goes by what is paid, what is earned, or the larger of them, and never beyond the line", () => {
  const of = { whole: 300_000, settled: 100_000, earned: 200_000, taken: 50_000 };
  expect(invoiceable("paid", of)).toBe(50_000);
  expect(invoiceable("accrued", of)).toBe(150_000);
  expect(invoiceable("either", of)).toBe(150_000);
  expect(invoiceable("either", { ...of, settled: 400_000 })).toBe(250_000);
  expect(invoiceable("paid", { ...of, taken: 120_000 })).toBe(0);
});

test("E22 moves the tax that is not declared yet, and a red letter brings it back", () => {
  const invoice = { id: 7, direction: "blue", villageId: 1, partyId: 2 } as const;
  const line = { tax: 4286, declared: 286, feeSubjectId: 3, contractId: null, billId: 4, billLineId: 5 };
  const legs = (direction: "blue" | "red") =>
    taxEntry({ ...invoice, direction }, [line], "2026-03-15").legs.map((l) => [l.account, l.amount]);
  expect(legs("blue")).toEqual([
    ["2222", 4000],
    ["2221", -4000],
  ]);
  expect(legs("red")).toEqual([
    ["2222", -4000],
    ["2221", 4000],
  ]);
});

test("what may be done with an invoice in its state, and why not", () => {
  const row = { direction: "blue", driver: "simulator", amount: 100, redAmount: 0, reding: 0 } as const;
  const why = (move: Parameters<typeof INVOICE_MOVES.refusal>[0], status: string, more: object = {}) =>
    INVOICE_MOVES.refusal(move, { ...row, status, ...more } as never);
  expect(why("issue", "applied")).toBeUndefined();
  expect(why("issue", "issued")).toContain("已开票");
  expect(why("issue", "applied", { driver: "manual" })).toBe("该企业为手工登记发票，请登记已开具的发票");
  expect(why("register", "applied", { driver: "manual" })).toBeUndefined();
  expect(why("register", "applied")).toBe("该企业由服务商开票，不能手工登记");
  expect(why("red", "partRed", { redAmount: 40 })).toBeUndefined();
  expect(why("red", "issued", { reding: 100 })).toBe("该发票正在红冲，没有可红冲的金额");
  expect(why("red", "issued", { direction: "red" })).toBe("红票不能再红冲");
  expect(why("edit", "failed", { direction: "red" })).toContain("不能修改");
  expect(why("cancel", "issuing")).toContain("开具中");
});
