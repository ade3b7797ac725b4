import { expect, test } from "vitest";
import { ratio } from "../../../platform/kernel/fen.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import {
  STATEMENT_MOVES,
  type StatementState,
  meanOfThree,
  monthRefusal,
  reckon,
  shopMonths,
} from "./statement.rules.ts";
import { USUAL_RULE } from "../terms/terms.contract.ts";

const lease = (start: string, end: string, more: object = {}) =>
  shopMonths({
    start,
    end,
    terms: { ...DEFAULT_TERMS, ...more },
    rooms: [{ roomId: 1, monthlyRent: 300_000, unitPrice: null, area: null }],
  });

test("each month of a lease has its base; free days lower it, part of a month weighs by its days", () => {
  const rentFree = [{ fromDate: "2026-04-20", toDate: "2026-04-22" }];
  expect(lease("2026-03-15", "2026-05-24", { rentFree })).toEqual([
    { no: 1, from: "2026-03-15", to: "2026-04-14", base: 300_000, weight: ratio(1) },
    // 27 of 30 days
    { no: 2, from: "2026-04-15", to: "2026-05-14", base: 270_000, weight: ratio(1) },
    // 10 of 31 days
    { no: 3, from: "2026-05-15", to: "2026-05-24", base: 96_774, weight: ratio(10, 31) },
  ]);
});

test("a month is declared when it is over", () => {
  const month = { from: "2026-03-15", to: "2026-04-14" };
  expect(monthRefusal(undefined, "2026-04-20")).toBe("该月不在租期内");
  expect(monthRefusal(month, "2026-03-14")).toBe("不能申报未来月份");
  expect(monthRefusal(month, "2026-03-15")).toBe("该月 2026-04-14 结束后才能申报");
  expect(monthRefusal(month, "2026-04-13")).toBe("该月 2026-04-14 结束后才能申报");
  expect(monthRefusal(month, "2026-04-14")).toBeUndefined();
});

test("what nobody declared is the mean of the last three months", () => {
  expect(meanOfThree([])).toBe(0);
  expect(meanOfThree([100])).toBe(100);
  expect(meanOfThree([9_999, 100, 200, 302])).toBe(201);
});

test("what waits goes back as it is, what is closed is corrected by a new one", () => {
  const after = (status: StatementState) => STATEMENT_MOVES.next("correct", { status });
  expect([after("submitted"), after("confirmed"), after("billed")]).toEqual([
    "draft",
    "corrected",
    "corrected",
  ]);
});

const rule = { ...USUAL_RULE, bands: [{ upTo: null, rate: "10" }] };
const statement = (monthNo: number, net: number, charged = 0, state: StatementState = "billed") => ({
  id: monthNo,
  monthNo,
  net,
  charged,
  state,
});

test("closing a month bills what the share asks beyond the base", () => {
  const months = lease("2026-01-01", "2026-03-31");
  // 40,000.00 × 10 % − 3,000.00
  expect(reckon(rule, months, [], { id: 1, monthNo: 1, net: 4_000_000 })).toMatchObject({
    own: { no: 1, share: 400_000, topUp: 100_000 },
    charged: 0,
    change: 100_000,
    complete: false,
  });
  const given = [statement(1, 4_000_000, 100_000), statement(2, 3_500_000, 50_000, "confirmed")];
  expect(reckon(rule, months, given, { id: 3, monthNo: 3, net: 3_000_000 })).toMatchObject({
    own: { no: 3, share: 300_000, topUp: 0 },
    charged: 150_000,
    change: 0,
    complete: true,
  });
});

test("a correction counts in place of what it corrects, and what is open or corrected counts nothing", () => {
  const months = lease("2026-01-01", "2026-03-31");
  const given = [
    statement(1, 4_000_000, 100_000),
    { ...statement(2, 9_000_000), id: 7, state: "draft" as const },
    { ...statement(1, 9_000_000), id: 8, state: "corrected" as const },
  ];
  const { own, change, charged, complete } = reckon(rule, months, given, {
    id: 1,
    monthNo: 1,
    net: 3_500_000,
  });
  expect({ own, change, charged, complete }).toEqual({
    own: { no: 1, share: 350_000, topUp: 50_000 },
    change: -50_000,
    charged: 100_000,
    complete: false,
  });
});

test("what was closed and is being put right counts until its correction is closed, in the months beside it too", () => {
  const months = lease("2026-01-01", "2026-03-31");
  const before = { ...statement(1, 4_000_000, 100_000, "corrected"), confirmedAt: "2026-02-05" };
  const open = { ...statement(1, 3_800_000, 0, "draft"), id: 9, confirmedAt: null };
  const february = reckon(rule, months, [before, open], { id: 2, monthNo: 2, net: 3_500_000 });
  expect(february).toMatchObject({ own: { topUp: 50_000 }, charged: 100_000, change: 50_000 });
  const given = [before, open, statement(2, 3_500_000, 50_000)];
  expect(reckon(rule, months, given, { id: 9, monthNo: 1, net: 3_800_000 })).toMatchObject({
    own: { topUp: 80_000 },
    change: -20_000,
  });
  // put right twice: the last that was closed
  const twice = [before, { ...before, id: 9, net: 3_800_000, charged: -20_000 }, { ...open, id: 10 }];
  expect(reckon(rule, months, twice, { id: 2, monthNo: 2, net: 3_500_000 }).change).toBe(50_000);
});

test("each contract year is reckoned by itself", () => {
  const months = lease("2026-01-01", "2027-02-28");
  const given = [statement(1, 4_000_000, 100_000), statement(13, 4_000_000, 100_000)];
  expect(reckon(rule, months, given, { id: 14, monthNo: 14, net: 5_000_000 })).toMatchObject({
    own: { no: 14, share: 500_000, topUp: 200_000 },
    charged: 100_000,
    change: 200_000,
    complete: true,
  });
});

test("a fixed rent asks for nothing more", () => {
  const months = lease("2026-01-01", "2026-01-31");
  expect(reckon(null, months, [], { id: 1, monthNo: 1, net: 9_000_000 }).change).toBe(0);
});
