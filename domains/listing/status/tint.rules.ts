import type { Day } from "../../../platform/kernel/day.ts";
import type { Group } from "./arrange.rules.ts";
import { type Tile, vacantDays } from "./board.rules.ts";
import { CONDITIONS, FLAGS, OCCUPANCIES, flagsOf } from "./status.rules.ts";
import type { Density } from "./tile.rules.ts";

/** By what the tiles are coloured. */
export const TINTS = {
  occupancy: "入住",
  condition: "状态",
  flag: "标记",
  vacancy: "空置天数",
  price: "价格",
} as const;
export type Tint = keyof typeof TINTS;

/** The class that colours the tile; every pair of fill and text stands in the style sheet. */
export function tintOf(tile: Tile, tint: Tint, day: Day, steps: readonly number[]): string {
  if (tint === "occupancy") return `t-${tile.occupancy}`;
  if (tint === "condition")
    return `s-${tile.condition === "rentable" ? "none" : CONDITIONS[tile.condition][1]}`;
  if (tint === "flag") {
    const [first] = flagsOf(tile.flags);
    return `s-${first ? FLAGS[first][1] : "none"}`;
  }
  if (tint === "vacancy") {
    const days = vacantDays(tile, day);
    return days === null
      ? "s-none"
      : `s-${days <= 7 ? "green" : days <= 30 ? "gold" : days <= 60 ? "orange" : "red"}`;
  }
  if (tile.listPriceFen === null) return "s-none";
  const step = steps.filter((limit) => tile.listPriceFen! > limit).length;
  return `s-${["grey", "cyan", "blue", "purple"][step]}`;
}

/** Prices that cut the rooms into four parts of the same size. */
export function priceSteps(tiles: readonly Tile[]): number[] {
  const prices = tiles.flatMap((t) => t.listPriceFen ?? []).toSorted((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((share) => prices[Math.floor(prices.length * share)] ?? 0);
}

/** What the colours mean, where it is not the occupancy that the legend shows anyway. */
export function keyOf(tint: Tint, steps: readonly number[]): { tone: string; text: string }[] {
  if (tint === "vacancy")
    return [
      { tone: "green", text: "空置 0-7 天" },
      { tone: "gold", text: "8-30 天" },
      { tone: "orange", text: "31-60 天" },
      { tone: "red", text: "60 天以上" },
    ];
  if (tint === "price") {
    const [a = 0, b = 0, c = 0] = steps.map((fen) => Math.round(fen / 100));
    return [
      { tone: "grey", text: `标价 ≤ ${a}` },
      { tone: "cyan", text: `≤ ${b}` },
      { tone: "blue", text: `≤ ${c}` },
      { tone: "purple", text: `> ${c}` },
    ];
  }
  const words = tint === "condition" ? CONDITIONS : tint === "flag" ? FLAGS : OCCUPANCIES;
  return tint === "occupancy" ? [] : Object.values(words).map(([text, tone]) => ({ tone, text }));
}

export const VIEWS = {
  tiles: ["色块", "grid"],
  list: ["列表", "list"],
  calendar: ["日历", "calendar"],
} as const;
export type View = keyof typeof VIEWS;

export const UNITS = { room: "按间", flat: "按套" } as const;
type Unit = keyof typeof UNITS;

/** What of which village is looked at, and how. */
export type Chosen = {
  villageId: number | undefined;
  /** Undefined: today, whatever day that is. */
  day: Day | undefined;
  view: View;
  density: Density;
  tint: Tint;
  group: Group;
  unit: Unit;
  compare: Day | undefined;
};
