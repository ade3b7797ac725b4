import { type Day, daysBetween, addDays } from "../../../platform/kernel/day.ts";
import { type Cell, FIELDS, type Bar } from "./board.contract.ts";
import { OCCUPANCIES, OCCUPANCY_KEYS, type Occupancy } from "../status/status.rules.ts";

/** A tile with its values by name. */
export type Tile = {
  [I in Extract<keyof typeof FIELDS, `${number}`> as (typeof FIELDS)[I]]: Cell[I & keyof Cell];
};

export function tileOf(cell: Cell): Tile {
  const tile: Record<string, unknown> = {};
  for (let i = 0; i < FIELDS.length; i++) tile[FIELDS[i]!] = cell[i];
  return tile as Tile;
}

export const isBase = (tile: Tile): boolean => (tile.counts & 1) !== 0;
export const isLet = (tile: Tile): boolean => (tile.counts & 2) !== 0;

/** Days without a tenant, of rooms that nobody has; null for all others. */
export const vacantDays = (tile: Tile, day: Day): number | null =>
  tile.occupancy === "vacant" && tile.vacantSince ? Math.max(0, daysBetween(tile.vacantSince, day)) : null;

/** The days that matter on the tile: left to the end, over the end, or empty; null where none does. */
export function daysShown(tile: Tile, day: Day): number | null {
  if (tile.condition === "offline" || tile.condition === "selfUse") return null;
  if (tile.occupancy === "vacant") return vacantDays(tile, day);
  if (tile.occupancy === "reserved" || tile.occupancy === "toMoveIn" || !tile.until) return null;
  return Math.abs(daysBetween(day, tile.until));
}

export const BATCH_ACTS = {
  block: "封房",
  lift: "解除封房",
  clean: "完成保洁",
  soil: "置为待保洁",
} as const;
export type BatchAct = keyof typeof BATCH_ACTS;

const LIVED_IN: ReadonlySet<string> = new Set(["occupied", "expiring", "holdingOver", "leaving"]);
const BLOCKED: ReadonlySet<string> = new Set(["maintenance", "offline", "selfUse"]);

/** Why an act does not fit a room as it stands today, or nothing. The server judges again, by the timeline. */
export function whyNot(act: BatchAct, tile: Tile): string | undefined {
  const livedIn = LIVED_IN.has(tile.occupancy);
  const blocked = BLOCKED.has(tile.condition);
  if (act === "block")
    return livedIn ? `${OCCUPANCIES[tile.occupancy][0]}，有人居住` : blocked ? "已封房" : undefined;
  if (act === "lift") return blocked ? undefined : "未封房";
  if (act === "clean") return tile.condition === "dirty" ? undefined : "没有待完成的保洁";
  if (livedIn) return "有人居住，请登记保洁或报修单";
  return tile.condition === "rentable" ? undefined : blocked ? "已封房" : "已是待保洁";
}

export type Moves = {
  /** Rooms of both days whose occupancy differs: what it was and is. */
  moved: Map<number, { from: Occupancy; to: Occupancy }>;
  /** counts[from][to], the unchanged on the diagonal. */
  counts: Record<Occupancy, Record<Occupancy, number>>;
  /** In stock on one of the two days only. */
  came: number;
  went: number;
};

/** What became of each room from one day to another. Row sums are the first day's counts, column sums the second's. */
export function compareDays(before: readonly Tile[], after: readonly Tile[]): Moves {
  const zeros = () => Object.fromEntries(OCCUPANCY_KEYS.map((key) => [key, 0])) as Record<Occupancy, number>;
  const counts = Object.fromEntries(OCCUPANCY_KEYS.map((key) => [key, zeros()])) as Moves["counts"];
  const then = new Map(before.map((t) => [t.id, t.occupancy]));
  const moved: Moves["moved"] = new Map();
  let both = 0;
  for (const tile of after) {
    const from = then.get(tile.id);
    if (from === undefined) continue;
    both++;
    counts[from][tile.occupancy]++;
    if (from !== tile.occupancy) moved.set(tile.id, { from, to: tile.occupancy });
  }
  return { moved, counts, came: after.length - both, went: before.length - both };
}

/** 按套: the rooms of a flat as one tile. Where they differ it says how many of them are let. */
export function flatsOf(tiles: readonly Tile[]): Tile[] {
  return [...Map.groupBy(tiles, (t) => t.apartmentId).values()].map((rooms) => {
    const [first] = rooms as [Tile, ...Tile[]];
    if (rooms.length === 1) return first;
    const taken = rooms.filter(isLet).length;
    const one = rooms.every((r) => r.occupancy === first.occupancy);
    const whole = {
      ...first,
      name: one ? first.door : `${first.door} ${taken}/${rooms.length}`,
      area: Math.round(rooms.reduce((sum, r) => sum + r.area, 0) * 100) / 100,
      flags: rooms.reduce((bits, r) => bits | r.flags, 0),
      counts: (rooms.some(isBase) ? 1 : 0) + (taken ? 2 : 0),
      arrearsFen: rooms.reduce((sum, r) => sum + r.arrearsFen, 0),
      listPriceFen: rooms.reduce((sum, r) => sum + (r.listPriceFen ?? 0), 0) || null,
      tags: [...new Set(rooms.flatMap((r) => r.tags))],
      condition: rooms.find((r) => r.condition !== "rentable")?.condition ?? ("rentable" as const),
    };
    if (one) return whole;
    return {
      ...whole,
      occupancy: taken ? ("occupied" as const) : first.occupancy,
      partyName: `部分在租 ${taken}/${rooms.length}`,
      partyInitials: null,
      until: null,
      nextFrom: null,
    };
  });
}

/** The flat of a room, when it has more rooms than that one. */
export function flatOf(tiles: readonly Tile[], roomId: number): number | undefined {
  const flat = tiles.find((t) => t.id === roomId)?.apartmentId;
  return tiles.some((t) => t.apartmentId === flat && t.id !== roomId) ? flat : undefined;
}

/** Stretches between two takings that are shorter than the shortest term the room is let for. */
export function shortGaps(bars: readonly Bar[], minTermMonths: number | null): { from: Day; to: Day }[] {
  if (!minTermMonths) return [];
  const taken = bars.filter((b) => b.kind !== "turnover").toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return taken.flatMap((bar, i) => {
    const next = taken[i + 1];
    if (!next || bar.to === null) return [];
    const gap = { from: addDays(bar.to, 1), to: addDays(next.from, -1) };
    const days = daysBetween(gap.from, gap.to) + 1;
    return days > 0 && days < minTermMonths * 30 ? [gap] : [];
  });
}

/** Whether nothing stands on a room over a stretch of days. */
export const isFree = (bars: readonly Bar[], from: Day, to: Day): boolean =>
  !bars.some((b) => b.kind !== "turnover" && b.from <= to && (b.to === null || b.to >= from));
