import { expect, test } from "vitest";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { commitRefusal, headOf } from "../../system/import/import.rules.ts";
import { COLUMNS } from "./columns.rules.ts";
import { type Planned, planRow, totalsFor } from "./planned.rules.ts";
import { readRow, type ContractRow, type Typed } from "./row.rules.ts";

const typed: Typed = {
  village: "滨江店",
  room: "1203",
  name: "张雅婷",
  phone: "13812345678",
  start: "2026-05-15",
  end: "2027-05-14",
  rent: "3000",
  pay: "押一付一",
  paidTo: "2026-11-14",
  deposit: "3000",
};
const read = (more: Typed = {}): ContractRow =>
  readRow({ ...typed, ...more }, { today: "2026-11-20", takenOn: "2026-11-20" }).row!;
type Around = Parameters<typeof planRow>[1];
const around = (more: Partial<Around> = {}): Around => ({
  n: 2,
  terms: DEFAULT_TERMS,
  propertyId: 7,
  propertyName: "物业费",
  villageName: "滨江店",
  place: { id: 31, villageId: 4, name: "3栋·1203" },
  person: { key: "张雅婷" },
  owed: undefined,
  today: "2026-11-20",
  ...more,
});
const plan = (more: Typed = {}, with_: Partial<Around> = {}): Planned => {
  const answer = planRow(read(more), around(with_));
  if ("wrong" in answer) throw new Error(JSON.stringify(answer.wrong));
  return answer.planned;
};
const wrong = (row: ContractRow, with_: Partial<Around> = {}) => {
  const answer = planRow(row, around(with_));
  return "wrong" in answer ? answer.wrong.map(({ key, msg }) => `${key} ${msg}`) : [];
};

test("what is always asked for is starred in the head", () => {
  expect(COLUMNS.slice(3, 6).map(headOf)).toEqual(["手机*", "证件类型", "证件号"]);
});

test("a batch is taken once, and only without errors", () => {
  expect(commitRefusal("ready")).toBeUndefined();
  expect(commitRefusal("failed")).toBe("文件有错误，请改正后重新上传");
  expect(commitRefusal("done")).toBe("该批次已导入");
});

test("paid to 14 November, half a year of rent is to come, and the bill due seven days ahead is due now", () => {
  const { bills, dueNow, agreed, terms } = plan();
  expect({ bills, dueNow, agreed }).toEqual({ bills: 6, dueNow: 300_000, agreed: 300_000 });
  // the bill from 15 December falls due on the 8th
  expect(plan({}, { today: "2026-12-07" }).dueNow).toBe(300_000);
  expect(plan({}, { today: "2026-12-08" }).dueNow).toBe(600_000);
  expect(terms).toMatchObject({
    basis: "actual",
    calendarPeriods: false,
    cycleMonths: 1,
    deposit: { mode: "months", months: "1" },
    due: { rule: "advance", dueDays: 7, firstDueDays: 0 },
    fees: [],
  });
});

test("what was to be paid on signing fell due so many days after it as the village gives", () => {
  const unpaid = { start: "2026-11-21", end: "2027-11-20", signedOn: "2026-11-18", paidTo: "2026-11-20" };
  const due = (firstDueDays?: number) =>
    plan(unpaid, {
      terms: {
        ...DEFAULT_TERMS,
        due: { rule: "advance", dueDays: 7, ...(firstDueDays !== undefined && { firstDueDays }) },
      },
    }).dueNow;
  expect([due(2), due(3), due()]).toEqual([300_000, 0, 300_000]);
});

test("what the row says stands before the village's terms; a price by area is none of a row's", () => {
  const village = { ...DEFAULT_TERMS, pricing: "areaDay", basis: "area", calendarPeriods: true } as const;
  expect(plan({}, { terms: village }).terms).toMatchObject({
    pricing: "month",
    basis: "actual",
    calendarPeriods: true,
  });
  const own = { basis: "每月30天", periods: "按起租日", due: "每月5日" };
  expect(plan(own, { terms: village }).terms).toMatchObject({
    basis: "30",
    calendarPeriods: false,
    due: { rule: "fixedDay", dueDay: 5, dueMonthOffset: 0, firstDueDays: 0 },
  });
  expect(plan({}, { terms: { ...DEFAULT_TERMS, basis: "365" } }).terms.basis).toBe("365");
});

test("a monthly fee is paid with the rent, where the village has a subject for it", () => {
  expect(plan({ property: "150", pay: "押一付三" }).terms.fees).toEqual([
    { feeId: 7, name: "物业费", kind: "recurring", amount: 15_000, cycleMonths: 3, prorate: true },
  ]);
  expect(plan({ property: "150" }, { propertyId: undefined }).terms.fees).toEqual([]);
  expect(plan({ property: "0" }).terms.fees).toEqual([]);
});

test("what no contract could be signed with stands under its column", () => {
  expect(wrong({ ...read(), rent: 0 })).toEqual(["rent 金额必须大于0"]);
  expect(wrong({ ...read(), end: "2026-05-01" })).toEqual(["end 结束日期不能早于开始日期"]);
  expect(wrong({ ...read(), pay: { cycleMonths: 1, depositMonths: "13" } })[0]).toMatch(/^pay /);
});

test("each village is summed up, and a tenant of two rows is new once", () => {
  const person = { key: "张雅婷" };
  const elsewhere = { place: { id: 40, villageId: 5, name: "8-101" }, villageName: "江北店" };
  const bill = { subject: 4, title: "期初欠费", from: null, to: null, dueDate: "2026-11-01" };
  const bills = [20_000, 30_000].map((amount) => ({ ...bill, amount, paid: 700, remark: "" }));
  const owed = { bills, further: [3] };
  const { villages, sum } = totalsFor([
    plan({ prepaid: "250" }, { person, owed }),
    plan({ rent: "2000", deposit: "1000" }, { person }),
    plan({}, { person: { partyId: 9 }, ...elsewhere }),
    plan({}, { person: { key: "李四" }, ...elsewhere }),
  ]);
  expect(villages).toEqual([
    {
      villageName: "滨江店",
      contracts: 2,
      monthlyRent: 500_000,
      deposit: 400_000,
      agreed: 500_000,
      arrears: 50_000,
      prepaid: 25_000,
      dueNow: 500_000,
      bills: 12,
      newTenants: 1,
    },
    {
      villageName: "江北店",
      contracts: 2,
      monthlyRent: 600_000,
      deposit: 600_000,
      agreed: 600_000,
      arrears: 0,
      prepaid: 0,
      dueNow: 600_000,
      bills: 12,
      newTenants: 1,
    },
  ]);
  expect(sum).toMatchObject({ villageName: "合计", contracts: 4, monthlyRent: 1_100_000, newTenants: 2 });
});
