import { expect, test } from "vitest";
import { paidBy } from "./setoff.rules.ts";

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
