import { expect, test } from "vitest";
import { aSchedule, type SampleTerms } from "./schedule.sample.ts";
import type { DueRule, ScheduleDiscount, ScheduleFee } from "./terms.rules.ts";
import { validate } from "./fee-errors.rules.ts";

// Every bound at the bound and one beside it.
const refused = (terms: SampleTerms, mayBeFree = false) =>
  validate(aSchedule(terms), mayBeFree).map((e) => `${e.field} ${e.msg}`);
const MOST = 9_999_999_999;
const TOO_MUCH = /^(\S+) 账单“.*”为 ([\d,.]+) 元，一张账单不得超过 99,999,999.99 元，/;
/** The field and the sum of a bill that the books do not take. */
const tooMuch = (terms: SampleTerms) => refused(terms).map((text) => TOO_MUCH.exec(text)?.slice(1) ?? text);
const step = {
  fromDate: "2026-09-01",
  mode: "table",
  value: "310000",
  resultRent: 310_000,
  source: "manual",
} as const;

test("a term of one day is a term", () => {
  expect(refused({ end: "2026-03-01" })).toEqual([]);
  expect(refused({ anchorDate: "2026-03-02" })).toEqual(["anchorDate 计费起算日不能晚于起租日"]);
  expect(refused({ anchorDate: "" })).toEqual(["anchorDate 计费起算日不能晚于起租日"]);
});

test("days of a room lie in the term", () => {
  const stay = (joinDate: string, leaveDate: string | null) => refused({ room: { joinDate, leaveDate } });
  const outside = ["rooms.0.joinDate 房间起止日期须在租期内"];
  expect([stay("2027-02-28", null), stay("2027-03-01", null)]).toEqual([[], outside]);
  expect([stay("2026-02-01", "2026-03-01"), stay("2026-02-01", "2026-02-28")]).toEqual([[], outside]);
  expect(stay("2026-05-01", "2026-05-01")).toEqual([]);
  expect(stay("2026-05-02", "2026-05-01")).toEqual(["rooms.0.joinDate 结束日期不能早于开始日期"]);
  expect(stay("", "2026-05-01")).toEqual(["rooms.0.joinDate 请选择日期"]);
  expect(stay("2026-05-01", "2026-02-30")).toEqual(["rooms.0.joinDate 请选择日期"]);
});

test("a price by area needs both, each above nothing", () => {
  const priced = (unitPrice: string, area: string) =>
    refused({ pricing: "areaDay", room: { unitPrice, area } });
  const price = "rooms.0.unitPrice 请输入正确的单价（最多六位小数）";
  expect(priced("4.5", "40")).toEqual([]);
  expect(priced("x", "40")).toEqual([price]);
  expect(priced("0", "40")).toEqual([price]);
  expect(priced("4.5", "x")).toEqual(["rooms.0.area 面积格式不正确"]);
  expect(priced("0.000001", "0.01")).toEqual(["rooms.0.unitPrice 金额必须大于0"]);
  expect(refused({ basis: "area", rent: 0, room: { unitPrice: "4.5", area: "x" } })).toEqual([
    "rooms.0.area 面积格式不正确",
  ]);
});

test("a monthly rent counts no days by area without a price by area: the way of counting is wrong, not the room", () => {
  const room = { unitPrice: null, area: null };
  expect(refused({ basis: "area", room })).toEqual(["basis 按面积计费须按面积计租，请选择其他方式"]);
});

test("rents together, and steps, keep their bounds", () => {
  const two = (second: number) => [1, second].map((monthlyRent, i) => ({ roomId: i + 1, monthlyRent }));
  const once = { end: "2026-03-31", deposit: { mode: "months", months: "0" } } as const;
  const reckoned = (second: number) => refused({ ...once, rooms: two(second) })[0];
  expect(reckoned(MOST)).toBe("rooms 金额过大");
  expect(reckoned(MOST - 1)).not.toBe("rooms 金额过大");
  const percent = (value: string) => refused({ steps: [{ ...step, mode: "percentCompound", value }] });
  const range = ["steps.0.value 递增比例须在-50到200之间"];
  expect([percent("-50"), percent("200"), percent("-50.1"), percent("200.1")]).toEqual([
    [],
    [],
    range,
    range,
  ]);
  const on = (fromDate: string) => refused({ steps: [{ ...step, fromDate }] });
  expect([on("2027-02-28"), on("2026-03-02")]).toEqual([[], []]);
  const pair = [1, 2].map((roomId) => ({ roomId, monthlyRent: roomId * 300_000 }));
  const lower = { ...step, mode: "amount", value: "-300000" } as const;
  expect(refused({ rooms: pair, steps: [lower] })).toEqual(["steps.0.value 调价后月租金必须大于0"]);
  expect(refused({ rooms: pair, steps: [{ ...lower, value: "-299999" }] })).toEqual([]);
  // on one day each room once, or all at once
  const rows = (...rooms: (number | null)[]) =>
    refused({ rooms: pair, steps: rooms.map((roomId) => ({ ...step, roomId })) });
  const twice = "fromDate 同一天只能有一次调价";
  expect([rows(1, 2), rows(1, 1), rows(null, 1), rows(1, null)]).toEqual([
    [],
    [`steps.1.${twice}`],
    [`steps.1.${twice}`],
    [`steps.1.${twice}`],
  ]);
});

test("free days: real ones, one after another, of one room or of all", () => {
  const free = (...rows: [from: string, to: string, roomId?: number][]) =>
    refused({
      rooms: [1, 2].map((roomId) => ({ roomId, monthlyRent: 300_000 })),
      rentFree: rows.map(([fromDate, toDate, roomId = null]) => ({ fromDate, toDate, roomId })),
    });
  expect(free(["2026-03-01", "2026-03-01"])).toEqual([]);
  expect(free(["2026-03-02", "2026-03-01"])).toEqual(["rentFree.0.toDate 结束日期不能早于开始日期"]);
  expect(free(["2026-02-30", "2026-03-01"])).toEqual(["rentFree.0.fromDate 请选择日期"]);
  expect(free(["2026-03-01", "2026-02-30"])).toEqual(["rentFree.0.fromDate 请选择日期"]);
  const [day, overlap] = ["2026-03-05", ["rentFree.1.fromDate 免租期不能重叠"]];
  expect(free([day, day, 1], [day, day, 2])).toEqual([]);
  expect(free([day, day, 1], [day, day, 1])).toEqual(overlap);
  expect(free([day, day, 1], [day, day])).toEqual(overlap);
  expect(free([day, day], [day, day, 2])).toEqual(overlap);
});

test("due rules", () => {
  const due = (more: Partial<DueRule> & { firstDueDays?: number }) =>
    refused({ due: { rule: "advance", ...more } });
  for (const dueDays of [0, 60]) expect(due({ dueDays })).toEqual([]);
  for (const dueDay of [1, 31]) expect(due({ dueDay })).toEqual([]);
  for (const dueMonthOffset of [-1, 0, 1] as const) expect(due({ dueMonthOffset })).toEqual([]);
  for (const firstDueDays of [0, 7]) expect(due({ firstDueDays })).toEqual([]);
  expect(due({ dueDays: -1 })).toEqual(["due.dueDays 请输入0到60之间的整数"]);
  expect(due({ dueDay: 0 })).toEqual(["due.dueDay 请输入1到31之间的整数"]);
  for (const dueMonthOffset of [-2, 2])
    expect(due({ dueMonthOffset: dueMonthOffset as 1 })).toEqual([
      "due.dueMonthOffset 请选择上月、当月或次月",
    ]);
  expect(due({ firstDueDays: 8 })).toEqual(["due.firstDueDays 请输入0到7之间的整数"]);
});

test("fees: their basis, their days, and one of a kind at a time", () => {
  const fee = { feeId: 2, kind: "recurring", amount: 10_000 } as const;
  const fees = (...rows: Partial<ScheduleFee>[]) =>
    refused({
      rooms: [1, 2].map((roomId) => ({ roomId, monthlyRent: 300_000 })),
      fees: rows.map((row) => ({ ...fee, ...row })),
    });
  expect(fees({ basis: "30" })).toEqual([]);
  expect(fees({ basis: "31" as "30" })).toEqual(["fees.0.basis 请选择不足整月计费方式"]);
  const [first, last] = ["2026-03-01", "2027-02-28"];
  expect(fees({ fromDate: first, toDate: last })).toEqual([]);
  expect(fees({ fromDate: first, toDate: first })).toEqual([]);
  expect(fees({ fromDate: last })).toEqual([]);
  expect(fees({ fromDate: "2026-03-02", toDate: first })).toEqual(["fees.0.toDate 结束日期不能早于开始日期"]);
  expect(fees({ fromDate: "2026-02-30" })).toEqual(["fees.0.fromDate 请选择日期"]);
  expect(fees({ toDate: "2026-02-30" })).toEqual(["fees.0.fromDate 请选择日期"]);
  const outside = ["fees.0.fromDate 费用起止日期须在租期内"];
  expect(fees({ fromDate: "2026-02-28" })).toEqual(outside);
  expect(fees({ toDate: "2027-03-01" })).toEqual(outside);
  const twice = ["fees.1.feeId 该费用在同一期间已存在"];
  expect(fees({ roomId: 1 }, { roomId: 2 })).toEqual([]);
  expect(fees({ roomId: 1 }, { roomId: 1 })).toEqual(twice);
  expect(fees({ roomId: 1 }, {})).toEqual(twice);
  expect(fees({}, { roomId: 1 })).toEqual(twice);
});

test("discounts: their value and their months", () => {
  const off = (more: Partial<ScheduleDiscount>) =>
    refused({ discounts: [{ kind: "percent", value: "5", order: 1, ...more }] });
  const of = (kind: ScheduleDiscount["kind"], ...values: string[]) =>
    values.map((value) => off({ kind, value }).length);
  expect(of("percent", "0.1", "100", "0.09", "100.1")).toEqual([0, 0, 1, 1]);
  expect(of("firstMonths", "1", "12", "0", "13", "1.5", "x")).toEqual([0, 0, 1, 1, 1, 1]);
  expect(of("amount", "1", "9999999999", "0", "10000000000", "1.5")).toEqual([0, 0, 1, 1, 1]);
  for (const fromMonth of [1, 240]) expect(off({ fromMonth })).toEqual([]);
  for (const fromMonth of [0, 241])
    expect(off({ fromMonth })).toEqual(["discounts.0.fromMonth 请输入1到240之间的整数"]);
  expect([off({ fromMonth: 5, toMonth: 5 }), off({ fromMonth: 5, toMonth: 240 })]).toEqual([[], []]);
  const before = ["discounts.0.toMonth 结束月份不能早于开始月份"];
  expect([off({ fromMonth: 5, toMonth: 4 }), off({ toMonth: 0 }), off({ toMonth: 241 })]).toEqual([
    before,
    before,
    before,
  ]);
});

test("the books take a bill of 99,999,999.99 and no more, whatever it is made of", () => {
  const bare = { end: "2026-03-31", deposit: { mode: "amount", amount: 0 } } as const;
  const fee = (amount: number, more: Partial<ScheduleFee> = {}) => ({
    feeId: 2,
    kind: "recurring" as const,
    amount,
    prorate: false,
    ...more,
  });
  expect(tooMuch({ ...bare, rent: MOST })).toEqual([]);
  expect(tooMuch({ ...bare, rent: MOST, fees: [fee(1)] })).toEqual([["cycleMonths", "100,000,000.00"]]);
  // twelve months at once of a lease of one
  const monthly = 833_333_333;
  expect(tooMuch({ ...bare, fees: [fee(monthly, { cycleMonths: 12 })] })).toEqual([]);
  expect(tooMuch({ ...bare, fees: [fee(monthly + 1, { cycleMonths: 12 })] })).toEqual([
    ["fees.0.amount", "100,000,000.08"],
  ]);
  // three years at once
  expect(tooMuch({ months: 36, cycleMonths: 0, rent: 277_777_777 })).toEqual([]);
  expect(tooMuch({ months: 36, cycleMonths: 0, rent: 277_777_778 })).toEqual([
    ["cycleMonths", "100,000,000.08"],
  ]);
  // a rent that rises beyond it
  const steps = [{ ...step, resultRent: 900_000_000 }];
  expect(tooMuch({ cycleMonths: 12, steps })).toEqual([["cycleMonths", "54,018,000.00"]].slice(1));
  expect(tooMuch({ months: 24, cycleMonths: 12, steps })).toEqual([["cycleMonths", "108,000,000.00"]]);
  // what is taken off does not make room for more
  const half = { kind: "percent", value: "50", order: 1 } as const;
  expect(tooMuch({ months: 36, cycleMonths: 0, rent: 277_777_778, discounts: [half] })).toEqual([
    ["cycleMonths", "100,000,000.08"],
  ]);
});

test("a deposit beyond the books is told where it is agreed: as a sum, by rooms, or in keys", () => {
  const keys = { feeId: 3, name: "钥匙押金", kind: "depositInKind", amount: 1 } as const;
  const sum = (amount: number, more: SampleTerms = {}) =>
    tooMuch({ deposit: { mode: "amount", amount }, ...more });
  expect(sum(MOST)).toEqual([]);
  expect(sum(MOST, { fees: [keys] })).toEqual([["deposit.amount", "100,000,000.00"]]);
  expect(sum(1, { fees: [{ ...keys, amount: MOST }] })).toEqual([["fees.0.amount", "100,000,000.00"]]);
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: 1, depositAmount: 5_000_000_000 }));
  expect(sum(0, { rooms })).toEqual([["deposit.amount", "100,000,000.00"]]);
  // of two as dear, the first is named
  const pair = [keys, { ...keys, feeId: 4 }].map((each) => ({ ...each, amount: 5_000_000_000 }));
  expect(sum(0, { fees: pair })).toEqual([["fees.0.amount", "100,000,000.00"]]);
});

test("where something else than rent is paid, the rent may be nothing", () => {
  expect(refused({ rent: 0 })).toEqual(["rooms.0.monthlyRent 金额必须大于0"]);
  expect(refused({ rent: 0 }, true)).toEqual([]);
});
