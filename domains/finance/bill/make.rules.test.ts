import { describe, expect, test } from "vitest";
import type { Subject } from "../subject/subject.rules.ts";
import { type NewBill, type NewLine, billRow, lineRows, percentOf } from "./make.rules.ts";
import { taxWord } from "../subject/subject.rules.ts";

const subject = (id: number, more: Partial<Subject> = {}) =>
  ({ id, kind: "income", taxMode: "none", taxRate: "0", name: `${id}`, ...more }) as Subject;
const SUBJECTS: Record<string, Subject> = {
  rent: subject(1, { taxMode: "rate", taxRate: "0.06" }),
  fee: subject(2),
  late: subject(3, { kind: "lateFee" }),
  repair: subject(4, { kind: "cost", name: "维修支出" }),
};
const find = (_: number, code: string | number) => SUBJECTS[code]!;
const line = (code: string, amount: number, more: Partial<NewLine> = {}): NewLine => ({
  subject: code,
  amount,
  periodStart: "2026-03-01",
  periodEnd: "2026-03-31",
  slices: [],
  explain: {},
  ...more,
});
const bill = (lines: NewLine[], more: Partial<NewBill> = {}): NewBill => ({
  villageId: 1,
  roomId: null,
  contractId: null,
  partyId: 1,
  title: "租金",
  dueDate: "2026-03-01",
  periodStart: null,
  periodEnd: null,
  source: "manual",
  graceDays: 3,
  lateFeeRate: "0.0005",
  lateFeeCap: "1",
  lines,
  ...more,
});
const rows = (...lines: NewLine[]) => lineRows(bill(lines), 9, [11, 12, 13, 14], find);

describe("the lines of a new bill", () => {
  test("carry their subject's tax, and the kind that the subject gives", () => {
    expect(rows(line("rent", 10_600), line("late", 5)).map((r) => [r.id, r.kind, r.tax, r.adjusted])).toEqual(
      [
        [11, "normal", 600, 0],
        [12, "lateFee", 0, 0],
      ],
    );
  });
  test("a cost stands on what the house pays, and on no bill of a customer", () => {
    expect(() => rows(line("repair", 1000))).toThrow();
    const payable = bill([line("repair", 1000)], { direction: "payable" });
    expect(lineRows(payable, 9, [11], find).map((r) => r.amount)).toEqual([1000]);
    expect(lineRows({ ...payable, lines: [line("fee", 5)] }, 9, [11], find)).toHaveLength(1);
  });
  test("two discounts together take no more than the line", () => {
    const off = (amount: number) => line("fee", amount, { kind: "adjust" });
    expect(rows(line("fee", 1000), off(-600), off(-400))[0]!.adjusted).toBe(-1000);
    expect(() => rows(line("fee", 1000), off(-600), off(-401))).toThrow();
  });
  test("a discount is laid on lines of its subject, that of its room and period first", () => {
    const off = line("rent", -1500, { kind: "adjust", roomId: 7 });
    const made = rows(
      line("rent", 1000, { roomId: 8 }),
      line("rent", 1000, { roomId: 7, periodStart: "2026-04-01" }),
      line("rent", 1000, { roomId: 7 }),
      off,
    );
    expect(made.map((r) => r.adjusted)).toEqual([0, -500, -1000, 0]);
    expect(made[3]!.adjustsLineId, "it lies on two").toBeNull();
    const one = rows(line("fee", 1000), line("rent", 1060), line("rent", -530, { kind: "adjust" }));
    expect(one.map((r) => [r.adjusted, r.adjustsLineId, r.tax])).toEqual([
      [0, null, 0],
      [-530, null, 60],
      [0, 12, -30],
    ]);
    const twice = rows(line("rent", 1000), ...[-600, -400].map((n) => line("rent", n, { kind: "adjust" })));
    expect(twice[0]!.adjusted).toBe(-1000);
  });
  test("more than they come to, and more than an amount, is refused", () => {
    expect(() => rows(line("rent", 1000), line("rent", -1001, { kind: "adjust" }))).toThrow(
      "减免金额不能大于",
    );
    expect(() => rows(line("rent", 1000), line("fee", -1, { kind: "adjust" }))).toThrow("减免金额不能大于");
    expect(() => rows(line("rent", 9_999_999_999), line("fee", 1))).toThrow("金额过大");
  });
});

describe("a new bill", () => {
  const made = (more: Partial<NewBill> = {}, issueDay = "2026-03-02") => {
    const lines = rows(line("rent", 1000), line("rent", -300, { kind: "adjust" }), line("fee", 50));
    return billRow(bill([], more), 9, "ZD9", lines, { issueDay, today: "2026-03-02" });
  };
  test("sums what is charged and what is taken off apart", () => {
    expect(made()).toMatchObject({
      amount: 1050,
      adjusted: -300,
      subjectIds: [1, 2],
      direction: "receivable",
    });
  });
  test("enters the ledger today when its day has come, and what we owe or owed before at once", () => {
    const when = (more: Partial<NewBill>, day?: string) => [
      made(more, day).issued,
      made(more, day).issueDate,
    ];
    expect(when({})).toEqual([true, "2026-03-02"]);
    expect(when({}, "2026-02-01")).toEqual([true, "2026-03-02"]);
    expect(when({}, "2026-03-03")).toEqual([false, "2026-03-03"]);
    expect(when({ direction: "payable" }, "2026-03-03")).toEqual([true, "2026-03-02"]);
    expect(when({ source: "opening", openedOn: "2026-01-01" }, "2026-03-03")).toEqual([true, "2026-01-01"]);
  });
});

test("rates as people read them", () => {
  const tax = (taxMode: "none" | "rate" | "reduced15", taxRate: string) => taxWord({ taxMode, taxRate });
  expect([tax("none", "0.06"), tax("rate", "0.06"), tax("reduced15", "0.015")]).toEqual([
    "不征税",
    "6%",
    "减按1.5%",
  ]);
  expect([percentOf("0.0005"), percentOf("0.000333"), percentOf("1")]).toEqual(["0.05%", "0.0333%", "100%"]);
});
