import { expect, test } from "vitest";
import { aSchedule, type SampleTerms } from "./schedule.sample.ts";
import { validate } from "./fee-errors.rules.ts";

const step = (fromDate: string, resultRent = 310_000, roomId?: number) => ({
  fromDate,
  mode: "table" as const,
  value: String(resultRent),
  resultRent,
  source: "manual" as const,
  ...(roomId ? { roomId } : {}),
});
const free = (fromDate: string, toDate: string) => ({ fromDate, toDate });
const fee = { feeId: 2, kind: "recurring" as const, amount: 10_000 };

const pair = [1, 2].map((roomId) => ({ roomId, monthlyRent: 300_000 }));
const plus = (value: string) => ({ ...step("2026-09-01", 700_000), mode: "amount" as const, value });
const TOO_HIGH = "调价后月租金过大，单间和合计均不得超过 99,999,999.99 元";

test("a proper contract has nothing to refuse", () => {
  const terms = {
    steps: [step("2026-09-01")],
    rentFree: [free("2026-03-01", "2026-03-10"), free("2026-03-11", "2026-03-12")],
    fees: [
      { ...fee, toDate: "2026-06-30" },
      { ...fee, fromDate: "2026-07-01" },
    ],
    discounts: [{ kind: "percent" as const, value: "5", order: 1 }],
  };
  expect(validate(aSchedule(terms))).toEqual([]);
  expect(validate(aSchedule({ months: 240 }))).toEqual([]);
});

test.each<[SampleTerms, string, string]>([
  [{ end: "2026-02-28" }, "end", "结束日期不能早于开始日期"],
  [{ months: 241 }, "end", "租赁期限不得超过二十年"],
  [{ end: "2046-03-01" }, "end", "租赁期限不得超过二十年"],
  [{ start: "2026-02-30", end: "2027-01-01", anchorDate: "2026-02-01" }, "start", "请选择起租日"],
  [{ anchorDate: "2026-02-01", carriedDays: 1 }, "carriedDays", "承接天数不能多于当月起租日之前的天数"],
  [{ rooms: [] }, "rooms", "请选择房间"],
  [{ rent: 0 }, "rooms.0.monthlyRent", "金额必须大于0"],
  [{ rent: 10_000_000_000 }, "rooms.0.monthlyRent", "金额过大"],
  [{ rooms: [1, 2].map((roomId) => ({ roomId, monthlyRent: 6_000_000_000 })) }, "rooms", "金额过大"],
  [{ rooms: [1, 1].map((roomId) => ({ roomId, monthlyRent: 1 })) }, "rooms.1.roomId", "房间不能重复"],
  [{ room: { joinDate: "2027-05-01" } }, "rooms.0.joinDate", "房间起止日期须在租期内"],
  [{ basis: "area", room: { unitPrice: "4.5", area: "0" } }, "rooms.0.area", "面积格式不正确"],
  [{ steps: [step("2026-09-01", 1, 2)] }, "steps.0.roomId", "房间不在合同内"],
  [{ steps: [step("2026-09-01"), step("2026-09-01")] }, "steps.1.fromDate", "同一天只能有一次调价"],
  [{ steps: [step("2026-09-01", 1, 1), step("2026-09-01")] }, "steps.1.fromDate", "同一天只能有一次调价"],
  [{ steps: [step("2026-03-01")] }, "steps.0.fromDate", "调价日期须晚于起租日"],
  [{ steps: [step("2027-03-01")] }, "steps.0.fromDate", "调价日期须在租期内"],
  [{ steps: [step("2026-09-01", 0)] }, "steps.0.resultRent", "金额必须大于0"],
  [{ steps: [step("2026-09-01", 10_000_000_000)] }, "steps.0.resultRent", "金额过大"],
  [{ rooms: pair, steps: [plus("-500000")] }, "steps.0.value", "调价后月租金必须大于0"],
  [{ rooms: pair, steps: [{ ...plus("9999999999"), mode: "percentBase" }] }, "steps.0.value", TOO_HIGH],
  [{ rooms: pair, steps: [plus("6000000000")] }, "steps.0.value", TOO_HIGH],
  [
    { rent: 1_000_000_000, cycleMonths: 12 },
    "cycleMonths",
    "账单“第1期租金”为 120,000,000.00 元，一张账单不得超过 99,999,999.99 元，请缩短付款周期或分开签约",
  ],
  [
    { rent: 1_000_000_000, deposit: { mode: "months", months: "12" } },
    "deposit.months",
    "账单“押金”为 120,000,000.00 元，一张账单不得超过 99,999,999.99 元，请调小金额",
  ],
  [
    { fees: [{ ...fee, amount: 9_999_999_999, cycleMonths: 3 }] },
    "fees.0.amount",
    "账单“第1期费用”为 299,999,999.97 元，一张账单不得超过 99,999,999.99 元，请调小金额",
  ],
  [{ rentFree: [free("2026-02-20", "2026-03-10")] }, "rentFree.0.fromDate", "免租期须在租期内"],
  [{ rentFree: [free("2027-02-20", "2027-03-10")] }, "rentFree.0.fromDate", "免租期须在租期内"],
  [
    { rentFree: [free("2026-03-01", "2026-03-10"), free("2026-03-10", "2026-03-12")] },
    "rentFree.1.fromDate",
    "免租期不能重叠",
  ],
  [{ fees: [fee, { ...fee, fromDate: "2026-07-01" }] }, "fees.1.feeId", "该费用在同一期间已存在"],
  [{ fees: [{ ...fee, amount: 10_000_000_000 }] }, "fees.0.amount", "金额过大"],
  [{ deposit: { mode: "months", months: "1.3" } }, "deposit.months", "押金须为0到12个月，以半个月为单位"],
  [{ deposit: { mode: "amount", amount: 10_000_000_000 } }, "deposit.amount", "金额过大"],
  [{ due: { rule: "advance", dueDays: 61 } }, "due.dueDays", "请输入0到60之间的整数"],
  [{ due: { rule: "fixedDay", dueDay: 32 } }, "due.dueDay", "请输入1到31之间的整数"],
  [
    { discounts: [{ kind: "percent", value: "101", order: 1 }] },
    "discounts.0.value",
    "优惠比例须在0.1到100之间",
  ],
])("%j: %s %s", (terms, field, msg) => {
  expect(validate(aSchedule(terms))).toEqual([{ field, msg }]);
});
