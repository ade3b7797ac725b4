import type { Day } from "../../../platform/kernel/day.ts";
import type { Group } from "./arrange.rules.ts";
import type { Density } from "./tile.rules.ts";
import type { Tint } from "./tint.rules.ts";

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
