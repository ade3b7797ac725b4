import type { z } from "zod";
import { type Day, addDays, lastOf, monthOf } from "../../../platform/kernel/day.ts";
import { type Tile, isBase, isLet, vacantDays } from "./board.rules.ts";
import type { boardSummary } from "../status/overview.contract.ts";
import {
  CONDITIONS,
  CONDITION_KEYS,
  type Condition,
  FLAGS,
  FLAG_KEYS,
  type Flag,
  OCCUPANCIES,
  OCCUPANCY_KEYS,
  type Occupancy,
  flagsOf,
  vacancyRate,
} from "../status/status.rules.ts";

/** What of a board is to be seen. Choices of one kind are alternatives; kinds narrow each other. */
export type Sieve = {
  occ: readonly string[];
  cond: readonly string[];
  flag: readonly string[];
  /** Places in the board's list of buildings. */
  buildings: readonly number[];
  units: readonly number[];
  /** Numbers of floors, in whatever building. */
  floors: readonly number[];
  kinds: readonly string[];
  products: readonly number[];
  layouts: readonly string[];
  tags: readonly string[];
  gender: readonly string[];
  areaFrom?: number;
  areaTo?: number;
  /** Fen. */
  priceFrom?: number;
  priceTo?: number;
  vacantFrom?: number;
  endsWithin?: number;
  /** Only rooms that count as empty: those that could be let and are not, as the vacancy rate has them. */
  empty?: boolean;
};

const list = (params: URLSearchParams, key: string) => params.get(key)?.split(",").filter(Boolean) ?? [];
/** Of the words in an address those that there are: one that is mistyped narrows nothing, as no chip would show it. */
const known = (params: URLSearchParams, key: string, keys: readonly string[]) =>
  list(params, key).filter((word) => keys.includes(word));
const number = (params: URLSearchParams, key: string) => {
  const value = Number(params.get(key));
  return params.get(key) && Number.isFinite(value) ? value : undefined;
};

/** Keys of the address beside the three axes, for clearing them together. */
export const MORE_KEYS = [
  "buildings",
  "units",
  "floors",
  "kinds",
  "products",
  "layouts",
  "tags",
  "gender",
  "areaFrom",
  "areaTo",
  "priceFrom",
  "priceTo",
  "vacantFrom",
  "endsWithin",
  "empty",
] as const;

/** The sieve as it stands in the address. */
export function sieveOf(params: URLSearchParams): Sieve {
  const sieve: Sieve = {
    occ: known(params, "occ", OCCUPANCY_KEYS),
    cond: known(params, "cond", CONDITION_KEYS),
    flag: known(params, "flag", FLAG_KEYS),
    buildings: list(params, "buildings").map(Number),
    units: list(params, "units").map(Number),
    floors: list(params, "floors").map(Number),
    kinds: list(params, "kinds"),
    products: list(params, "products").map(Number),
    layouts: list(params, "layouts"),
    tags: list(params, "tags"),
    gender: list(params, "gender"),
  };
  for (const key of ["areaFrom", "areaTo", "priceFrom", "priceTo", "vacantFrom", "endsWithin"] as const) {
    const value = number(params, key);
    if (value !== undefined) sieve[key] = value;
  }
  if (params.get("empty") === "1") sieve.empty = true;
  return sieve;
}

const among = <T>(wanted: readonly T[], value: T) => wanted.length === 0 || wanted.includes(value);

/** The number of each floor of the buildings, by its id. */
export const floorNumbers = (
  buildings: readonly { floors: readonly { id: number; number: number }[] }[],
): ReadonlyMap<number, number> => new Map(buildings.flatMap((b) => b.floors.map((f) => [f.id, f.number])));

/** Everything that a room must meet beside the three axes. `floorOf` as floorNumbers gives it. */
export function passesMore(tile: Tile, s: Sieve, day: Day, floorOf: ReadonlyMap<number, number>): boolean {
  if (!among(s.buildings, tile.building) || !among(s.kinds, tile.kind) || !among(s.layouts, tile.layout))
    return false;
  if (!among(s.gender, tile.gender)) return false;
  if (s.units.length && !s.units.includes(tile.unitId ?? 0)) return false;
  if (s.floors.length && !s.floors.includes(floorOf.get(tile.floorId) ?? 0)) return false;
  if (s.products.length && !s.products.includes(tile.productId ?? 0)) return false;
  if (s.tags.length && !s.tags.some((tag) => tile.tags.includes(tag))) return false;
  if (s.areaFrom !== undefined && tile.area < s.areaFrom) return false;
  if (s.areaTo !== undefined && tile.area > s.areaTo) return false;
  if (s.priceFrom !== undefined && (tile.listPriceFen ?? 0) < s.priceFrom) return false;
  if (s.priceTo !== undefined && (tile.listPriceFen ?? Infinity) > s.priceTo) return false;
  if (s.empty && (!isBase(tile) || isLet(tile))) return false;
  if (s.vacantFrom !== undefined && (vacantDays(tile, day) ?? -1) < s.vacantFrom) return false;
  if (s.endsWithin !== undefined) {
    const ends = isLet(tile) && tile.until !== null && tile.until <= addDays(day, s.endsWithin);
    if (!ends) return false;
  }
  return true;
}

const zeros = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;

export type Tally = {
  shown: Tile[];
  /** Rooms of the same place and kind, whatever their status: what the figures are over. */
  stock: Tile[];
  /** Rooms per value; each axis is counted without its own choice, so that another can be seen to be worth choosing. */
  occ: Record<Occupancy, number>;
  cond: Record<Condition, number>;
  flag: Record<Flag, number>;
};

export function tally(
  tiles: readonly Tile[],
  s: Sieve,
  day: Day,
  floorOf: ReadonlyMap<number, number> = new Map(),
): Tally {
  const counts: Tally = {
    shown: [],
    stock: [],
    occ: zeros(OCCUPANCY_KEYS),
    cond: zeros(CONDITION_KEYS),
    flag: zeros(FLAG_KEYS),
  };
  const { empty: _, vacantFrom: __, endsWithin: ___, ...ofPlace } = s;
  for (const tile of tiles) {
    if (passesMore(tile, ofPlace, day, floorOf)) counts.stock.push(tile);
    if (!passesMore(tile, s, day, floorOf)) continue;
    const flags = flagsOf(tile.flags);
    const occ = among(s.occ, tile.occupancy as string);
    const cond = among(s.cond, tile.condition as string);
    const flag = s.flag.length === 0 || flags.some((f) => s.flag.includes(f));
    if (cond && flag) counts.occ[tile.occupancy]++;
    if (occ && flag) counts.cond[tile.condition]++;
    if (occ && cond) for (const f of flags) counts.flag[f]++;
    if (occ && cond && flag) counts.shown.push(tile);
  }
  return counts;
}

export type Figures = {
  total: number;
  base: number;
  let: number;
  vacancy: number | null;
  arrearsRooms: number;
  arrearsFen: number;
  endsThisMonth: number;
};

/** The figures over rooms; a share of empty ones says nothing over empty ones alone. */
export function figuresOf(tiles: readonly Tile[], day: Day): Figures {
  const lastDay = lastOf(monthOf(day));
  const sums = { base: 0, let: 0, arrearsRooms: 0, arrearsFen: 0, endsThisMonth: 0 };
  for (const tile of tiles) {
    if (isBase(tile)) sums.base++;
    if (isLet(tile)) sums.let++;
    if (flagsOf(tile.flags).includes("arrears")) sums.arrearsRooms++;
    sums.arrearsFen += tile.arrearsFen;
    if (isLet(tile) && tile.until && tile.until >= day && tile.until <= lastDay) sums.endsThisMonth++;
  }
  return { total: tiles.length, ...sums, vacancy: vacancyRate(sums) };
}

const bare = (text: string) => text.toLowerCase().replaceAll(/[\s·-]/g, "");

/** What is typed, met by the door with or without its building, the tags, the tenant's name or its initials. */
export function finds(tile: Tile, typed: string, building = ""): boolean {
  const text = typed.trim().toLowerCase();
  if (!text) return false;
  const plain = bare(text);
  return (
    (plain !== "" && bare(`${building}${tile.name}`).includes(plain)) ||
    tile.tags.some((tag) => tag.toLowerCase().includes(text)) ||
    (tile.partyName ?? "").toLowerCase().includes(text) ||
    (/^[a-z]+$/.test(text) && (tile.partyInitials ?? "").startsWith(text))
  );
}

export type Counts = z.output<typeof boardSummary.reply>["sums"];
type Wanted = { title: string; of: (counts: Counts) => number };

const wordsOf = (words: Record<string, readonly [string, ...unknown[]]>, keys: readonly string[]) =>
  keys.map((key) => words[key]?.[0] ?? key).join("、");

/**
 * How many rooms of a village a filter of the board would show. Undefined where nothing is filtered, or where the kept
 * counts cannot tell: of two axes at once, and of flags other than arrears.
 */
export function chosenCount({
  occ,
  cond,
  flag,
  empty,
}: Pick<Sieve, "occ" | "cond" | "flag" | "empty">): Wanted | undefined {
  const axes = [occ, cond, flag].filter((keys) => keys.length).length;
  if (empty) return axes ? undefined : { title: "未出租", of: (counts) => counts.base - counts.let };
  if (axes !== 1) return undefined;
  const sum = (keys: readonly (Occupancy | Condition)[]) => (counts: Counts) =>
    keys.reduce((n, key) => n + (counts[key] ?? 0), 0);
  if (occ.length) return { title: wordsOf(OCCUPANCIES, occ), of: sum(occ as Occupancy[]) };
  if (cond.length) return { title: wordsOf(CONDITIONS, cond), of: sum(cond as Condition[]) };
  return flag.length === 1 && flag[0] === "arrears"
    ? { title: FLAGS.arrears[0], of: (counts) => counts.arrearsRooms }
    : undefined;
}
