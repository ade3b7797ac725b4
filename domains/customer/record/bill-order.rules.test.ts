import { expect, test } from "vitest";
import { unpaidFirst } from "./bill-order.rules.ts";

test("what is owed stands first, the oldest above; what is settled follows, the newest above", () => {
  const bills = [
    { id: 1, dueDate: "2026-09-28", outstanding: 0 },
    { id: 2, dueDate: "2028-10-29", outstanding: 252_000 },
    { id: 3, dueDate: "2026-10-28", outstanding: 0 },
    { id: 4, dueDate: "2026-11-28", outstanding: 100 },
    { id: 5, dueDate: "2026-11-28", outstanding: 252_000 },
  ];
  expect(bills.toSorted(unpaidFirst).map((b) => b.id)).toEqual([5, 4, 2, 3, 1]);
});
