import { expect, test } from "vitest";
import {
  type Payable,
  allot,
  drawn,
  inOrder,
  keyOf,
  newestFirst,
  paidLines,
  payFrom,
  takenBack,
} from "./allocation.rules.ts";

const owes = (billId: number, lineId: number | null, owed: number, more: Partial<Payable> = {}): Payable => ({
  billId,
  lineId,
  owed,
  dueDate: "2026-03-01",
  lateFee: lineId === null,
  priority: 5,
  ...more,
});

test("a want is paid as far as it goes, what is owed and what the money is; the rest of it stays wanted", () => {
  const wants = new Map([
    ["1:1", 300],
    ["1:2", 500],
    ["1:fee", 40],
  ]);
  const rows = [owes(1, 1, 1000), owes(1, 2, 200), owes(1, 3, 900), owes(1, null, 100)];
  const first = payFrom(rows, wants, 320);
  expect(first).toEqual({
    paying: [
      { billId: 1, lineId: 1, amount: 300 },
      { billId: 1, lineId: 2, amount: 20 },
    ],
    rest: 0,
  });
  expect([...wants.values()]).toEqual([0, 480, 40]);
  const second = payFrom(rows, wants, 1000);
  expect(second).toEqual({
    paying: [
      { billId: 1, lineId: 2, amount: 200 },
      { billId: 1, lineId: null, amount: 40 },
    ],
    rest: 760,
  });
  expect([...wants.values()]).toEqual([0, 280, 0]);
  expect(keyOf({ billId: 7, lineId: null })).toBe("7:fee");
});

test("the order of payment: the setting's keys, then bill and line, what is written down before what is not", () => {
  const rows = [
    owes(2, 5, 1, { dueDate: "2026-02-01", priority: 9 }),
    owes(1, null, 1, { priority: 1 }),
    owes(1, 8, 1, { priority: 1 }),
    owes(1, 4, 1, { lateFee: true, priority: 3 }),
  ];
  const order = (...keys: Parameters<typeof inOrder>[1]) => inOrder(rows, keys).map(keyOf);
  expect(order()).toEqual(["1:4", "1:8", "1:fee", "2:5"]);
  expect(order("due")).toEqual(["2:5", "1:4", "1:8", "1:fee"]);
  expect(order("principalFirst")).toEqual(["1:8", "2:5", "1:4", "1:fee"]);
  expect(order("priority")).toEqual(["1:8", "1:fee", "1:4", "2:5"]);
});

test("money is used up in order and never beyond what is owed", () => {
  const rows = [owes(1, 1, 100), owes(1, 2, 0), owes(1, 3, 50)];
  expect(allot(rows, 120)).toEqual({
    paying: [
      { billId: 1, lineId: 1, amount: 100 },
      { billId: 1, lineId: 3, amount: 20 },
    ],
    rest: 0,
  });
  expect(allot(rows, 151).rest).toBe(1);
  expect(allot(rows, 0)).toEqual({ paying: [], rest: 0 });
  expect(allot(rows, 1).paying, "one fen is paid").toHaveLength(1);
  expect(payFrom(rows, new Map([["1:1", 1]]), 9).paying).toHaveLength(1);
  expect(drawn([{ billId: 1, lineId: 1, amount: 1 }], [{ flowId: 7, available: 1 }])).toHaveLength(1);
});

test("each payment is taken out of the flows in turn, to the last fen of them", () => {
  const flows = [
    { flowId: 7, available: 60 },
    { flowId: 8, available: 100 },
  ];
  const pay = (lineId: number, amount: number) => ({ billId: 1, lineId, amount });
  expect(drawn([pay(1, 100), pay(2, 60)], flows)).toEqual([
    { ...pay(1, 60), flowId: 7 },
    { ...pay(1, 40), flowId: 8 },
    { ...pay(2, 60), flowId: 8 },
  ]);
  expect(flows[0]!.available, "what was given is not touched").toBe(60);
  expect(() => drawn([pay(1, 161)], flows)).toThrow("1 fen more");
});

test("by due day the oldest is paid first, however they come", () => {
  const days = ["2026-03-01", "2026-01-01", "2026-02-01"];
  const order = (dues: string[]) =>
    inOrder(
      dues.map((dueDate, i) => owes(i, 1, 5, { dueDate })),
      ["due"],
    ).map((each) => each.dueDate);
  expect(order(days)).toEqual(days.toSorted());
  expect(order(days.toReversed())).toEqual(days.toSorted());
});

test("so much of payments is taken back, the newest first, of the last one a part", () => {
  const paid = [
    { id: 1, amount: 310 },
    { id: 2, amount: 50 },
  ];
  expect(newestFirst(paid, 160)).toEqual({
    taken: [
      { id: 2, amount: 50 },
      { id: 1, amount: 110 },
    ],
    left: 0,
  });
  expect(newestFirst(paid, 400).left, "what they do not reach").toBe(40);
  expect(newestFirst(paid, 0)).toEqual({ taken: [], left: 0 });
  expect(newestFirst(paid, 50).taken, "one that is reached just so").toEqual([{ id: 2, amount: 50 }]);
});

test("a receipt says what stands of each payment; the page says what was taken back", () => {
  const rows = [
    { amount: 310, undone: 110, undoesId: null },
    { amount: 50, undone: 50, undoesId: null },
    { amount: 20, undone: 0, undoesId: null },
    { amount: -110, undone: 0, undoesId: 1 },
  ];
  expect(paidLines(rows).map((row) => row.amount)).toEqual([200, 20]);
  expect(rows.map((row) => takenBack(row).trim())).toEqual(["已撤销 1.10", "已撤销", "", ""]);
});
