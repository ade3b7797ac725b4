import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { BoardBuilding, Cell } from "./board.contract.ts";
import { tileOf, type Tile } from "./board.rules.ts";

const next = counter();

/** A tile of an empty flat, changed as given. */
export function aTile(more: Partial<Tile> = {}): Tile {
  const id = next();
  const cell: Cell = [
    id,
    0,
    1,
    12,
    id,
    `12${String(id).padStart(2, "0")}`,
    `12${String(id).padStart(2, "0")}`,
    "whole",
    38.5,
    "1室1厅1卫",
    null,
    358_000,
    "vacant",
    "rentable",
    0,
    1,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    0,
    "2026-11-01",
    null,
    [],
    "any",
    null,
  ];
  return { ...tileOf(cell), ...more };
}

/** A building of two units with floors 1 to 18, floor n having id n. */
export const aTower: BoardBuilding = {
  id: 1,
  name: "1 号楼",
  community: "",
  units: [
    { id: 1, name: "1单元" },
    { id: 2, name: "2单元" },
  ],
  floors: Array.from({ length: 18 }, (_, i) => ({
    id: i + 1,
    unitId: null,
    number: i + 1,
    name: `${i + 1}F`,
  })),
};
