import { expect, test } from "vitest";
import { rentLines } from "./discounts.rules.ts";
import { aSchedule, type SampleTerms } from "./schedule.sample.ts";
import { pricedOf, sentence, sentences } from "./sentence.rules.ts";
import { planBills } from "./bills.rules.ts";
import { takeOver } from "./carry.rules.ts";

const said = (terms: SampleTerms, at = 0) => sentence(rentLines(aSchedule(terms)).at(at)!.explain);
const cut = { start: "2026-07-15", end: "2026-08-05", rent: 350_000 };
const second = (from: string, resultRent: number) => [
  { fromDate: from, mode: "table" as const, value: String(resultRent), resultRent, source: "rule" as const },
];

test.each<[SampleTerms, string]>([
  [cut, "3,500.00 × 22 ÷ 31 = 2,483.87（按实际天数，四舍五入到分）"],
  [{ ...cut, basis: "30" }, "3,500.00 × 22 ÷ 30 = 2,566.67（按每月30天，四舍五入到分）"],
  [{ ...cut, basis: "365" }, "3,500.00 × 12 × 22 ÷ 365 = 2,531.51（按每年365天，四舍五入到分）"],
  [
    { ...cut, basis: "area", pricing: "areaDay", room: { unitPrice: "4.50", area: "86.5" } },
    "4.50 × 86.5 × 22 = 8,563.50（按面积，四舍五入到分）",
  ],
  [{ rent: 350_000, cycleMonths: 3 }, "3,500.00 × 3 个月 = 10,500.00"],
  [
    { ...cut, end: "2026-09-14", start: "2026-07-24", anchorDate: "2026-07-15", cycleMonths: 3 },
    "3,500.00 × 22 ÷ 31 = 2,483.87；3,500.00 × 1 个月 = 3,500.00；合计 5,983.87（按实际天数，四舍五入到分）",
  ],
])("%j reads %s", (terms, words) => {
  expect(said(terms)).toBe(words);
});

test("a line as its price times months or days", () => {
  const priced = (terms: SampleTerms, at = 0) => pricedOf(rentLines(aSchedule(terms)).at(at)!.explain);
  expect(priced({ rent: 350_000, cycleMonths: 3 })).toBe("3,500.00 × 3 个月");
  expect(priced(cut)).toBe("3,500.00/月 × 22 天");
  const mixed: SampleTerms = {
    ...cut,
    end: "2026-09-14",
    start: "2026-07-24",
    anchorDate: "2026-07-15",
    cycleMonths: 3,
  };
  expect(priced(mixed)).toBe("3,500.00/月 × 22 天 + 3,500.00 × 1 个月");
  expect(priced({ rentFree: [{ fromDate: "2026-03-01", toDate: "2026-03-10" }] })).toBe("");
});

test("the rest of a month says what stands before it", () => {
  const rentFree = [{ fromDate: "2026-03-01", toDate: "2026-03-10" }];
  expect(said({ rentFree })).toBe("免租 10 天 0.00（免收 967.74）");
  expect(said({ rentFree, basis: "30" }, 1)).toBe(
    "3,000.00 × (1 − 10 ÷ 30) = 2,000.00（按每月30天，四舍五入到分）",
  );
  expect(said({ rentFree, basis: "365" }, 1)).toBe(
    "3,000.00 × (1 − 120 ÷ 365) = 2,013.70（按每年365天，四舍五入到分）",
  );
});

test("a fen that comes from the month's running total is explained", () => {
  const terms = { start: "2026-07-15", rent: 350_000, steps: second("2026-08-01", 330_000) };
  expect(said(terms, 1)).toBe(
    "3,300.00 × 14 ÷ 31 = 1,490.32，当月累计 3,409.68 − 已计 1,919.35 = 1,490.33（按实际天数，四舍五入到分）",
  );
});

test("a month taken over by area, before and after a step", () => {
  const room = { unitPrice: "4.50", area: "86.5" };
  const area = { basis: "area" as const, pricing: "areaDay" as const, room };
  const old = aSchedule(area);
  const next = { ...area, ...takeOver(old, "2026-03-11"), start: "2026-03-11", end: old.end };
  expect(said(next)).toBe("11,839.69 − 4.50 × 86.5 × 10 = 7,947.19（按面积，四舍五入到分）");
  expect(said({ ...next, steps: second("2026-03-21", 1_200_000) }, 1)).toBe(
    "12,000.00 × (1 − 4.50 × 86.5 × 20 ÷ 11,839.69) = 4,109.59（按面积，四舍五入到分）",
  );
});

test("deposits, fees and offers speak too", () => {
  const plan = planBills(
    aSchedule({
      cycleMonths: 3,
      deposit: { mode: "months", months: "1.5" },
      fees: [
        { feeId: 2, kind: "recurring", amount: 10_000, prorate: false },
        { feeId: 3, kind: "once", amount: 20_000 },
        { feeId: 4, kind: "depositInKind", amount: 5_000 },
      ],
      discounts: [
        { kind: "firstMonths", value: "1", order: 1 },
        { kind: "percent", value: "5", toMonth: 3, order: 1 },
        { kind: "amount", value: "20000", order: 1 },
      ],
    }),
  );
  const words = plan.bills.slice(0, 2).map((b) => b.lines.map((l) => sentence(l.explain)));
  expect(words).toEqual([
    ["3,000.00 × 1.5 个月 = 4,500.00（押金，不随租金递增）", "约定押金 50.00"],
    [
      "3,000.00 × 3 个月 = 9,000.00",
      "第 1 个月免租金优惠 −3,000.00",
      "第 2-3 个月 3,000.00 × 2 × 5% = −300.00（逐月四舍五入到分）",
      "第 2 个月减免，共 200.00，本行 −200.00",
      "100.00 × 3 个月 = 300.00（不足整期按整期）",
      "一次性收取 200.00",
    ],
  ]);
  expect(sentences(plan.bills[1]!.lines[0]!.explain)).toEqual({
    rows: ["3,000.00 × 3 个月 = 9,000.00"],
    note: "",
  });
});

test("a fee of a shop has no area: it is counted as by the year", () => {
  const fees = [{ feeId: 2, kind: "recurring" as const, amount: 10_000, fromDate: "2026-03-22" }];
  const input = aSchedule({ basis: "area", end: "2026-03-31", room: { unitPrice: "4.5", area: "40" }, fees });
  const fee = planBills(input)
    .bills.flatMap((bill) => bill.lines)
    .find((line) => line.kind === "fee")!;
  expect(sentence(fee.explain)).toBe("100.00 × 12 × 10 ÷ 365 = 32.88（按每年365天，四舍五入到分）");
});

test("a discount says from which month to which", () => {
  const off = (value: string, toMonth: number | null = null) => {
    const discounts = [{ kind: "percent" as const, value, order: 1, toMonth }];
    const lines = planBills(aSchedule({ months: 4, cycleMonths: 0, discounts })).bills.flatMap(
      (bill) => bill.lines,
    );
    return sentence(lines.find((line) => line.kind === "discount")!.explain);
  };
  expect(off("10")).toBe("第 1-4 个月 3,000.00 × 4 × 10% = −1,200.00（逐月四舍五入到分）");
  expect(off("10", 1)).toBe("第 1 个月 3,000.00 × 10% = −300.00（逐月四舍五入到分）");
});

test("of thirty days the last of a long month weighs nothing", () => {
  const rentFree = [{ fromDate: "2026-03-01", toDate: "2026-03-30" }];
  expect(said({ rentFree, basis: "30" }, 1)).toBe(
    "3,000.00 × (1 − 30 ÷ 30) = 0.00（按每月30天，四舍五入到分）",
  );
  const tail = [{ fromDate: "2026-03-31", toDate: "2026-03-31" }];
  expect(said({ rentFree: tail, basis: "30" })).toBe(
    "3,000.00 × 30 ÷ 30 = 3,000.00（按每月30天，四舍五入到分）",
  );
});
