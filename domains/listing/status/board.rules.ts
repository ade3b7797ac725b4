import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { FIELDS, type Cell } from "./board.contract.ts";

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
