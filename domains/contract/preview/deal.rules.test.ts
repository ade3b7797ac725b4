import { expect, test } from "vitest";
import { aSchedule, type SampleTerms } from "../schedule/schedule.sample.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { dealOf, differences } from "./deal.rules.ts";

const RENT = 308_000;
/** A year at 3,080.00 beside a list price of 3,500.00, unless told otherwise. */
function deal(
  schedule: SampleTerms = {},
  { lists = [350_000], ...terms }: Partial<Terms> & { lists?: (number | null)[] } = {},
) {
  const input = aSchedule({ rent: RENT, ...schedule });
  const { start, end } = input;
  const contract = { monthlyRent: RENT, start, end, terms: { ...DEFAULT_TERMS, ...terms } };
  return dealOf({ contract, input, lists });
}

test("the discount is what the first rent after discounts lies below the list price", () => {
  expect(deal()).toMatchObject({ list: 350_000, net: RENT, discount: 12 });
  expect(deal({ rent: 332_500 }).discount).toBe(5);
  expect(deal({ rent: 350_000 }).discount).toBe(0);
  expect(deal({ rent: 400_000 }).discount).toBe(0);
  const off = {
    kind: "percent",
    value: "12",
    feeIds: [],
    fromMonth: 1,
    toMonth: null,
    everyMonth: false,
    order: 1,
  };
  expect(deal({ rent: 350_000, discounts: [off] as never }).discount).toBe(12);
});

test("a rise makes up for no discount, a fall is one, free days are told by themselves", () => {
  const step = (resultRent: number) => ({
    steps: [
      { fromDate: "2026-04-01", mode: "table", value: String(resultRent), resultRent, source: "manual" },
    ] as SampleTerms["steps"],
  });
  expect(deal(step(420_000)).discount).toBe(12);
  expect(deal({ rent: 350_000, ...step(175_000) }).discount).toBeGreaterThan(40);
  const rentFree = [{ fromDate: "2026-03-01", toDate: "2026-03-31" }] as Terms["rentFree"];
  expect(deal({ rentFree }, { rentFree })).toMatchObject({ discount: 12, freeDays: 31 });
});

test("rooms without a list price, and a share of the turnover, are compared with nothing", () => {
  expect(deal({}, { lists: [null] }).discount).toBe(0);
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: RENT }));
  expect(deal({ rooms }, { lists: [350_000, null] }).discount).toBe(12);
  const turnover = { rentKind: "turnover" } as NonNullable<Terms["turnover"]>;
  expect(deal({}, { turnover }).discount).toBe(0);
});

test("months and deposit are counted with what is left over; a free day of two rooms is one", () => {
  expect(deal()).toMatchObject({ months: 12, depositMonths: 1, freeDays: 0 });
  expect(deal({ end: "2027-03-15" }).months).toBe(12.48);
  expect(deal({}, { deposit: { mode: "amount", amount: 462_000 } }).depositMonths).toBe(1.5);
  expect(deal({}, { deposit: { mode: "months", months: "0" } }).depositMonths).toBe(0);
  const free = (roomId: number) => ({ roomId, fromDate: "2026-03-01", toDate: "2026-03-10" });
  expect(deal({}, { rentFree: [free(1), free(2)] as never }).freeDays).toBe(10);
});

test("only what differs from the standard is said", () => {
  const standard = { mode: "months", months: "1" } as const;
  expect(differences(deal({ rent: 350_000 }), standard, RENT)).toEqual({ rent: "", deposit: "", term: "" });
  const rentFree = [{ fromDate: "2026-03-01", toDate: "2026-03-31" }] as Terms["rentFree"];
  const less = deal({}, { deposit: { mode: "months", months: "0" }, rentFree });
  expect(differences(less, standard, RENT)).toEqual({
    rent: "（折后 3,080.00 元，低于标价 3,500.00 元 12%）",
    deposit: "（0 个月，标准 1 个月）",
    term: "，免租 31 天",
  });
});
