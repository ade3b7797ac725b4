import { describe, expect, test } from "vitest";
import { allocationExample } from "../setting-form/example.rules.ts";
import {
  asShares,
  LATE_FEE_FIELDS,
  lateFeeFields,
  lateFeeFieldsOf,
  rateWarning,
  termsOn,
} from "./late-terms.rules.ts";
import { BILLING_DEFAULTS, billingFields, effective, ownFields, settingText } from "./setting.rules.ts";

const fits = (key: keyof typeof billingFields.shape, value: unknown) =>
  billingFields.shape[key].safeParse(value).success;

describe("billing settings", () => {
  test("each field keeps its range", () => {
    expect([-1, 0, 60, 61].map((n) => fits("issueLeadDays", n))).toEqual([false, true, true, false]);
    expect([-1, 0, 365, 366].map((n) => fits("writeOffMinDays", n))).toEqual([false, true, true, false]);
    expect([4, 5, 120, 121].map((n) => fits("payOrderMinutes", n))).toEqual([false, true, true, false]);
    expect([-1, 0, 1].map((n) => fits("cashRefundLimit", n))).toEqual([false, true, true]);
    expect([-1, 0, 1].map((n) => fits("lateFeeMin", n))).toEqual([false, true, true]);
    expect(fits("allocationOrder", ["due", "priority", "principalFirst"])).toBe(true);
    expect(fits("allocationOrder", ["due", "due", "priority"])).toBe(false);
    expect(fits("allocationOrder", ["due", "priority"])).toBe(false);
    expect([
      fits("lateFeeSubjects", null),
      fits("lateFeeSubjects", ["rent"]),
      fits("lateFeeSubjects", Array(500).fill("rent")),
      fits("lateFeeSubjects", Array(501).fill("rent")),
      fits("lateFeeSubjects", []),
    ]).toEqual([true, true, true, false, false]);
  });
  test("later layers win field by field; what does not fit falls back", () => {
    expect(effective()).toEqual(BILLING_DEFAULTS);
    expect(BILLING_DEFAULTS).toMatchObject({
      issueLeadDays: 0,
      payOrderMinutes: 30,
      writeOffMinDays: 90,
      cashRefundLimit: 50_000,
      lateFeeMin: 0,
    });
    expect(
      effective({ issueLeadDays: 7, writeOffMinDays: 30 }, undefined, {
        issueLeadDays: 61,
        writeOffMinDays: 10,
        no: 1,
      }),
    ).toEqual({ ...BILLING_DEFAULTS, issueLeadDays: 7, writeOffMinDays: 10 });
  });
  test("what an owner set and gave back, change by change", () => {
    const set = (setting: Record<string, unknown>, ...follows: string[]) => ({ setting, follows });
    expect(ownFields([set({ a: 1, b: 2 }), set({ c: 3 }, "a"), set({ b: 4 })])).toEqual({ b: 4, c: 3 });
  });
  test("as people read them", () => {
    expect(settingText("lateFeeSubjects", null)).toBe("全部收入类科目");
    expect(settingText("lateFeeSubjects", ["rent"], () => "租金")).toBe("租金");
    expect(settingText("allocationOrder", ["due", "priority"])).toBe("应收日早的先付＞科目优先级");
    expect(settingText("confirmChannels", [])).toBe("无");
    expect(settingText("confirmChannels", ["bankTransfer"])).not.toBe("bankTransfer");
    expect([settingText("autoUsePrepaid", true), settingText("autoUsePrepaid", false)]).toEqual(["是", "否"]);
    expect(settingText("lateFeeMin", 500)).toBe("5.00 元");
    expect(settingText("issueLeadDays", 7)).toBe("7 天");
    expect(settingText("lateFeeFreeze", "monthly")).toBe("每月1日入账");
  });
  test("the example of the order says what 1,500.00 pays", () => {
    const paid = (...order: Parameters<typeof allocationExample>[0]) =>
      allocationExample(order).rows.map((r) => [r.name, r.owed, r.pay]);
    expect(paid("due", "priority", "principalFirst")).toEqual([
      ["2月租金", 100_000, 100_000],
      ["2月物业费", 20_000, 20_000],
      ["2月滞纳金", 4055, 4055],
      ["3月租金", 100_000, 25_945],
      ["3月物业费", 20_000, 0],
    ]);
    expect(paid("principalFirst", "due", "priority").map(([, , pay]) => pay)).toEqual([
      100_000, 20_000, 30_000, 0, 0,
    ]);
    expect(paid("priority", "due").map(([name]) => name)).toEqual([
      "2月租金",
      "3月租金",
      "2月物业费",
      "3月物业费",
      "2月滞纳金",
    ]);
    expect(allocationExample(["due"]).money).toBe(150_000);
  });
});

describe("late-fee terms", () => {
  test("each field keeps its range", () => {
    const fee = (key: keyof typeof lateFeeFields.shape, value: unknown) =>
      lateFeeFields.shape[key].safeParse(value).success;
    expect([-1, 0, 60, 61].map((n) => fee("graceDays", n))).toEqual([false, true, true, false]);
    expect([-1, 0, 100, 101, 1.5].map((n) => fee("lateFeeCapPercent", n))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(["0", "0.05", "1", "1.0", "1.1", "0.00001"].map((n) => fee("lateFeeDailyRate", n))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
  test("what was to come lies over them from its day on, the latest last", () => {
    const coming = [
      { from: "2026-05-01", terms: { graceDays: 9 } },
      { from: "2026-04-01", terms: { graceDays: 5, lateFeeCapPercent: 50 } },
    ];
    const on = (day: string) => termsOn(LATE_FEE_FIELDS, coming, day);
    // of two of one day, what was said last
    const twice = [5, 6].map((graceDays) => ({ from: "2027-01-01", terms: { graceDays } }));
    expect(termsOn(LATE_FEE_FIELDS, twice, "2027-01-01").graceDays).toBe(6);
    expect(on("2026-03-31")).toEqual(LATE_FEE_FIELDS);
    expect(on("2026-04-01")).toEqual({ ...LATE_FEE_FIELDS, graceDays: 5, lateFeeCapPercent: 50 });
    expect(on("2026-05-01")).toMatchObject({ graceDays: 9, lateFeeCapPercent: 50 });
  });
  test("fields that do not fit are the product's; shares as bills keep them", () => {
    expect(lateFeeFieldsOf(null)).toEqual({ graceDays: 3, lateFeeDailyRate: "0.05", lateFeeCapPercent: 100 });
    expect(lateFeeFieldsOf({ graceDays: 61, lateFeeCapPercent: 30 })).toMatchObject({
      graceDays: 3,
      lateFeeCapPercent: 30,
    });
    expect(asShares(LATE_FEE_FIELDS)).toEqual({ graceDays: 3, lateFeeRate: "0.0005", lateFeeCap: "1" });
    expect(asShares({ graceDays: 0, lateFeeDailyRate: "0.0333", lateFeeCapPercent: 30 })).toEqual({
      graceDays: 0,
      lateFeeRate: "0.000333",
      lateFeeCap: "0.3",
    });
    expect([rateWarning("0.1"), rateWarning("0.1001"), rateWarning(undefined)]).toEqual([
      undefined,
      "超过常见上限，请确认合同约定",
      undefined,
    ]);
  });
});
