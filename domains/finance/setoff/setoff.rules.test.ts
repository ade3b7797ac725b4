import { expect, test } from "vitest";
import { type CutLine, paidBy, withinBills } from "./setoff.rules.ts";

const LINES = [
  { billId: 1, lineId: 11, owed: 300_000 },
  { billId: 1, lineId: 12, owed: 50_000 },
  { billId: 2, lineId: 21, owed: 33_240 },
].map((line) => ({ ...line, dueDate: "2026-08-01", lateFee: false, priority: 0 }));

test("what pays first leaves the other whole as far as it goes", () => {
  const money = { deposit: 350_000, prepaid: 464_516 };
  const first = paidBy("depositFirst", LINES, money);
  expect(first.deposit).toEqual({
    paying: [
      { billId: 1, lineId: 11, amount: 300_000 },
      { billId: 1, lineId: 12, amount: 50_000 },
    ],
    rest: 0,
  });
  expect(first.prepaid).toEqual({ paying: [{ billId: 2, lineId: 21, amount: 33_240 }], rest: 431_276 });
  const other = paidBy("prepaidFirst", LINES, money);
  expect([other.deposit, other.prepaid.rest]).toEqual([{ paying: [], rest: 350_000 }, 81_276]);
});

test("a line is paid by both where neither is enough; what is open is the same in either order", () => {
  const money = { deposit: 310_000, prepaid: 60_000 };
  for (const order of ["depositFirst", "prepaidFirst"] as const) {
    const { deposit, prepaid } = paidBy(order, LINES, money);
    expect([order, deposit.rest, prepaid.rest]).toEqual([order, 0, 0]);
    const paid = [...deposit.paying, ...prepaid.paying];
    expect(paid.reduce((sum, p) => sum + p.amount, 0)).toBe(370_000);
    expect(paid.filter((p) => p.lineId === 21)).toMatchObject([{ amount: 20_000 }]);
  }
});

test("what was paid too much of a line first pays what others of its bill cost more, as far as it goes, and no other bill", () => {
  const line = (id: number, more: Partial<CutLine>): CutLine => ({
    billId: 1,
    line: { id } as CutLine["line"],
    before: 10_000,
    after: 10_000,
    credit: 0,
    open: 0,
    moved: 0,
    ...more,
  });
  const dearer = line(1, { after: 10_500, open: 500 });
  const cheaper = line(2, { after: 8_000, credit: 2_000 });
  const figures = (cut: readonly CutLine[]) =>
    withinBills(cut).map(({ credit, open, moved }) => [credit, open, moved]);
  expect(figures([dearer, cheaper])).toEqual([
    [0, 0, -500],
    [1_500, 0, 500],
  ]);
  expect(figures([dearer, { ...cheaper, credit: 499 }])).toEqual([
    [0, 1, -499],
    [0, 0, 499],
  ]);
  // what was open before is no matter of the cut
  expect(figures([line(1, { open: 500 }), cheaper])).toEqual([
    [0, 500, 0],
    [2_000, 0, 0],
  ]);
  expect(figures([dearer, { ...cheaper, billId: 2 }])).toEqual([
    [0, 500, 0],
    [2_000, 0, 0],
  ]);
});
