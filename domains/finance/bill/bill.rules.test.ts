import { describe, expect, test } from "vitest";
import type { Subject } from "../subject/subject.rules.ts";
import {
  type Bill,
  type How,
  type Line,
  isHeld,
  isPayable,
  netOf,
  reduced,
  whyNotAdjust,
  whyNotIssue,
  whyNotPay,
  whyNotTake,
  whyNotVoid,
  whyNotWriteOff,
} from "./bill.rules.ts";
import { isBillable, issueDayOf, priced, whyNotPeriod } from "./make.rules.ts";

const line = (id: number, more: Partial<Line> = {}): Line => ({
  id,
  billId: 1,
  feeSubjectId: 1,
  kind: "normal",
  roomId: null,
  amount: 1000,
  adjusted: 0,
  settled: 0,
  writtenOff: 0,
  invoiced: 0,
  invoicing: 0,
  outstanding: 1000,
  tax: 0,
  taxMode: "none",
  taxRate: "0",
  periodStart: null,
  periodEnd: null,
  slices: [],
  ...more,
});
const bill = (more: Partial<Bill> = {}): Bill => ({
  id: 1,
  billNo: "ZD1",
  direction: "receivable",
  villageId: 1,
  roomId: null,
  contractId: null,
  partyId: 1,
  title: "租金",
  dueDate: "2026-01-01",
  issueDate: "2026-01-01",
  issuedAt: "2026-01-01T00:00:00Z",
  createdAt: "2026-01-01T00:00:00Z",
  periodStart: "2026-01-01",
  periodEnd: "2026-01-31",
  source: "manual",
  graceDays: 3,
  lateFeeRate: "0.0005",
  lateFeeCap: "1",
  disputedFrom: null,
  disputedTo: null,
  voidedAt: null,
  amount: 1000,
  adjusted: 0,
  settled: 0,
  writtenOff: 0,
  invoiced: 0,
  invoicing: 0,
  outstanding: 1000,
  status: "unpaid",
  version: 1,
  lines: [line(1)],
  ...more,
});

describe("what may be done with a bill", () => {
  test("void: nothing paid, written off or invoiced, to the fen", () => {
    expect(whyNotVoid(bill())).toBeUndefined();
    expect(whyNotVoid(bill({ settled: 1 }))).toContain("已收款");
    expect(whyNotVoid(bill({ writtenOff: 1 }))).toContain("已核销");
    expect(whyNotVoid(bill({ invoiced: 1 }))).toContain("已开票");
    expect(whyNotVoid(bill({ status: "void" }))).toBe("账单已作废");
  });
  test("adjust, pay, issue", () => {
    expect([whyNotAdjust(bill()), whyNotPay(bill())]).toEqual([undefined, undefined]);
    expect(whyNotAdjust(bill({ status: "paid" }))).toContain("没有未收金额");
    expect(whyNotAdjust(bill({ status: "void" }))).toContain("已作废");
    expect(whyNotPay(bill({ outstanding: 0 }))).toContain("没有未收金额");
    expect(whyNotPay(bill({ outstanding: 1 }))).toBeUndefined();
    expect(whyNotPay(bill({ status: "void" }))).toBe("账单已作废");
    expect(whyNotIssue(bill())).toBe("账单已出账");
    expect(whyNotIssue(bill({ issuedAt: null }))).toBeUndefined();
    expect(whyNotIssue(bill({ issuedAt: null, status: "void" }))).toBe("账单已作废");
  });
  test("write off: on the ledger, long overdue, and the last day of its period gone by", () => {
    const why = (more: Partial<Bill> = {}, days = 90, today = "2026-06-01") =>
      whyNotWriteOff(bill(more), days, 90, today);
    expect(why()).toBeUndefined();
    expect(why({}, 89)).toContain("逾期满 90 天");
    expect(why({ periodEnd: "2026-05-31" })).toBeUndefined();
    expect(why({ periodEnd: "2026-06-01" }), "its last day still runs").toContain("计费期已结束");
    expect(why({ periodEnd: null })).toBeUndefined();
    expect(why({ issuedAt: null })).toBe("账单未出账，不能核销");
    expect(why({ outstanding: 0 })).toContain("没有未收金额");
  });
  test("lines that are paid, and money that is held", () => {
    expect([line(1), line(1, { kind: "lateFee" })].every(isPayable)).toBe(true);
    expect(
      [line(1, { amount: 0 }), line(1, { kind: "adjust" }), line(1, { kind: "trim" })].some(isPayable),
    ).toBe(false);
    expect(isPayable(line(1, { amount: 1 }))).toBe(true);
    expect(netOf(line(1, { adjusted: -300 }))).toBe(700);
    expect([isHeld("deposit"), isHeld("earnest"), isHeld("income")]).toEqual([true, true, false]);
  });
});

describe("a batch reduction of one bill", () => {
  const subjects = new Map([
    [1, { id: 1, kind: "income", name: "租金" } as Subject],
    [2, { id: 2, kind: "deposit", name: "押金" } as Subject],
  ]);
  const on = (more: Partial<Bill>, how: How) => reduced(bill(more), how, (id) => subjects.get(id)!);
  test("percent: each line by itself, never below what is taken of it", () => {
    const half: How = { mode: "percent", percent: "50" };
    const lines = [line(1, { settled: 500 }), line(2, { amount: 300 }), line(3, { kind: "lateFee" })];
    expect(on({ lines }, half)).toMatchObject({
      before: 1300,
      refusal: null,
      changes: [
        { lineId: 1, amount: -500 },
        { lineId: 2, amount: -150 },
      ],
    });
    expect(on({ lines: [line(1, { settled: 501 })] }, half).refusal).toBe(
      "租金减免后金额小于已收金额，请先撤销分配",
    );
    expect(on({ lines: [line(1, { settled: 400, writtenOff: 101 })] }, half).refusal).toContain("减免后金额");
    expect(on({ lines: [line(1, { amount: 4 })] }, { mode: "percent", percent: "1" }).refusal).toBe(
      "减免金额不足一分",
    );
  });
  test("minus: the whole bill, line after line", () => {
    const lines = [line(1, { settled: 900 }), line(2, { amount: 300 })];
    expect(on({ lines }, { mode: "minus", value: 400 }).changes).toEqual([
      { lineId: 1, amount: -100 },
      { lineId: 2, amount: -300 },
    ]);
    expect(on({ lines }, { mode: "minus", value: 401 }).refusal).toContain("减免后金额小于已收金额");
    expect(on({}, { mode: "minus", value: 1001 }).refusal).toBe("减免金额不能大于费用金额");
    expect(on({}, { mode: "minus", value: 1000 }).refusal).toBeNull();
  });
  test("deposits and late fees only where they are named; no bill that we owe, and none that is paid", () => {
    const lines = [line(1, { feeSubjectId: 2 })];
    expect(on({ lines }, { mode: "minus", value: 1 }).refusal).toBe("没有可减免的费用");
    expect(on({ lines }, { mode: "minus", value: 1, feeSubjectId: 2 }).refusal).toBeNull();
    expect(on({}, { mode: "minus", value: 1, feeSubjectId: 2 }).refusal).toBe("没有这项费用");
    expect(on({ direction: "payable" }, { mode: "minus", value: 1 }).refusal).toBe("应付账单不能减免");
    expect(on({ status: "paid" }, { mode: "minus", value: 1 }).refusal).toContain("没有未收金额");
  });
});

describe("making a bill", () => {
  test("quantity times price, half a fen up", () => {
    expect([priced("1.5", 12_345), priced("0.01", 49), priced("0.01", 50)]).toEqual([18_518, 0, 1]);
  });
  test("each line and their sum are amounts; what is taken off does not make room", () => {
    const most = 9_999_999_999;
    expect([isBillable([most]), isBillable([most, -5]), isBillable([])]).toEqual([true, true, true]);
    expect([isBillable([most + 1]), isBillable([most, 1]), isBillable([most, 1, -1])]).toEqual([
      false,
      false,
      false,
    ]);
    expect([isBillable([-most]), isBillable([-most - 1]), isBillable([1.5])]).toEqual([true, false, false]);
  });
  test("a period runs forward and at most twenty years", () => {
    expect(whyNotPeriod("2026-01-01", "2026-01-01")).toBeUndefined();
    expect(whyNotPeriod("2026-01-02", "2026-01-01")).toBe("计费期止不能早于计费期起");
    expect(whyNotPeriod("2026-01-01", "2045-12-31")).toBeUndefined();
    expect(whyNotPeriod("2026-01-01", "2046-01-01", "归属期")).toBe("归属期最长二十年");
  });
  test("it enters the ledger so many days before it is due", () => {
    expect([issueDayOf("2026-03-01", 0), issueDayOf("2026-03-01", 7)]).toEqual(["2026-03-01", "2026-02-22"]);
  });
});

test("money is not taken for bills that were voided meanwhile: they are named", () => {
  const bill = (billNo: string, voidedAt: string | null) =>
    ({ billNo, voidedAt }) as Pick<Bill, "billNo" | "voidedAt">;
  expect(whyNotTake([bill("ZD1", null)])).toBeUndefined();
  const gone = "2026-03-15T10:00:00+08:00";
  expect(whyNotTake([bill("ZD1", null), bill("ZD2", gone), bill("ZD3", gone)])).toBe(
    "账单 ZD2、ZD3 已作废，不能收款，请去掉后重新核对",
  );
});
