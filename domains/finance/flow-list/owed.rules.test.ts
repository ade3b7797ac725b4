import { describe, expect, test } from "vitest";
import type { OpenLine } from "../payer/payer.contract.ts";
import { comesTo, firstChoice, owedBills, toggled, typed, wantsOf, NOTHING } from "./owed.rules.ts";
import { spanOf } from "../flow/flow.rules.ts";

const line = (billId: number, lineId: number | null, dueDate: string, owed: number): OpenLine => ({
  billId,
  billNo: `ZD${billId}`,
  lineId,
  title: "租金",
  subject: "租金",
  feeSubjectId: 1,
  periodStart: dueDate,
  periodEnd: dueDate,
  dueDate,
  amount: owed,
  settled: 0,
  owed,
  lateFee: lineId === null,
  issued: true,
  roomId: null,
  contractId: null,
  villageId: 1,
});
const bill = (id: number, disputed = false) => ({ id, roomName: null, contractNo: null, disputed });
const bills = owedBills(
  [
    line(2, 20, "2026-03-01", 300),
    line(1, 10, "2026-02-01", 100),
    line(2, null, "2026-03-01", 5),
    line(3, 30, "2026-04-01", 700),
    line(4, 40, "2026-01-01", 900),
  ],
  [bill(1), bill(2), bill(3), bill(4, true)],
);

describe("what is chosen at the counter", () => {
  test("is what is due and undisputed, late fee included, or the bills that were asked for", () => {
    expect(bills.map((b) => b.id)).toEqual([4, 1, 2, 3]);
    const oneDay = owedBills(
      [1, 2, 3].map((id) => line(id, id, "2026-03-01", 5)),
      [bill(3), bill(1), bill(2)],
    );
    expect(oneDay.map((b) => b.id)).toEqual([1, 2, 3]);
    const due = firstChoice(bills, "2026-03-15", []);
    expect(wantsOf(bills, due)).toEqual([
      { billId: 1, lineId: 10 },
      { billId: 2, lineId: 20 },
      { billId: 2, lineId: null },
    ]);
    expect(comesTo(bills, due)).toBe(405);
    expect(comesTo(bills, firstChoice(bills, "2026-03-15", [3]))).toBe(700);
    expect(comesTo(bills, firstChoice(bills, "2026-03-01", [])), "what is due today is due").toBe(405);
    expect(comesTo(bills, firstChoice(bills, "2026-02-28", []))).toBe(100);
    expect(comesTo(bills, firstChoice(bills, "2026-03-15", [4])), "asked for, though disputed").toBe(900);
    expect(comesTo(bills, firstChoice(bills, "2026-03-15", [3, 4])), "both, and nothing else").toBe(1600);
  });

  test("follows what somebody types, and forgets it with the line", () => {
    const [one] = bills.find((b) => b.id === 3)!.lines;
    const part = typed(NOTHING, one!, 250);
    expect(wantsOf(bills, part)).toEqual([{ billId: 3, lineId: 30, amount: 250 }]);
    expect(comesTo(bills, part)).toBe(250);
    const again = toggled(toggled(part, [one!], false), [one!], true);
    expect(comesTo(bills, again)).toBe(700);
    expect(comesTo(bills, typed(part, one!, undefined))).toBe(700);
  });
});

test("bills of one day stand in the order of their numbers; one without anything open is left out", () => {
  const lines = [line(9, 1, "2026-01-01", 1), line(8, 2, "2026-01-01", 2), line(8, 3, "2026-01-01", 3)];
  const listed = owedBills(lines, [bill(9), bill(8), bill(7)]);
  expect(listed.map((b) => [b.id, b.owed])).toEqual([
    [8, 5],
    [9, 1],
  ]);
});

test("a span names its second year only when it is another", () => {
  expect(spanOf("2026-10-08", "2026-11-07")).toBe("2026-10-08 ~ 11-07");
  expect(spanOf("2026-12-08", "2027-01-07")).toBe("2026-12-08 ~ 2027-01-07");
  expect(spanOf("2026-12-08", "2026-12-08")).toBe("2026-12-08");
});
