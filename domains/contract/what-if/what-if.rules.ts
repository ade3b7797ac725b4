import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { isBillable } from "../../finance/bill/make.rules.ts";
import { planBills } from "../schedule/bills.rules.ts";
import { takeOver, trim } from "../schedule/carry.rules.ts";
import { tooLong } from "../schedule/fee-errors.rules.ts";
import type { Line, PlannedBill } from "../schedule/line.rules.ts";
import { firstRent, rentsAt, steppedRent } from "../schedule/steps.rules.ts";
import type { RentStep, ScheduleInput, ScheduleRoom } from "../schedule/terms.rules.ts";
import { type Agreed, scheduleOf } from "../terms/terms.rules.ts";

/** What is asked of a contract: another last day, another rent of a room from a day on, or another room instead of one. */
export type Change =
  | { kind: "end"; end: Day }
  | { kind: "rent"; roomId: number; from: Day; rent: Fen }
  | { kind: "room"; roomId: number; from: Day; room: { roomId: number; rent: Fen } };

/** Why nothing can be worked out, or nothing. */
export function changeError(agreed: Agreed, change: Change): string | undefined {
  const { start, end, rooms } = agreed;
  if (change.kind === "end") {
    if (change.end < start) return "到期日不能早于起租日";
    if (change.end === end) return "到期日没有变化";
    return tooLong(start, change.end) ?? billsError(agreed, change);
  }
  const what = change.kind === "rent" ? "调价日" : "换房日";
  if (change.from <= start || change.from > end) return `${what}须在起租日之后、到期日之前`;
  const { joinDate, leaveDate } = rooms.find((r) => r.roomId === change.roomId)!;
  if (joinDate && change.from <= joinDate) return `${what}须在该房间 ${joinDate} 加入之后`;
  if (leaveDate && change.from > leaveDate) return `该房间 ${leaveDate} 已退，请选择其他房间`;
  const rent = change.kind === "rent" ? change.rent : change.room.rent;
  if (!(rent > 0 && rent <= AMOUNT_MAX)) return "请输入正确的月租金";
  if (change.kind === "room" && rooms.some((r) => r.roomId === change.room.roomId)) return "请选择另一间房";
  return billsError(agreed, change);
}

/** What no bill may say: rents that a rule of rises takes below nothing, sums that the books do not take. */
function billsError(agreed: Agreed, change: Change): string | undefined {
  for (const { title, lines } of billsUnder(agreed, change)) {
    if (lines.some((line) => line.kind !== "discount" && line.amount < 0))
      return "按合同的递增约定，调价后的月租金会低于0，请先变更条款";
    if (!isBillable(lines.map((line) => line.amount)))
      return `账单“${title}”会超过一张账单的上限 ${yuan(AMOUNT_MAX)} 元，不能试算`;
  }
  return undefined;
}

/** A bill of the contract beside what it would be; null where there is none. */
export type ComparedBill = {
  key: string;
  title: string;
  from: Day;
  to: Day;
  before: Fen | null;
  after: Fen | null;
  diff: Fen;
  lines: { before: readonly Line[]; after: readonly Line[] };
};
export type Sums = { rent: Fen; fees: Fen; deposit: Fen; total: Fen };
export type Comparison = { bills: ComparedBill[]; before: Sums; after: Sums };

function sumsOf(bills: readonly PlannedBill[]): Sums {
  const sums = { rent: 0, fees: 0, deposit: 0, total: 0 };
  for (const { kind, feeKey, amount } of bills.flatMap((bill) => bill.lines)) {
    sums[kind === "deposit" ? "deposit" : feeKey === "rent" ? "rent" : "fees"] += amount;
    sums.total += amount;
  }
  return sums;
}

/** The bills as agreed and as they would be, one beside the other. Nothing is kept; the change must be one that `changeError` lets pass. */
export function compare(agreed: Agreed, change: Change): Comparison {
  const before = planBills(scheduleOf(agreed)).bills;
  const after = billsUnder(agreed, change);
  return { bills: beside(before, after), before: sumsOf(before), after: sumsOf(after) };
}

/** The bills as they would be. */
function billsUnder(agreed: Agreed, change: Change): readonly PlannedBill[] {
  if (change.kind === "end") return planBills(scheduleOf({ ...agreed, end: change.end })).bills;
  if (change.kind === "rent") {
    const terms = { ...agreed.terms, steps: stepsWith(agreed, change) };
    return planBills(scheduleOf({ ...agreed, terms })).bills;
  }
  const input = scheduleOf(agreed);
  return movedBills(input, planBills(input).bills, change);
}

/** A rent set by hand on a day stands in place of what was agreed for it. */
function stepsWith({ terms, rooms }: Agreed, { roomId, from, rent }: Change & { kind: "rent" }) {
  const own = rooms.length > 1 ? { roomId } : {};
  const set = { fromDate: from, mode: "table" as const, value: String(rent), resultRent: rent };
  return [
    ...terms.steps.filter((s) => s.fromDate !== from || (s.roomId ?? roomId) !== roomId),
    { ...own, ...set, source: "manual" as const },
  ];
}

/**
 * The old room to the day before and the new one from then on, as a contract that takes over. What is due once was charged already,
 * and offers are agreed anew for a new room.
 */
function movedBills(
  input: ScheduleInput,
  before: readonly PlannedBill[],
  { roomId, from, room }: Change & { kind: "room" },
): PlannedBill[] {
  const fresh = (r: ScheduleRoom): ScheduleRoom =>
    r.roomId === roomId
      ? { roomId: room.roomId, monthlyRent: room.rent, joinDate: from, leaveDate: r.leaveDate ?? null }
      : r;
  const next: ScheduleInput = {
    ...input,
    ...takeOver(input, from),
    start: from,
    rooms: rentsAt(input, from).map(fresh),
    steps: laterSteps(input, roomId, from, room.rent),
    // a fee keeps its place in the list, by which its lines are known; after the end it is charged no more
    fees: input.fees.map((fee) =>
      fee.kind === "once" && (fee.fromDate ?? input.start) < from
        ? { ...fee, fromDate: addDays(input.end, 1) }
        : fee,
    ),
    discounts: [],
  };
  const old = trim(input, addDays(from, -1)).plan.bills.filter((bill) => bill.kind !== "deposit");
  const held = planBills({
    ...input,
    rooms: input.rooms.map((r) => ({ ...fresh(r), joinDate: r.joinDate })),
  }).bills.filter((bill) => bill.kind === "deposit");
  const rest = planBills(next).bills.filter((bill) => bill.kind !== "deposit");
  return [...held, ...old, ...rest.map((bill) => ({ ...bill, key: keyIn(before, bill) }))];
}

/** The steps after a day as the new room takes them; a figure that was set for the old room is none of the new one's. */
function laterSteps(input: ScheduleInput, roomId: number, from: Day, rent: Fen): RentStep[] {
  const later = input.steps
    .filter((s) => s.fromDate > from && s.roomId !== roomId && s.mode !== "table")
    .toSorted((a, b) => (a.fromDate < b.fromDate ? -1 : 1));
  if (input.rooms.length > 1) return later;
  const first = firstRent(input, input.rooms[0]!);
  let price = rent;
  return later.map((step) => {
    price = steppedRent(step, price, step.mode === "percentBase" ? first : rent, input.rentRounding);
    return { ...step, resultRent: price };
  });
}

const sortOf = ({ key, periodStart }: PlannedBill): string => key.replace(periodStart, "");

/** The key of the bill in whose period another of the same sort begins. */
const keyIn = (bills: readonly PlannedBill[], bill: PlannedBill): string =>
  bills.find(
    (b) => sortOf(b) === sortOf(bill) && b.periodStart <= bill.periodStart && bill.periodStart <= b.periodEnd,
  )?.key ?? bill.key;

function beside(before: readonly PlannedBill[], after: readonly PlannedBill[]): ComparedBill[] {
  const rows = new Map<string, ComparedBill>();
  const put = (side: "before" | "after", bill: PlannedBill) => {
    const { key, title, periodStart: from, periodEnd: to } = bill;
    const row = rows.get(key) ?? {
      ...{ key, title, from, to, before: null, after: null, diff: 0 },
      lines: { before: [], after: [] },
    };
    rows.set(key, {
      ...row,
      to: row.to > to ? row.to : to,
      [side]: (row[side] ?? 0) + bill.amount,
      diff: row.diff + (side === "after" ? bill.amount : -bill.amount),
      lines: { ...row.lines, [side]: [...row.lines[side], ...bill.lines] },
    });
  };
  for (const bill of before) put("before", bill);
  for (const bill of after) put("after", bill);
  return [...rows.values()].toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
}
