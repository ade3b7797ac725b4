import type { Tile } from "./board.rules.ts";
import { OCCUPANCIES } from "./words.rules.ts";

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
