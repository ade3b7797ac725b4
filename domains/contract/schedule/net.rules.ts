import { type Fen, type Ratio, halfUp, over, plus, ratio } from "../../../platform/kernel/fen.ts";
import { discountStreams, rentStreams, roomScale, roomSegments } from "./discounts.rules.ts";
import type { Line } from "./line.rules.ts";
import { type MonthTable, monthTable } from "./months.rules.ts";
import type { ScheduleInput, ScheduleRoom } from "./terms.rules.ts";
import { carriedOf } from "./write.rules.ts";

/** How many monthly rents the charged days of a room weigh, free days included. */
function roomWeight(input: ScheduleInput, room: ScheduleRoom, table: MonthTable): Ratio {
  const rows = roomSegments(input, room);
  const scale = roomScale(input, room);
  const begin = rows[0]?.from ?? 0;
  const last = rows.at(-1)?.to ?? -1;
  let months = 0;
  let partial = ratio(0);
  for (let i = 0; i < table.from.length; i++) {
    const monthStart = table.starts[i]!;
    const monthEnd = table.starts[i + 1]! - 1;
    if (monthEnd < begin || monthStart > last) continue;
    const from = Math.max(monthStart, begin);
    const to = Math.min(monthEnd, last);
    if (from === monthStart && to === monthEnd) {
      months++;
      continue;
    }
    const days = monthEnd - monthStart + 1;
    const carried = carriedOf(input, "rent", room.roomId)?.days ?? input.carriedDays ?? 0;
    const counted = from > monthStart && from === table.start ? carried : 0;
    const units = BigInt(scale.units(counted + to - from + 1, days)) - BigInt(scale.units(counted, days));
    partial = plus(partial, ratio(units, scale.whole(days)));
  }
  return plus(partial, ratio(months));
}

/** The rent that every charged day of a room costs. What rounding its months takes off that is no discount. */
function onlyPrice(input: ScheduleInput, room: ScheduleRoom): Fen | undefined {
  const [first, ...more] = roomSegments(input, room);
  return first && !first.free && more.every((s) => !s.free && s.price === first.price)
    ? first.price
    : undefined;
}

export type RoomNet = { roomId: number; net: Fen };

/** 折后月租 of each room that has charged days: its rent after discounts ÷ the weight of its months. `lines` = rent and its discounts. */
export function netMonthlyRents(
  input: ScheduleInput,
  lines: readonly Line[],
  table: MonthTable = monthTable(input),
): RoomNet[] {
  const sums = new Map<number | null, Fen>();
  const lowered = new Set<number | null>();
  for (const { roomId, amount } of lines) {
    sums.set(roomId, (sums.get(roomId) ?? 0) + amount);
    if (amount < 0) lowered.add(roomId);
  }
  return input.rooms.flatMap((room) => {
    const weight = roomWeight(input, room, table);
    if (weight.n <= 0n) return [];
    const price = onlyPrice(input, room);
    if (price !== undefined && !lowered.has(room.roomId)) return [{ roomId: room.roomId, net: price }];
    return [{ roomId: room.roomId, net: halfUp(over(ratio(sums.get(room.roomId) ?? 0), weight)) }];
  });
}

/** 折后月租 room by room and together; it is compared with the lowest price. Together null without charged days. */
export function effectiveMonthlyRent(input: ScheduleInput): { total: Fen | null; rooms: RoomNet[] } {
  const table = monthTable(input);
  const rents = rentStreams(input, table);
  const lines = [...rents.flat(), ...discountStreams(input, table, rents).flat()];
  const rooms = netMonthlyRents(
    input,
    lines.filter((l) => l.feeKey === "rent"),
    table,
  );
  return { total: rooms.length ? rooms.reduce((sum, r) => sum + r.net, 0) : null, rooms };
}

/**
 * JSON with sorted keys and nothing undefined: equal data give equal text, whatever order it was built in.
 * Numbers must be whole and exact (fen, days, ids), because a preview's hash rests on this text.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError(`not a whole number: ${value}`);
    return String(value === 0 ? 0 : value);
  }
  if (Array.isArray(value))
    return `[${value.map((v) => (v === undefined ? "null" : canonical(v))).join(",")}]`;
  if (typeof value === "object") {
    const proto: unknown = Object.getPrototypeOf(value);
    if (proto !== Object.prototype && proto !== null) throw new TypeError("only plain objects");
    const parts: string[] = [];
    for (const [key, v] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      if (v !== undefined) parts.push(`${JSON.stringify(key)}:${canonical(v)}`);
    return `{${parts.join(",")}}`;
  }
  throw new TypeError(`cannot be written as JSON: ${typeof value}`);
}
