import { describe, expect, test } from "vitest";
import { declineText, endOfTerm, followRefusal, renewRefusal, renewedRent, riseOf } from "./renewal.rules.ts";

describe("the new rent of a batch", () => {
  test.each([
    ["percent", "5", "fen", 350_000, null, 367_500],
    ["percent", "5", "fen", 333_300, null, 349_965],
    ["percent", "5", "jiao", 333_300, null, 349_970],
    ["percent", "5", "yuan", 333_300, null, 350_000],
    ["percent", "-2.5", "yuan", 350_000, null, 341_300],
    ["amount", "100", "fen", 350_000, null, 360_000],
    ["amount", "-50.5", "yuan", 350_000, null, 345_000],
    ["list", "0", "yuan", 350_000, 368_050, 368_100],
    ["list", "0", "fen", 350_000, null, undefined],
  ] as const)("%s %s rounded to %s: %i becomes %s → %s", (way, value, rounding, rent, list, becomes) => {
    expect(renewedRent({ way, value, rounding }, rent, list)).toBe(becomes);
  });

  test("rises by a share of the rent before", () => {
    expect([riseOf(350_000, 367_500), riseOf(350_000, 341_250), riseOf(0, 100)]).toEqual([
      0.05,
      -0.025,
      null,
    ]);
  });
});

test("a term of months ends a day before the day it began on", () => {
  expect(endOfTerm("2027-03-15", 12)).toBe("2028-03-14");
  expect(endOfTerm("2027-01-31", 12)).toBe("2028-01-30");
});

describe("whether a renewal can be begun", () => {
  const of = {
    contractState: "effective",
    end: "2027-03-14",
    nextId: null,
    openActNo: null,
    windowDays: 60,
    needsPaid: false,
    overdue: 123_400,
  };
  test.each([
    ["2027-01-13", {}, undefined],
    ["2027-01-12", {}, "距到期还有 61 天，未到可续租时间"],
    ["2027-03-20", { contractState: "expired" }, undefined],
    ["2027-02-01", { contractState: "ended" }, "合同不在租，不能续租"],
    ["2027-02-01", { nextId: 7 }, "该合同已续租"],
    [
      "2027-02-01",
      { openActNo: "TF1" },
      "该合同有进行中的续租、换房、转租、退房或变更，请先完成或取消（TF1）",
    ],
    ["2027-02-01", { needsPaid: true }, "欠费 1,234.00 元，结清后方可续租"],
    ["2027-02-01", { needsPaid: true, overdue: 0 }, undefined],
  ] as const)("on %s with %o: %s", (today, more, why) => {
    expect(renewRefusal({ ...of, ...more }, today)).toBe(why);
  });
});

test("no renewal asks for a leaving at once, where its day is not further ahead than one may be asked for", () => {
  const said = (daysLeft: number) => declineText({ endDate: "2027-03-14", daysLeft });
  expect(said(90)).toBe("登记到期日 2027-03-14 的退房申请，不再提醒续租。");
  expect(said(91)).toBe("不再提醒续租；到期日 2027-03-14 在 90 天以后，届时再登记退房申请。");
});

test("whether a tenant stays is asked while the lease runs and nothing follows it", () => {
  const why = (contractState: string, nextId: number | null = null) =>
    followRefusal({ contractState, nextId });
  expect([why("effective"), why("expired")]).toEqual([undefined, undefined]);
  expect(why("ended")).toBe("合同不在租，无需跟进续租");
  expect(why("effective", 7)).toBe("该合同已续租");
});
