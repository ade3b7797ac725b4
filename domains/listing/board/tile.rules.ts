import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Group } from "./arrange.rules.ts";
import { type Tile, daysShown, isBase, vacantDays } from "./board.rules.ts";
import { CHARACTER, CONDITIONS, FLAGS, FLAG_KEYS, OCCUPANCIES, flagsOf } from "../status/status.rules.ts";

export type Density = "l" | "m" | "s";
export const DENSITIES = { l: "大", m: "中", s: "小" } as const;

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);

/** The tile's name for everybody: 1203-A 在租 待保洁 欠费. */
export const tileName = (tile: Tile): string =>
  [
    tile.name,
    OCCUPANCIES[tile.occupancy][0],
    tile.condition === "rentable" ? "" : CONDITIONS[tile.condition][0],
    ...flagsOf(tile.flags).map((flag) => FLAGS[flag][0]),
  ]
    .filter(Boolean)
    .join(" ");

/** The one character: the condition's when it is not plainly rentable, else the occupancy's. */
export const tileCharacter = (tile: Tile): string =>
  CHARACTER[tile.condition === "rentable" ? tile.occupancy : tile.condition];

const days = (n: number | null) => (n === null ? "" : `${n} 天`);
/** Whole yuan where there is no room for more. */
const short = (fen: number) => yuan(fen).replace(/\.00$/, "");
const next = (tile: Tile) => (tile.nextFrom ? `→${tile.nextFrom.slice(5)}` : "");

/** The day on which somebody who is not in yet will come. */
const arrives = (tile: Tile) =>
  (tile.occupancy === "reserved" || tile.occupancy === "toMoveIn") && tile.since
    ? `→${tile.since.slice(5)}`
    : next(tile);

function who(tile: Tile, day: Day): string {
  if (tile.condition === "maintenance")
    return tile.blockedUntil ? `至 ${tile.blockedUntil.slice(5)}` : "维修中";
  if (tile.condition === "offline") return "停用";
  if (tile.condition === "selfUse") return "自用/样板";
  const empty = vacantDays(tile, day);
  return empty === null ? (tile.partyName ?? "") : `空置 ${empty} 天`;
}

function lastLine(tile: Tile): string {
  if (tile.condition === "offline" || tile.condition === "selfUse") return "";
  if (tile.occupancy === "vacant") return tile.listPriceFen === null ? "" : yuan(tile.listPriceFen);
  return tile.occupancy === "reserved" || tile.occupancy === "toMoveIn" || !tile.until
    ? ""
    : `至 ${tile.until}`;
}

/** The last four characters; of a flat the door, not how many of its rooms are let. */
const shortName = (tile: Tile) => (tile.name.split(" ")[0] ?? "").slice(-4);

const flagMarks = (tile: Tile): string => {
  const has = flagsOf(tile.flags);
  if (!has.length) return "";
  const marks = FLAG_KEYS.filter((flag) => flag !== "deviceOffline").map(
    (flag) =>
      `<i class="s-${FLAGS[flag][1]}${has.includes(flag) ? (flag === has[0] ? " first" : "") : " no-f"}">${CHARACTER[flag]}</i>`,
  );
  return `<span class="fs">${marks.join("")}</span>`;
};

/**
 * A tile as markup. Thousands of them come and go while somebody scrolls, which only plain text does fast enough; every
 * word in it is escaped.
 */
export function tileHtml(
  tile: Tile,
  x: number,
  how: { tint: string; density: Density; day: Day; width: number; moved: boolean },
): string {
  const classes = `tile ${how.tint} c-${tile.condition}${how.moved ? " moved" : ""}`;
  const open = `<button type="button" tabindex="-1" class="${classes}" data-id="${tile.id}" style="left:${x}px;width:${how.width}px" aria-label="${escaped(tileName(tile))}">`;
  if (how.density === "s") {
    const [flag] = flagsOf(tile.flags);
    const dot = flag ? `<u class="s-${FLAGS[flag][1]}"></u>` : "";
    return `${open}${escaped(shortName(tile))}${dot}</button>`;
  }
  const head = `<span class="no">${escaped(tile.name)}<i>${tileCharacter(tile)}</i></span>`;
  const middle =
    how.density === "l"
      ? `<span class="l">${escaped([tile.layout, `${tile.area}㎡`].filter(Boolean).join(" "))}</span><span class="l">${escaped(who(tile, how.day))}</span>`
      : "";
  const left = days(daysShown(tile, how.day));
  const price = tile.occupancy === "vacant" && isBase(tile) ? tile.listPriceFen : null;
  const [first, second] =
    how.density === "l"
      ? [lastLine(tile), arrives(tile)]
      : price === null
        ? [left, arrives(tile)]
        : [short(price), arrives(tile) || left];
  const line = `<span class="dy"><span>${first}</span><span>${second}</span></span>`;
  return `${open}${head}${middle}${line}${flagMarks(tile)}</button>`;
}

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
