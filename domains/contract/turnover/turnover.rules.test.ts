import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ratio } from "../../../platform/kernel/fen.ts";
import { USUAL_RULE, type TurnoverRule } from "../terms/terms.contract.ts";
import {
  bandParts,
  breakEven,
  partText,
  ratesText,
  ruleErrors,
  turnoverClauses,
  turnoverRent,
  yearParts,
} from "../terms/turnover-share.rules.ts";
import { monthsOwed, yearOf, yearOwed, type ClosedMonth } from "./statement.rules.ts";

/** 8 % to 50,000.00, 10 % to 100,000.00, 12 % above. */
const BANDS: TurnoverRule = {
  ...USUAL_RULE,
  bands: [
    { upTo: 5_000_000, rate: "8" },
    { upTo: 10_000_000, rate: "10" },
    { upTo: null, rate: "12" },
  ],
};
const WHOLE: TurnoverRule = { ...BANDS, bandMode: "whole" };
const BASE = 1_000_000;
const month = (net: number, no = 1, base = BASE): ClosedMonth => ({ no, net, base, weight: ratio(1) });
const topUp = (rule: TurnoverRule, net: number) => monthsOwed(rule, [month(net)])[0]!.topUp;

describe("marginal bands", () => {
  test.each([
    [4_300_000, 344_000, 0],
    [8_000_000, 700_000, 0],
    [12_000_000, 1_140_000, 140_000],
    [12_345_678, 1_181_481, 181_481],
  ])("%d fen of turnover", (net, share, more) => {
    expect([turnoverRent(BANDS, net), topUp(BANDS, net)]).toEqual([share, more]);
  });

  test("band by band, as people check it", () => {
    expect(bandParts(BANDS, 12_000_000).map(partText)).toEqual([
      "50,000.00 × 8% = 4,000.00",
      "50,000.00 × 10% = 5,000.00",
      "20,000.00 × 12% = 2,400.00",
    ]);
  });

  test("half a month has half the limits and half the base", () => {
    const half = { no: 1, net: 6_000_000, base: 500_000, weight: ratio(15, 30) };
    expect(monthsOwed(BANDS, [half])).toEqual([{ no: 1, share: 570_000, topUp: 70_000 }]);
  });

  test("from the first fen on, and of no turnover nothing", () => {
    expect(bandParts(BANDS, 1)).toEqual([{ sales: 1, rate: "8", amount: 0 }]);
    expect(bandParts(BANDS, 5_000_000)).toHaveLength(1);
    expect(bandParts(BANDS, 0)).toEqual([]);
    expect([bandParts(WHOLE, 1), bandParts(WHOLE, 0)]).toEqual([[{ sales: 1, rate: "8", amount: 0 }], []]);
    // returned goods beyond what was sold
    expect([turnoverRent(BANDS, -100_000), turnoverRent(WHOLE, -100_000)]).toEqual([0, 0]);
  });

  test("a turnover above the last limit of a rule without an open band costs nothing by the whole", () => {
    const closed = { ...WHOLE, bands: [{ upTo: 5_000_000, rate: "8" }] };
    expect([turnoverRent(closed, 5_000_000), turnoverRent(closed, 5_000_001)]).toEqual([400_000, 0]);
  });

  test("where the share overtakes the base", () => {
    // exactly at the limit of the first band: 50,000.00 × 8 %
    expect(breakEven({ ...BANDS, bands: [{ upTo: 5_000_000, rate: "8" }] }, 400_000)).toBe(5_000_000);
    expect(breakEven({ ...BANDS, bands: [{ upTo: 5_000_000, rate: "8" }] }, 400_001)).toBeNull();
    expect(breakEven(BANDS, BASE)).toBe(10_833_333);
    expect(breakEven({ ...BANDS, bands: [{ upTo: null, rate: "12" }] }, 560_000)).toBe(4_666_667);
    expect(breakEven({ ...BANDS, bands: [{ upTo: null, rate: "0" }] }, 560_000)).toBeNull();
  });
});

describe("the whole turnover by the rate of its band", () => {
  test.each([
    [5_000_000, 400_000, 0],
    [5_000_100, 500_010, 0],
    [8_000_000, 800_000, 0],
    [12_000_000, 1_440_000, 440_000],
    [12_345_678, 1_481_481, 481_481],
  ])("%d fen of turnover", (net, share, more) => {
    expect([turnoverRent(WHOLE, net), topUp(WHOLE, net)]).toEqual([share, more]);
  });

  test("half a month", () => {
    expect(turnoverRent(WHOLE, 6_000_000, ratio(1, 2))).toBe(720_000);
  });
});

describe("a year", () => {
  const thousands = [40, 35, 60, 55, 80, 90, 70, 65, 95, 120, 110, 130];
  const year = thousands.map((n, i) => month(n * 100_000, i + 1));

  test("each month by itself: 84,700.00 by share, three months beyond the base", () => {
    const owed = monthsOwed(BANDS, year);
    expect(owed.reduce((sum, m) => sum + m.share, 0)).toBe(8_470_000);
    expect(owed.filter((m) => m.topUp).map((m) => m.topUp)).toEqual([140_000, 20_000, 260_000]);
    expect(yearOwed(BANDS, year, true)).toBe(420_000);
  });

  test("settled by the year: the base wins over all, so what was billed beyond it comes back", () => {
    const yearly: TurnoverRule = { ...BANDS, settleBasis: "year" };
    expect(yearOwed(yearly, year.slice(0, 11), false)).toBe(160_000);
    expect(yearOwed(yearly, year, true)).toBe(0);
    const good = year.map((m) => ({ ...m, net: m.net * 2 }));
    const share = monthsOwed(yearly, good).reduce((sum, m) => sum + m.share, 0);
    expect(yearOwed(yearly, good, true)).toBe(share - 12 * BASE);
  });

  test("bands that run over the year: the tenth month costs 11,800.00 of 83,000.00", () => {
    const over: TurnoverRule = {
      ...BANDS,
      rentKind: "turnover",
      bandBasis: "year",
      bands: [
        { upTo: 60_000_000, rate: "8" },
        { upTo: null, rate: "10" },
      ],
    };
    const owed = monthsOwed(over, year);
    expect(owed[9]!.topUp).toBe(1_180_000);
    expect(yearOwed(over, year, true)).toBe(8_300_000);
    const told = (bandMode: TurnoverRule["bandMode"], before: number, net: number) =>
      yearParts({ ...over, bandMode }, before, net);
    expect(told("marginal", 59_000_000, 12_000_000)).toEqual([
      "10,000.00 × 8% = 800.00",
      "110,000.00 × 10% = 11,000.00",
    ]);
    expect(told("marginal", 60_000_000, 100)).toEqual(["1.00 × 10% = 0.10"]);
    expect(told("whole", 59_000_000, 12_000_000)).toEqual([
      "本年累计 710,000.00 × 10% = 71,000.00",
      "减：此前累计 590,000.00 × 8% = 47,200.00",
    ]);
    expect(told("whole", 0, 4_000_000)).toEqual(["本年累计 40,000.00 × 8% = 3,200.00"]);
  });

  test("contract years are twelve months each", () => {
    expect([1, 12, 13, 25].map(yearOf)).toEqual([1, 1, 2, 3]);
  });
});

test("base 5,600.00 and 12 %: 43,000.00 are 5,160.00 by share, and the base wins", () => {
  const rule = { ...USUAL_RULE, bands: [{ upTo: null, rate: "12" }] };
  expect(monthsOwed(rule, [month(4_300_000, 1, 560_000)])).toEqual([{ no: 1, share: 516_000, topUp: 0 }]);
  expect(monthsOwed({ ...rule, rentKind: "fixed" }, [month(9_300_000, 1, 560_000)])[0]!.topUp).toBe(0);
});

test("more turnover never costs less, and marginal bands never jump", () => {
  fc.assert(
    fc.property(fc.nat(30_000_000), fc.nat(100), (net, more) => {
      const [low, high] = [turnoverRent(BANDS, net), turnoverRent(BANDS, net + more)];
      expect(high).toBeGreaterThanOrEqual(low);
      expect(high - low).toBeLessThanOrEqual(Math.ceil(more * 0.12) + 1);
    }),
  );
});

test("bands rise, the last one is open, rates are percent", () => {
  const fields = (bands: TurnoverRule["bands"], more: Partial<TurnoverRule> = {}) =>
    ruleErrors({ ...BANDS, bands, ...more }).map((e) => [e.field, e.msg]);
  expect(ruleErrors(BANDS)).toEqual([]);
  expect(fields([])).toEqual([["turnover.bands", "请填写扣点"]]);
  expect(fields([{ upTo: 100, rate: "8" }])).toEqual([["turnover.bands.0.upTo", "最后一档不设上限"]]);
  expect(
    fields([
      { upTo: 200, rate: "8" },
      { upTo: 100, rate: "101" },
      { upTo: null, rate: "x" },
    ]),
  ).toEqual([
    ["turnover.bands.1.rate", "扣点为 0 至 100%"],
    ["turnover.bands.1.upTo", "分档上限须逐档增大"],
    ["turnover.bands.2.rate", "扣点为 0 至 100%"],
  ]);
  expect(
    fields([
      { upTo: 100, rate: "8" },
      { upTo: 100, rate: "100" },
      { upTo: null, rate: "0" },
    ]),
  ).toEqual([["turnover.bands.1.upTo", "分档上限须逐档增大"]]);
  for (const declareDay of [1, 28]) expect(fields(BANDS.bands, { declareDay })).toEqual([]);
  expect(fields(BANDS.bands, { declareDay: 0 })).toEqual([["turnover.declareDay", "申报日为 1 至 28"]]);
  expect(fields(BANDS.bands, { declareDay: 29 })).toEqual([["turnover.declareDay", "申报日为 1 至 28"]]);
  expect(ruleErrors({ ...BANDS, rentKind: "fixed", bands: [] })).toEqual([]);
});

test("a rule reads as it is agreed", () => {
  expect([ratesText(BANDS), ratesText(USUAL_RULE)]).toEqual(["8%/10%/12% 超额累进", "10%"]);
  expect(turnoverClauses(null)).toEqual([]);
  expect(turnoverClauses(BANDS)[0]).toBe(
    "月租金为保底租金，营业额提成高于保底租金的，乙方补足差额。提成以含税营业净额为基数，50,000.00 元以内部分 8%，50,000.00 元以上至 100,000.00 元部分 10%，100,000.00 元以上部分 12%，分档累进计提。",
  );
  const two = { ...BANDS, bands: BANDS.bands.slice(1) };
  expect(ratesText(two)).toBe("10%/12% 超额累进");
  expect(turnoverClauses(two)[0]).toContain("，分档累进计提。");
  expect(turnoverClauses(USUAL_RULE)).toEqual([
    "月租金为保底租金，营业额提成高于保底租金的，乙方补足差额。提成以含税营业净额为基数，10%。",
    "乙方于每月 5 日前申报上月营业额；逾期未申报的，按保底租金暂计，差额在补报后结清。",
  ]);
  expect(turnoverClauses({ ...USUAL_RULE, missing: "avg3", excludedCategories: "礼品卡" })[1]).toBe(
    "乙方于每月 5 日前申报上月营业额；逾期未申报的，按最近三个月的平均值暂计，差额在补报后结清。下列不计入营业额：礼品卡。",
  );
});
