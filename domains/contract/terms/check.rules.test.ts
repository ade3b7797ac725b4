import { expect, test } from "vitest";
import { planBills } from "../schedule/bills.rules.ts";
import { formErrors, formWarnings, isMinor, rangeErrors, scheduleErrors } from "./check.rules.ts";
import { DEFAULT_TERMS } from "./plans.rules.ts";
import type { Limits, RoomFacts } from "./product.rules.ts";
import { type ContractForm, USUAL_RULE } from "./terms.contract.ts";
import { scheduleOf, termsOf } from "./terms.rules.ts";

const ROOM: RoomFacts = { roomId: 1, name: "1203", kind: "room", area: "40.00", capacity: 2, gender: "any" };
const PARTY = { name: "张雅婷", gender: null, birthday: "1990-03-07", guardianName: "", guardianPhone: "" };
const limits = (more: Partial<Limits> = {}): Limits => ({
  today: "2026-03-15",
  backdateDays: 30,
  maxDepositMonths: 0,
  maxPrepayMonths: 0,
  mayBackdate: false,
  rooms: [ROOM],
  party: PARTY,
  ...more,
});
const formOf = (more: Partial<ContractForm> = {}): ContractForm => ({
  ...DEFAULT_TERMS,
  kind: "renter",
  villageId: 4,
  partyId: 3,
  start: "2026-03-15",
  end: "2027-03-14",
  rooms: [{ roomId: 1, monthlyRent: 300_000 }],
  occupants: [],
  managerId: null,
  signerId: null,
  remark: "",
  ...more,
});
const wrong = (form: Partial<ContractForm> = {}, with_: Partial<Limits> = {}) =>
  formErrors(formOf(form), limits(with_)).map((e) => `${e.field} ${e.msg}`);

test("days and rooms are asked for, and without them nothing is reckoned; with them a form is proper", () => {
  expect(wrong()).toEqual([]);
  expect(wrong({ start: null })).toEqual(["start 请选择起租日"]);
  expect(wrong({ end: null })).toEqual(["end 请选择结束日期"]);
  expect(wrong({ rooms: [] })).toEqual(["rooms 请选择房间"]);
  expect(wrong({ start: null, end: null, rooms: [] })).toHaveLength(3);
});

test("who may not date back, begins at most as many days ago as the village gives", () => {
  expect(wrong({ start: "2026-02-13", end: "2027-02-12" })).toEqual([]);
  expect(wrong({ start: "2026-02-12", end: "2027-02-11" })).toEqual(["start 起租日超过可倒签天数"]);
  expect(wrong({ start: "2026-02-12", end: "2027-02-11" }, { mayBackdate: true })).toEqual([]);
});

test("the deposit stays within the months of rent that the village allows, as months or as a sum", () => {
  const most = (deposit: ContractForm["deposit"], maxDepositMonths = 2) =>
    wrong({ deposit }, { maxDepositMonths });
  expect(most({ mode: "months", months: "2" })).toEqual([]);
  expect(most({ mode: "months", months: "2.5" })).toEqual(["deposit.months 押金不得超过 2 个月租金"]);
  expect(most({ mode: "amount", amount: 600_000 })).toEqual([]);
  expect(most({ mode: "amount", amount: 600_001 })).toEqual(["deposit.amount 押金不得超过 2 个月租金"]);
  expect(most({ mode: "months", months: "12" }, 0)).toEqual([]);
  expect(most({ mode: "amount", amount: 900_000 }, 0)).toEqual([]);
});

test("rent is paid at most so many months ahead; all at once is the whole term", () => {
  const ahead = (cycleMonths: ContractForm["cycleMonths"], maxPrepayMonths: number) =>
    wrong({ cycleMonths }, { maxPrepayMonths });
  expect([ahead(6, 6), ahead(12, 0), ahead(0, 12), ahead(0, 0)]).toEqual([[], [], [], []]);
  expect(ahead(6, 5)).toEqual(["cycleMonths 预付租金不得超过 5 个月"]);
  expect(ahead(0, 11)).toEqual(["cycleMonths 预付租金不得超过 11 个月"]);
  expect(ahead(1, 11)).toEqual([]);
});

test("limits are looked at when the schedule itself is right", () => {
  const twice = wrong(
    { cycleMonths: 12, deposit: { mode: "months", months: "1.3" } },
    { maxPrepayMonths: 3 },
  );
  expect(twice).toEqual(["deposit.months 押金须为0到12个月，以半个月为单位"]);
});

test("a rent set by hand beside another first rent is asked about", () => {
  const step = { fromDate: "2026-09-15", mode: "table", value: "310000", resultRent: 310_000 } as const;
  const steps = [{ ...step, source: "manual" as const, firstRent: 290_000 }];
  expect(wrong({ steps })).toEqual([
    "steps.0.resultRent 月租金已改，请选择保留手工填写的租金，或按新租金重算",
  ]);
});

test("of rows that the rule makes the rule is to blame, once; rows of one's own have their place", () => {
  const stepRule = { every: 1, unit: "month", mode: "percentCompound", value: "201" } as const;
  const own = {
    fromDate: "2026-09-20",
    mode: "table",
    value: "x",
    resultRent: 310_000,
    source: "manual",
  } as const;
  const errorsOf = (more: Partial<ContractForm>) => {
    const form = formOf(more);
    const rooms = form.rooms.map((r) => ({ ...r, unitPrice: null, area: null }));
    const terms = termsOf(form);
    const input = scheduleOf({ start: form.start!, end: form.end!, terms, rooms });
    return scheduleErrors(terms, input).map((e) => `${e.field} ${e.msg}`);
  };
  const high = "stepRule.value 递增比例须在-50到200之间";
  expect(errorsOf({ stepRule }).filter((text) => text === high)).toEqual([high]);
  expect(errorsOf({ stepRule }).filter((text) => text.startsWith("steps."))).toEqual([]);
  expect(errorsOf({ stepRule: { ...stepRule, value: "1" }, steps: [own] })).toEqual([
    "steps.0.value 请输入正确的数值",
  ]);
  expect(errorsOf({ stepRule: { ...stepRule, value: "1" } })).toEqual([]);
  expect(errorsOf({ stepRule: { ...stepRule, every: 0 } })).toEqual(["stepRule.every 请输入正确的间隔"]);
  expect(errorsOf({ steps: [own, { ...own, fromDate: "2026-10-20" }] })).toHaveLength(2);
});

test("a share of the turnover is a merchant's, and who pays by it alone owes no rent besides", () => {
  expect(wrong({ turnover: USUAL_RULE })).toEqual(["turnover 只有商户合同可以按营业额计租"]);
  const shop = { rooms: [{ ...ROOM, kind: "shop" }] };
  const free = { kind: "merchant", rooms: [{ roomId: 1, monthlyRent: 0 }] } as const;
  const deposit = { mode: "amount", amount: 0 } as const;
  const merchant = (turnover: ContractForm["turnover"]) =>
    wrong({ ...free, rooms: [...free.rooms], deposit, turnover }, shop);
  expect(merchant({ ...USUAL_RULE, rentKind: "turnover" })).toEqual([]);
  expect(merchant(USUAL_RULE)).toEqual(["rooms.0.monthlyRent 金额必须大于0"]);
});

test("a shop opens by the last day of its term at the latest; other contracts open nothing", () => {
  const shop = { rooms: [{ ...ROOM, kind: "shop" as const }] };
  const opened = (openOn: string | null) => wrong({ kind: "merchant", openOn }, shop);
  expect(opened(null)).toEqual([]);
  expect(opened("2027-03-14")).toEqual([]);
  expect(opened("2027-03-15")).toEqual(["openOn 开业日不能晚于结束日期"]);
  // a shop that is renewed has opened before
  expect(opened("2025-01-01")).toEqual([]);
  expect(wrong({ openOn: "2026-04-01" })).toEqual(["openOn 只有商户合同可以填写开业日"]);
});

test("firms name a title for their invoices, tenants none", () => {
  expect(wrong({ titleId: 7 })).toEqual(["titleId 只有企业合同和商户合同可以指定开票抬头"]);
  const shop = { rooms: [{ ...ROOM, kind: "shop" as const }] };
  expect(wrong({ kind: "merchant", titleId: 7 }, shop)).toEqual([]);
});

test("a fee needs its subject", () => {
  const fee = { name: "", kind: "recurring", amount: 10_000 } as const;
  expect(wrong({ fees: [{ ...fee, feeId: 7 }] })).toEqual([]);
  expect(
    wrong({
      fees: [
        { ...fee, feeId: 7 },
        { ...fee, feeId: 0 },
      ],
    }),
  ).toEqual(["fees.1.feeId 请选择费用科目"]);
});

test("people who move in are named and can be called; firms name theirs later", () => {
  const person = { name: "李四", phone: "13812345678", relation: "", lockAccess: true };
  expect(wrong({ occupants: [person] })).toEqual([]);
  expect(
    wrong(
      { occupants: [person, { ...person, name: "", phone: "1" }] },
      { rooms: [{ ...ROOM, capacity: 3 }] },
    ),
  ).toHaveLength(2);
  expect(wrong({ occupants: [{ ...person, phone: "1" }] })).toEqual(["occupants.0.phone 请输入正确的手机号"]);
  expect(wrong({ occupants: [{ ...person, name: "" }] })[0]).toMatch(/^occupants.0.name /);
  expect(wrong({ kind: "company" })).toEqual([]);
  expect(wrong({ kind: "company", occupants: [person] })).toEqual(["occupants 企业合同签署后再登记入住人"]);
});

test("somebody signs, and who is under 18 with a guardian", () => {
  expect(wrong({ partyId: null })).toEqual(["partyId 请选择租客"]);
  expect(wrong({}, { party: undefined })).toEqual(["partyId 请选择租客"]);
  const young = { ...PARTY, birthday: "2008-03-16" };
  expect(wrong({}, { party: young })).toEqual(["partyId 未满18周岁，需监护人签署"]);
  expect(wrong({}, { party: { ...young, guardianName: "张父" } })).toHaveLength(1);
  expect(wrong({}, { party: { ...young, guardianPhone: "13812345678" } })).toHaveLength(1);
  expect(wrong({}, { party: { ...young, guardianName: "张父", guardianPhone: "13812345678" } })).toEqual([]);
  expect(isMinor("2008-03-16", "2026-03-15")).toBe(true);
  for (const born of ["2008-03-15", null]) expect(isMinor(born, "2026-03-15")).toBe(false);
});

test("the product of the room that is lived in says how long, whatever parking goes with it", () => {
  const parking = { ...ROOM, roomId: 2, name: "B1-07", kind: "parking", minTermMonths: 24 };
  const rooms = [
    { roomId: 2, monthlyRent: 30_000 },
    { roomId: 1, monthlyRent: 300_000 },
  ];
  const held = (minTermMonths: number) => wrong({ rooms }, { rooms: [parking, { ...ROOM, minTermMonths }] });
  expect(held(12)).toEqual([]);
  expect(held(13)).toEqual(["end 1203 的租期不能短于 13 个月"]);
});

test("terms keep their ranges, both ends included; what is left out is not looked at", () => {
  expect(rangeErrors({})).toEqual([]);
  const ends = (noticeDays: number) => rangeErrors({ noticeDays }).map((e) => e.msg);
  expect([ends(0), ends(180)]).toEqual([[], []]);
  expect([ends(-1), ends(181)]).toEqual([["通知期为 0 至 180 天"], ["通知期为 0 至 180 天"]]);
});

const warned = (more: Partial<ContractForm> = {}) => {
  const form = formOf(more);
  const [start, end] = [form.start!, form.end!];
  const rooms = form.rooms.map((r) => ({ ...r, unitPrice: null, area: null }));
  const plan = planBills(scheduleOf({ start, end, terms: termsOf(form), rooms }));
  return formWarnings(form, limits(), { plan, start, end });
};

test("a first period of less than a week is worth a look", () => {
  const first = (start: string, calendarPeriods = true, end = "2027-03-31") =>
    warned({ start, end, calendarPeriods });
  expect(first("2026-03-25")).toEqual([]);
  expect(first("2026-03-26")).toEqual(["首个计费期只有 6 天"]);
  expect(first("2026-03-26", false, "2027-03-25")).toEqual([]);
  expect(first("2026-03-26", false, "2026-03-28")).toEqual(["首个计费期只有 3 天"]);
});

test("a lease that ends in a short month is renewed from another day", () => {
  expect(warned({ start: "2026-03-31", end: "2026-04-29" })).toEqual([
    "到期日在短月，续租将从每月 30 日起算计费期",
  ]);
  expect(warned({ start: "2026-01-29", end: "2026-02-28" })).toEqual([
    "到期日在短月，续租将从每月 1 日起算计费期",
  ]);
  expect(warned({ start: "2026-03-29", end: "2026-04-28" })).toEqual([]);
  expect(warned({ start: "2026-03-28", end: "2026-05-01" })).toEqual([]);
  expect(warned({ start: "2026-03-31", end: "2026-04-29", calendarPeriods: true })).toEqual([
    "首个计费期只有 1 天",
  ]);
});

test("no deposit, or a penalty beyond it, is worth a look", () => {
  const none = { mode: "months", months: "0" } as const;
  const light = "违约金高于押金，过高部分可能被法院调低";
  expect(warned({ deposit: none })).toEqual(["未收押金"]);
  expect(warned({ deposit: { mode: "amount", amount: 1 } })).toEqual([light]);
  expect(warned({ penaltyMonths: "1" })).toEqual([]);
  expect(warned({ penaltyMonths: "1.01" })).toEqual([light]);
  expect(warned({ penaltyRule: "none", penaltyMonths: "9" })).toEqual([]);
  // 20 % of the half of 36,000.00 that is left at mid-term are 3,600.00
  const share = (more: Partial<ContractForm>) => warned({ penaltyRule: "remainingPercent", ...more });
  const sum = (amount: number) => ({ mode: "amount", amount }) as const;
  expect(share({ deposit: sum(360_000) })).toEqual([]);
  expect(share({ deposit: sum(359_999) })).toEqual([light]);
  // capped at one month of 3,000.00; a cap of 0 is none
  expect(share({ deposit: sum(300_000), penaltyCapMonths: "1" })).toEqual([]);
  expect(share({ deposit: sum(299_999), penaltyCapMonths: "1" })).toEqual([light]);
  expect(share({ deposit: sum(359_999), penaltyCapMonths: "0" })).toEqual([light]);
  expect(share({ deposit: sum(360_000), penaltyCapMonths: "0" })).toEqual([]);
});

test("fees that fall short of the product are named first", () => {
  const product = {
    name: "雅致一居",
    minTermMonths: null,
    maxTermMonths: null,
    fees: [{ feeId: 7, name: "物业费", deposit: false, amount: 15_000, cycle: "period" as const }],
  };
  const form = formOf();
  const [start, end] = [form.start!, form.end!];
  const rooms = [{ roomId: 1, monthlyRent: 300_000, unitPrice: null, area: null }];
  const plan = planBills(scheduleOf({ start, end, terms: termsOf(form), rooms }));
  expect(formWarnings(form, { rooms: [{ ...ROOM, product }] }, { plan, start, end })).toEqual([
    "没有收取雅致一居约定的物业费",
  ]);
});
