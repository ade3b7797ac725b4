import { addMonths, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { type Words, plainWords } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";

export const CATEGORIES = plainWords({
  furniture: "家具",
  appliance: "家电",
  hardware: "门锁五金",
  soft: "软装",
  shared: "公共",
});
export type Category = keyof typeof CATEGORIES;

export const DIC_STATES = { on: ["启用", "green"], off: ["停用", "grey"] } as const satisfies Words;

export const ASSET_STATES = {
  inUse: ["在用", "green"],
  damaged: ["损坏", "orange"],
  lost: ["丢失", "red"],
  removed: ["已移除", "grey"],
} as const satisfies Words;
export type AssetState = keyof typeof ASSET_STATES;

/** What still stands in its place. */
export const STANDING: readonly AssetState[] = ["inUse", "damaged"];

export const assetMoves = moves<AssetState, object>({
  inUse: "在用",
  damaged: "损坏",
  lost: "丢失",
  removed: "已移除",
})({
  damage: { label: "报损", from: ["inUse"], to: "damaged" },
  repair: { label: "恢复使用", from: ["damaged"], to: "inUse" },
  lose: { label: "报失", from: ["inUse", "damaged"], to: "lost" },
  remove: { label: "移除", from: ["inUse", "damaged"], to: "removed" },
  move: { label: "转移", from: ["inUse", "damaged"], to: "removed" },
  edit: { label: "修改", from: ["inUse", "damaged"], to: "inUse" },
});
export const ASSET_ACTS = plainWords({ damage: "报损", repair: "恢复使用", lose: "报失", remove: "移除" });

/** 质保到期 = day of purchase plus the months of the dictionary; none without months. */
export const warrantyEnd = (purchasedOn: Day, months: number): Day | null =>
  months > 0 ? addMonths(purchasedOn, months) : null;

type Piece = { quantity: number; price: Fen; damagePrice: Fen; state: AssetState };

/** What stands there, what it cost, and what damage to it all would cost. */
export function totalsOf(pieces: readonly Piece[]): { quantity: number; value: Fen; damage: Fen } {
  const standing = pieces.filter((piece) => STANDING.includes(piece.state));
  const sum = (of: (piece: Piece) => number) => standing.reduce((all, piece) => all + of(piece), 0);
  return {
    quantity: sum((piece) => piece.quantity),
    value: sum((piece) => piece.quantity * piece.price),
    damage: sum((piece) => piece.quantity * piece.damagePrice),
  };
}
