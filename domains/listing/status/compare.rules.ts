import type { Tile } from "./board.rules.ts";
import { OCCUPANCY_KEYS } from "./status.rules.ts";
import type { Occupancy } from "./words.rules.ts";

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
