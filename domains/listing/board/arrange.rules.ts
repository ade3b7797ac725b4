import { isBase, vacantDays, type Tile } from "./board.rules.ts";
import type { BoardBuilding } from "./board.contract.ts";
import type { Day } from "../../../platform/kernel/day.ts";

export type Geometry = {
  /** Width for tiles and labels together. */
  width: number;
  tileWidth: number;
  tileHeight: number;
  gap: number;
  /** Room for the floor's label at the left. */
  label: number;
  /** More between two units than between two tiles. */
  unitGap: number;
};

export type Placed = { tile: Tile; x: number };
export type Section = { key: string; title: string; note: string; tiles: Tile[] };
export type Line =
  | { kind: "head"; key: string; top: number; height: number; section: Section }
  | {
      kind: "tiles";
      key: string;
      top: number;
      height: number;
      label: string;
      tiles: Placed[];
      floor: number[];
    };

export const HEAD_HEIGHT = 44;
export const GROUPS = { building: "楼栋楼层", product: "产品", layout: "户型", vacancy: "空置时长" } as const;
export type Group = keyof typeof GROUPS;

type Inside = { label: string; lines: Placed[][] };

/** Tiles one after another, as many on a line as fit; a wider gap stands where the unit changes. */
function wrapped(tiles: readonly Tile[], g: Geometry): Placed[][] {
  const lines: Placed[][] = [];
  let line: Placed[] = [];
  let x = g.label;
  for (const tile of tiles) {
    const before = line.at(-1)?.tile;
    if (before && before.unitId !== tile.unitId) x += g.unitGap;
    if (line.length && x + g.tileWidth > g.width) {
      lines.push(line);
      line = [];
      x = g.label;
    }
    line.push({ tile, x });
    x += g.tileWidth + g.gap;
  }
  if (line.length) lines.push(line);
  return lines;
}

/** Where units do not fit side by side, each begins a line of its own, named at its edge. */
function unitByUnit(floor: { label: string; tiles: Tile[] }, building: BoardBuilding, g: Geometry): Inside[] {
  const parts = [...Map.groupBy(floor.tiles, (t) => t.unitId)];
  const nameOf = (id: number | null) => building.units.find((u) => u.id === id)?.name ?? "";
  return parts.map(([unit, tiles], i) => ({
    label: i === 0 ? floor.label : nameOf(unit),
    lines: wrapped(tiles, g),
  }));
}

/** Floors of a building from the top down. Units stand in columns of their own while they fit side by side. */
function floorsOf(tiles: readonly Tile[], building: BoardBuilding, g: Geometry): Inside[] {
  const byNumber = new Map<number, { label: string; tiles: Tile[] }>();
  const floorOf = new Map(building.floors.map((f) => [f.id, f]));
  for (const tile of tiles) {
    const floor = floorOf.get(tile.floorId);
    const number = floor?.number ?? 0;
    const entry = byNumber.get(number) ?? { label: floor?.name ?? "", tiles: [] };
    entry.tiles.push(tile);
    byNumber.set(number, entry);
  }
  const floors = [...byNumber].toSorted((a, b) => b[0] - a[0]).map(([, entry]) => entry);
  const units = [...new Set(tiles.map((t) => t.unitId))];
  const most = units.map((unit) =>
    Math.max(...floors.map((f) => f.tiles.filter((t) => t.unitId === unit).length)),
  );
  const step = g.tileWidth + g.gap;
  const needed = g.label + most.reduce((a, b) => a + b, 0) * step + (units.length - 1) * g.unitGap - g.gap;
  if (needed > g.width) return floors.flatMap((f) => unitByUnit(f, building, g));
  const starts = most.map(
    (_, i) => g.label + most.slice(0, i).reduce((a, b) => a + b, 0) * step + i * g.unitGap,
  );
  return floors.map((f) => {
    const used = units.map(() => 0);
    const line = f.tiles.map((tile) => {
      const unit = units.indexOf(tile.unitId);
      return { tile, x: starts[unit]! + used[unit]!++ * step };
    });
    return { label: f.label, lines: [line.toSorted((a, b) => a.x - b.x)] };
  });
}

const EMPTY_FOR: readonly [from: number, title: string][] = [
  [61, "空置 60 天以上"],
  [31, "空置 31-60 天"],
  [8, "空置 8-30 天"],
  [0, "空置 0-7 天"],
];
const emptyFor = (tile: Tile, day: Day): string => {
  const days = vacantDays(tile, day);
  return days === null ? "非空置" : EMPTY_FOR.find(([from]) => days >= from)![1];
};

type Board = {
  day: Day;
  buildings: readonly BoardBuilding[];
  products: readonly { id: number; name: string }[];
};

type Grouped = Section & { building?: BoardBuilding };

/**
 * What stands together under one head, in the order in which it is shown. Where empty rooms alone are looked at, those that
 * cannot be let now stand apart, at the end.
 */
export function sectionsOf(board: Board, tiles: readonly Tile[], group: Group): Grouped[] {
  const free = tiles.filter(isBase);
  const split = free.length > 0 && tiles.every((t) => t.occupancy === "vacant");
  if (!split || free.length === tiles.length) return grouped(board, tiles, group);
  const blocked = tiles.filter((t) => !isBase(t));
  return [
    ...grouped(board, free, group),
    { key: "blocked", title: "维修、停用或自用", note: `${blocked.length} 间，暂不可租`, tiles: blocked },
  ];
}

function grouped(board: Board, tiles: readonly Tile[], group: Group): Grouped[] {
  if (group === "building") {
    const parts = Map.groupBy(tiles, (t) => t.building);
    return board.buildings.flatMap((building, i) => {
      const mine = parts.get(i);
      if (!mine) return [];
      const numberOf = new Map(building.floors.map((f) => [f.id, f.number]));
      const floors = new Set(mine.map((t) => numberOf.get(t.floorId))).size;
      const title = [building.community, building.name].filter(Boolean).join(" ");
      return [
        { key: `b${building.id}`, title, note: `${floors} 层 ${mine.length} 间`, tiles: mine, building },
      ];
    });
  }
  const productOf = new Map(board.products.map((p) => [p.id, p.name]));
  const titleOf = (t: Tile) =>
    group === "product"
      ? (productOf.get(t.productId ?? 0) ?? "未设产品")
      : group === "layout"
        ? t.layout || "未填户型"
        : emptyFor(t, board.day);
  const parts = Map.groupBy(tiles, titleOf);
  const order =
    group === "vacancy" ? [...EMPTY_FOR.map(([, title]) => title), "非空置"] : [...parts.keys()].toSorted();
  return order.flatMap((title) => {
    const mine = parts.get(title);
    return mine ? [{ key: `${group}:${title}`, title, note: `${mine.length} 间`, tiles: mine }] : [];
  });
}

/** The whole board as lines of known heights, so that only the visible ones need to be drawn. */
export function arrange(
  board: Board,
  tiles: readonly Tile[],
  how: { group: Group; folded: ReadonlySet<string>; geometry: Geometry },
): { lines: Line[]; height: number } {
  const g = how.geometry;
  const lines: Line[] = [];
  let top = 0;
  for (const { building, ...section } of sectionsOf(board, tiles, how.group)) {
    lines.push({ kind: "head", key: section.key, top, height: HEAD_HEIGHT, section });
    top += HEAD_HEIGHT;
    if (how.folded.has(section.key)) continue;
    const inside = building
      ? floorsOf(section.tiles, building, g)
      : [{ label: "", lines: wrapped(section.tiles, g) }];
    for (const [f, floor] of inside.entries()) {
      // however many lines a floor takes, choosing it takes all of it
      const all = floor.lines.flatMap((line) => line.map((p) => p.tile.id));
      for (const [i, placed] of floor.lines.entries()) {
        const height = g.tileHeight + g.gap;
        lines.push({
          kind: "tiles",
          key: `${section.key}/${f}.${i}`,
          top,
          height,
          label: i ? "" : floor.label,
          tiles: placed,
          floor: all,
        });
        top += height;
      }
    }
  }
  return { lines, height: top };
}

/** The lines that touch a stretch of the page. */
export function linesBetween(lines: readonly Line[], from: number, to: number): readonly Line[] {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (lines[mid]!.top + lines[mid]!.height <= from) low = mid + 1;
    else high = mid;
  }
  let end = low;
  while (end < lines.length && lines[end]!.top < to) end++;
  return lines.slice(low, end);
}

export type Spot = { line: number; x: number };

/** Where each tile lies, for keys and for finding one. */
export function spotsOf(lines: readonly Line[]): Map<number, Spot> {
  const spots = new Map<number, Spot>();
  for (const [i, line] of lines.entries())
    if (line.kind === "tiles") for (const { tile, x } of line.tiles) spots.set(tile.id, { line: i, x });
  return spots;
}

/** The tile that an arrow key reaches from another: beside it, or nearest above or below. */
export function neighbour(
  lines: readonly Line[],
  spots: ReadonlyMap<number, Spot>,
  from: number,
  key: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown",
): number | undefined {
  const spot = spots.get(from);
  if (!spot) return undefined;
  const line = lines[spot.line];
  if (line?.kind !== "tiles") return undefined;
  const at = line.tiles.findIndex((p) => p.tile.id === from);
  if (key === "ArrowLeft") return line.tiles[at - 1]?.tile.id;
  if (key === "ArrowRight") return line.tiles[at + 1]?.tile.id;
  const step = key === "ArrowUp" ? -1 : 1;
  for (let i = spot.line + step; i >= 0 && i < lines.length; i += step) {
    const other = lines[i]!;
    if (other.kind !== "tiles") continue;
    const best = other.tiles.reduce((a, b) => (Math.abs(b.x - spot.x) < Math.abs(a.x - spot.x) ? b : a));
    return best.tile.id;
  }
  return undefined;
}
