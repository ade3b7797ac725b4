import fc from "fast-check";
import { expect, test } from "vitest";
import { type Band, shareOf, type Terms, termsRefusal, termsWord } from "./share.rules.ts";

const told = (terms: Terms, gross: number) => {
  const { share, formula } = shareOf(terms, gross);
  return [share, formula];
};
const BANDS: Band[] = [
  { upTo: 300_000, percent: "40" },
  { upTo: null, percent: "60" },
];

test("5,000.00 shared by each of the four ways", () => {
  expect(told({ shareMode: "percent", percent: "60" }, 500_000)).toEqual([
    300_000,
    "5,000.00 × 60% = 3,000.00",
  ]);
  expect(told({ shareMode: "fixed", amount: 80_000 }, 500_000)).toEqual([80_000, "固定 800.00"]);
  expect(told({ shareMode: "tiered", bands: BANDS }, 500_000)).toEqual([
    240_000,
    "3,000.00 × 40% + 2,000.00 × 60% = 2,400.00",
  ]);
  expect(told({ shareMode: "minPlusPercent", percent: "60.00", amount: 350_000 }, 500_000)).toEqual([
    350_000,
    "保底 3,500.00，5,000.00 × 60% = 3,000.00，取 3,500.00",
  ]);
});

test("within the first band, at its end, and nothing at all", () => {
  const by = (gross: number) => told({ shareMode: "tiered", bands: BANDS }, gross);
  expect(by(100_000)).toEqual([40_000, "1,000.00 × 40% = 400.00"]);
  expect(by(300_000)).toEqual([120_000, "3,000.00 × 40% = 1,200.00"]);
  expect(by(0)).toEqual([0, "0.00 = 0.00"]);
  expect(told({ shareMode: "percent", percent: "33.33" }, 1)).toEqual([0, "0.01 × 33.33% = 0.00"]);
  expect(told({ shareMode: "percent", percent: "50" }, 1)).toEqual([1, "0.01 × 50% = 0.01"]);
});

test("terms say in which field something is missing or out of order", () => {
  const wrong = (terms: Partial<Terms>) => {
    const found = termsRefusal(terms);
    return found && `${found.path.join(".")} ${found.msg}`;
  };
  expect(wrong({ shareMode: "percent" })).toBe("percent 请输入分成比例");
  expect(wrong({ shareMode: "fixed" })).toBe("amount 请输入固定金额");
  expect(wrong({ shareMode: "minPlusPercent", percent: "5" })).toBe("amount 请输入保底金额");
  expect(wrong({ shareMode: "minPlusPercent", amount: 5 })).toBe("percent 请输入分成比例");
  expect(wrong({ shareMode: "tiered", bands: [] })).toBe("bands 请至少填写一个档位");
  expect(wrong({ shareMode: "tiered", bands: [{ upTo: 5, percent: "1" }] })).toBe(
    "bands.0.upTo 最后一档不填上限",
  );
  expect(wrong({ shareMode: "tiered", bands: [{ upTo: null, percent: "1" }, ...BANDS] })).toBe(
    "bands.0.upTo 请输入该档上限",
  );
  expect(wrong({ shareMode: "tiered", bands: [{ upTo: 300_000, percent: "1" }, ...BANDS] })).toBe(
    "bands.1.upTo 上限须大于上一档",
  );
  expect(wrong({ shareMode: "tiered", bands: BANDS })).toBeUndefined();
});

test("terms in a line", () => {
  expect(termsWord({ shareMode: "percent", percent: "60.50" })).toBe("60.5%");
  expect(termsWord({ shareMode: "fixed", amount: 80_000 })).toBe("固定 800.00");
  expect(termsWord({ shareMode: "minPlusPercent", percent: "60", amount: 350_000 })).toBe(
    "60%，保底 3,500.00",
  );
  expect(termsWord({ shareMode: "tiered", bands: BANDS })).toBe("至 3,000.00 40%，以上 60%");
});

const percents = fc.integer({ min: 1, max: 10_000 }).map((n) => (n / 100).toFixed(2));
test("bands of one rate are that rate, and more takings never share less", () => {
  fc.assert(
    fc.property(
      percents,
      fc.uniqueArray(fc.integer({ min: 1, max: 5_000_000 }), { maxLength: 5 }),
      fc.integer({ min: 0, max: 9_999_999_999 }),
      fc.integer({ min: 0, max: 100_000 }),
      (percent, ends, gross, more) => {
        const bands: Band[] = [...ends.toSorted((a, b) => a - b), null].map((upTo) => ({ upTo, percent }));
        const terms: Terms = { shareMode: "tiered", bands };
        expect(shareOf(terms, gross).share).toBe(shareOf({ shareMode: "percent", percent }, gross).share);
        expect(shareOf(terms, gross + more).share).toBeGreaterThanOrEqual(shareOf(terms, gross).share);
        expect(shareOf(terms, gross).share).toBeLessThanOrEqual(gross);
      },
    ),
  );
});
