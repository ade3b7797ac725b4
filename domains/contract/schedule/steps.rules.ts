import { addMonths, dayNumber, dayOf, maxDay, type Day } from "../../../platform/kernel/day.ts";
import {
  decimal,
  halfUp,
  over,
  plus,
  ratio,
  times,
  type Fen,
  type Ratio,
} from "../../../platform/kernel/fen.ts";
import type { PriceFrom } from "./write.rules.ts";
import type {
  Decimal,
  RentRounding,
  RentStep,
  ScheduleInput,
  ScheduleRoom,
  StepMode,
} from "./terms.rules.ts";

const UNIT: Record<RentRounding, number> = { fen: 1, jiao: 10, yuan: 100 };

const FAR = Number.MAX_SAFE_INTEGER;

/** The rent as printed in the contract: half-up to fen, jiao or yuan. Far beyond what a rent may be it stays a whole number. */
export const roundRent = (exact: Ratio, rounding: RentRounding): Fen =>
  Math.min(FAR, Math.max(-FAR, halfUp(over(exact, ratio(UNIT[rounding]))) * UNIT[rounding]));

/** unitPrice × area × 365 ÷ 12, rounded once. */
export const areaMonthlyRent = (unitPrice: Decimal, area: Decimal, rounding: RentRounding): Fen =>
  roundRent(times(times(decimal(unitPrice), decimal(area)), ratio(36_500, 12)), rounding);

export const firstRent = (
  input: Pick<ScheduleInput, "pricing" | "rentRounding">,
  room: Pick<ScheduleRoom, "monthlyRent" | "unitPrice" | "area" | "baseRent">,
): Fen =>
  input.pricing === "areaDay" && room.baseRent == null && room.unitPrice && room.area
    ? areaMonthlyRent(room.unitPrice, room.area, input.rentRounding)
    : room.monthlyRent;

/**
 * Compounding works on the rent before as it was printed; percentBase on the first rent; amount adds; table sets. What is worked out is
 * rounded, a figure that was agreed is not.
 */
export function steppedRent(
  step: { mode: StepMode; value: Decimal },
  before: Fen,
  first: Fen,
  rounding: RentRounding,
): Fen {
  const value = decimal(step.value);
  if (step.mode === "table") return roundRent(value, "fen");
  if (step.mode === "amount") return roundRent(plus(ratio(before), value), rounding);
  const factor = over(plus(ratio(100), value), ratio(100));
  return roundRent(times(ratio(step.mode === "percentBase" ? first : before), factor), rounding);
}

type Rooms = Pick<ScheduleInput, "start" | "pricing" | "rentRounding" | "rooms">;

/** The steps of a room in the order of their days; on one day a figure set by hand stands before the rule's. */
function stepsOf(steps: readonly RentStep[], room: ScheduleRoom): RentStep[] {
  const own = steps
    .filter((s) => s.roomId == null || s.roomId === room.roomId)
    .toSorted((a, b) => (a.fromDate < b.fromDate ? -1 : 1));
  const byHand = new Set(own.flatMap((s) => (s.source === "manual" ? [s.fromDate] : [])));
  return byHand.size ? own.filter((s) => s.source === "manual" || !byHand.has(s.fromDate)) : own;
}

/** The rents of one room over time. Steps up to the day it joins are already in the rent agreed for it. */
export function roomPrices(input: Rooms & Pick<ScheduleInput, "steps">, room: ScheduleRoom): PriceFrom[] {
  const first = firstRent(input, room);
  const joined = maxDay(input.start, room.joinDate);
  const rows: PriceFrom[] = [{ from: dayNumber(joined), price: first }];
  if (input.steps.length === 0) return rows;
  const own = stepsOf(input.steps, room);
  const agreed = own.findLast((s) => s.fromDate <= joined && s.mode === "percentBase");
  let price = first;
  for (const step of own) {
    if (step.fromDate <= joined) continue;
    if (step.roomId != null || input.rooms.length === 1) price = step.resultRent;
    else if (step.mode === "percentBase" && agreed && room.baseRent == null) {
      const { n, d } = plus(decimal(step.value), times(decimal(agreed.value), ratio(-1)));
      price = roundRent(times(ratio(first), ratio(100n * d + n, 100n * d)), input.rentRounding);
    } else price = steppedRent(step, price, room.baseRent ?? first, input.rentRounding);
    rows.push({ from: dayNumber(step.fromDate), price });
  }
  return rows;
}

/**
 * The rooms with the rent that is in force on a day, as a contract that takes over then would agree them: its days cost what they
 * cost here, and later steps go on from there.
 */
export const rentsAt = (input: Rooms & Pick<ScheduleInput, "steps">, day: Day): ScheduleRoom[] =>
  input.rooms.map((room) => {
    const at = dayNumber(maxDay(day, maxDay(input.start, room.joinDate)));
    const prices = roomPrices(input, room);
    const monthlyRent = (prices.findLast((p) => p.from <= at) ?? prices[0]!).price;
    const baseRent = room.baseRent ?? prices[0]!.price;
    return monthlyRent === baseRent ? { ...room, monthlyRent } : { ...room, monthlyRent, baseRent };
  });

export type StepRule = {
  roomId?: number | null;
  every: number;
  unit: "month" | "year";
  /** Day of the first step; default one interval after the start. */
  from?: Day | null;
  mode: Exclude<StepMode, "table">;
  value: Decimal;
};

const DECIMAL = /^-?\d+(\.\d+)?$/;
/** While a rent is being typed there is nothing that could rise. */
const isPriced =
  ({ pricing }: Pick<ScheduleInput, "pricing">) =>
  ({ monthlyRent, unitPrice, area }: ScheduleRoom): boolean =>
    pricing === "areaDay" && unitPrice && area
      ? DECIMAL.test(unitPrice) && DECIMAL.test(area)
      : Number.isSafeInteger(monthlyRent);

/**
 * The rows of a rule "every n months or years" up to the end. A figure set by hand (`byHand`) stands in place of the rule's of
 * that day, and the rule goes on from it: compounding works on the printed rent.
 */
export function expandSteps(
  input: Rooms & Pick<ScheduleInput, "end">,
  rule: StepRule,
  byHand: readonly RentStep[] = [],
): RentStep[] {
  const interval = rule.every * (rule.unit === "year" ? 12 : 1);
  if (
    !Number.isInteger(interval) ||
    interval < 1 ||
    !DECIMAL.test(rule.value) ||
    !input.rooms.every(isPriced(input))
  )
    return [];
  const { roomId = null, mode } = rule;
  const room = input.rooms.length === 1 ? input.rooms[0] : input.rooms.find((r) => r.roomId === roomId);
  const rows: RentStep[] = [];
  // one a month over the longest term there is
  for (let k = 1; k <= 240; k++) {
    const fromDate = rule.from
      ? addMonths(rule.from, (k - 1) * interval)
      : addMonths(input.start, k * interval);
    if (fromDate > input.end) break;
    const value = mode === "percentBase" ? scaled(rule.value, k) : rule.value;
    const row = { fromDate, mode, value, resultRent: 0, source: "rule" as const };
    rows.push(roomId === null ? row : { roomId, ...row });
  }
  return room ? withRents(input, room, rows, byHand) : withSums(input, rows, byHand);
}

/** The rent of one room after each row. */
function withRents(
  input: Rooms,
  room: ScheduleRoom,
  rows: readonly RentStep[],
  byHand: readonly RentStep[],
): RentStep[] {
  const own = stepsOf(byHand, room);
  const first = firstRent(input, room);
  let price = first;
  let next = 0;
  return rows.map((row) => {
    for (; own[next] && own[next]!.fromDate < row.fromDate; next++) price = own[next]!.resultRent;
    const resultRent = steppedRent(row, price, first, input.rentRounding);
    price = resultRent;
    return { ...row, resultRent };
  });
}

/** A row for several rooms shows the sum of their rents from that day. */
function withSums(input: Rooms, rows: readonly RentStep[], byHand: readonly RentStep[]): RentStep[] {
  const rents = rentsOver({ ...input, steps: [...byHand, ...rows] });
  return rows.map((row) => ({ ...row, resultRent: rents.findLast((r) => r.fromDate <= row.fromDate)!.rent }));
}

/** The rent of all rooms from a day on. */
export type RentFrom = { fromDate: Day; rent: Fen; rooms: Fen[] };

/** How the rents move over the term, room by room and together: what the bills charge and the paper prints. */
export function rentsOver(input: Rooms & Pick<ScheduleInput, "steps">): RentFrom[] {
  const prices = input.rooms.map((room) => roomPrices(input, room));
  const days = new Set([
    dayNumber(input.start),
    ...prices.flatMap((rows) => rows.slice(1).map((p) => p.from)),
  ]);
  const at = prices.map(() => 0);
  return [...days]
    .toSorted((a, b) => a - b)
    .map((day) => {
      const rooms = prices.map((rows, k) => {
        while (rows[at[k]! + 1] && rows[at[k]! + 1]!.from <= day) at[k]!++;
        return rows[at[k]!]!.price;
      });
      return { fromDate: dayOf(day), rent: rooms.reduce((sum, price) => sum + price, 0), rooms };
    });
}

/** value × n as a decimal string, exact. */
function scaled(value: Decimal, n: number): Decimal {
  const places = value.split(".")[1]?.length ?? 0;
  const digits = String(BigInt(value.replace(".", "")) * BigInt(n));
  if (places === 0) return digits;
  const sign = digits.startsWith("-") ? "-" : "";
  const padded = digits.slice(sign.length).padStart(places + 1, "0");
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
}
