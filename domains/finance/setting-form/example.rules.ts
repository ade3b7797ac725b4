import type { Fen } from "../../../platform/kernel/fen.ts";
import { type Payable, allot, inOrder } from "../allocation/allocation.rules.ts";
import type { OrderKey } from "../setting/setting.rules.ts";

type Owed = Payable & { name: string };

const MONEY: Fen = 150_000;
const PRIORITY = { 租金: 20, 物业费: 30, 滞纳金: 90 };
const OPEN = [
  ["02", "租金", 100_000],
  ["02", "物业费", 20_000],
  ["02", "滞纳金", 4_055],
  ["03", "租金", 100_000],
  ["03", "物业费", 20_000],
] as const;
const OWED: readonly Owed[] = OPEN.map(([month, subject, owed], lineId) => ({
  billId: Number(month),
  lineId,
  name: `${Number(month)}月${subject}`,
  dueDate: `2026-${month}-01`,
  owed,
  lateFee: subject === "滞纳金",
  priority: PRIORITY[subject],
}));

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
