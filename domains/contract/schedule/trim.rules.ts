import { addDays, minDay, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { planBills } from "./bills.rules.ts";
import type { Line, Plan } from "./line.rules.ts";
import type { ScheduleInput } from "./terms.rules.ts";

/** The last day that is charged when the tenant leaves. */
export const lastChargedDay = (leaveDate: Day, leaveDayCharged: boolean): Day =>
  leaveDayCharged ? leaveDate : addDays(leaveDate, -1);

/** The contract as if it ended on T, or as if only these rooms left then. T may be the day before the start: nothing was used. */
export function cutAt(input: ScheduleInput, lastDay: Day, roomIds?: readonly number[]): ScheduleInput {
  if (!roomIds) return { ...input, end: minDay(input.end, lastDay) };
  const rooms = input.rooms.map((room) =>
    roomIds.includes(room.roomId)
      ? { ...room, leaveDate: minDay(room.leaveDate ?? input.end, lastDay) }
      : room,
  );
  return { ...input, rooms };
}

/** A planned line and what is left of it. `back` is voided when unpaid and credited when paid; kept + back = the line. */
export type TrimRow = { billKey: string; line: Line; keptLine: Line | null; kept: Fen; back: Fen };
export type Trimmed = { input: ScheduleInput; plan: Plan; rows: TrimRow[]; kept: Fen; back: Fen };

const identity = (billKey: string, { kind, feeKey, roomId, item, from }: Line) =>
  `${billKey} ${kind} ${feeKey} ${roomId} ${item} ${from}`;

/** Cuts a contract off after a day by charging it afresh to that day. The deposit stays out of it. */
export function trim(input: ScheduleInput, lastDay: Day, roomIds?: readonly number[]): Trimmed {
  const cut = cutAt(input, lastDay, roomIds);
  const plan = planBills(cut);
  const keptLines = new Map<string, Line>();
  for (const bill of plan.bills) for (const line of bill.lines) keptLines.set(identity(bill.key, line), line);
  const rows: TrimRow[] = [];
  for (const { key, lines } of planBills(input).bills)
    for (const line of lines) {
      if (line.kind === "deposit") continue;
      const id = identity(key, line);
      const keptLine = keptLines.get(id) ?? null;
      keptLines.delete(id);
      const kept = keptLine?.amount ?? 0;
      rows.push({ billKey: key, line, keptLine, kept, back: line.amount - kept });
    }
  // A discount shared by rooms can reach a room only now that its neighbour's month is shorter.
  for (const bill of plan.bills)
    for (const line of bill.lines)
      if (keptLines.has(identity(bill.key, line)) && line.kind !== "deposit") {
        const nothing = { ...line, amount: 0, slices: [] };
        rows.push({
          billKey: bill.key,
          line: nothing,
          keptLine: line,
          kept: line.amount,
          back: -line.amount,
        });
      }
  const sum = (pick: (row: TrimRow) => Fen) => rows.reduce((total, row) => total + pick(row), 0);
  return { input: cut, plan, rows, kept: sum((r) => r.kept), back: sum((r) => r.back) };
}
