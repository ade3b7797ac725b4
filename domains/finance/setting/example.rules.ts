import type { Fen } from "../../../platform/kernel/fen.ts";
import { allot, inOrder, type Payable } from "../allocation/allocation.rules.ts";
import type { OrderKey } from "./setting.rules.ts";

type Owed = Payable & { name: string };

const MONEY: Fen = 150_000;
const owed = (lineId: number, name: string, dueDate: string, fen: Fen, priority: number): Owed => ({
  billId: Number(dueDate.slice(5, 7)),
  lineId,
  name,
  dueDate,
  owed: fen,
  lateFee: name.includes("滞纳金"),
  priority,
});
const OWED: readonly Owed[] = [
  owed(1, "2月租金", "2026-02-01", 100_000, 20),
  owed(2, "2月物业费", "2026-02-01", 20_000, 30),
  owed(3, "2月滞纳金", "2026-02-01", 4_055, 90),
  owed(4, "3月租金", "2026-03-01", 100_000, 20),
  owed(5, "3月物业费", "2026-03-01", 20_000, 30),
];

/** Somebody who owes two months pays 1,500.00: what is paid in which order, and what stays open. */
export function allocationExample(order: readonly OrderKey[]) {
  const ordered = inOrder(OWED, order);
  const { paying } = allot(ordered, MONEY);
  const rows = ordered.map((line) => ({
    name: line.name,
    owed: line.owed,
    pay: paying.find((p) => p.lineId === line.lineId)?.amount ?? 0,
  }));
  return { money: MONEY, rows };
}
