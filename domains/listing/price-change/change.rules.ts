import type { Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, type Fen, decimal, halfUp, ratio, times, yuan } from "../../../platform/kernel/fen.ts";
import { type PriceUnit, PRICE_UNITS, wordOf } from "../room/words.rules.ts";
import { type ApplyTo, MOST_ROOMS, type Mode, ROUNDS, type Round, SKIPPED_BY_HAND } from "./words.rules.ts";

/** How prices change. `value` is a percent of at most two decimals, or fen; nothing where old prices come back. */
export type PriceRule = { mode: Mode; value: number | null; applyTo: ApplyTo; round: Round };

const STEP: Record<Round, number> = { fen: 1, jiao: 10, yuan: 100, tenYuan: 1000 };

/** Hundredths of a percent, exactly, of a percent that somebody typed: 3.3 → 330. */
export const hundredths = (percent: number): number => Math.round(percent * 100);

/** The price after the rule, rounded half up: 2,985.50 by +3.3 % to yuan is 3,084.0215, so 3,084.00. */
export function newPrice(old: Fen, { mode, value, round }: PriceRule): Fen {
  const step = STEP[round];
  const given = value ?? 0;
  const exact =
    mode === "percent"
      ? ratio(BigInt(old) * BigInt(10_000 + hundredths(given)), 10_000)
      : ratio(mode === "set" ? given : old + given);
  return halfUp(ratio(exact.n, exact.d * BigInt(step))) * step;
}

/** "+3.3 %，取整到元", "−100.00 元", "统一为 3,000.00 元". */
export function ruleText({ mode, value, round }: PriceRule): string {
  if (mode === "undo" || value === null) return "恢复调整前价格";
  const rounded = round === "fen" ? "" : `，${ROUNDS[round][0]}`;
  if (mode === "set") return `统一为 ${yuan(value)} 元${rounded}`;
  const sign = value < 0 ? "−" : "+";
  const size = Math.abs(value);
  return `${sign}${mode === "percent" ? `${size} %` : `${yuan(size)} 元`}${rounded}`;
}

/** The amount that lowest prices are set to is itself a lowest price: known to those who may see them. */
export const tellsLowest = ({ mode, applyTo }: Pick<PriceRule, "mode" | "applyTo">): boolean =>
  mode === "set" && applyTo === "lowest";
/** The same for whoever may not see lowest prices. */
export const openText = (rule: PriceRule): string => (tellsLowest(rule) ? "统一为指定金额" : ruleText(rule));

/** A price as rent of a month, 365 ÷ 12 days, so that rooms priced by day or area can be added up with others. */
export function monthly(price: Fen, unit: PriceUnit, area: string): Fen {
  if (unit === "month") return price;
  const days = times(ratio(price), ratio(365, 12));
  return halfUp(unit === "day" ? days : times(days, decimal(area)));
}

/** What is known of a room before its price changes. */
export type PricedRoom = {
  roomId: number;
  roomName: string;
  villageId: number;
  area: string;
  unit: PriceUnit | null;
  oldList: Fen | null;
  oldLowest: Fen | null;
  productId: number | null;
  /** Takes the price of its product. */
  followed: boolean;
  vacant: boolean;
  retired: boolean;
  /** Another change that waits or is to come on that day or later. */
  other: string | null;
  /** A price that is set for a later day already. */
  laterDay: Day | null;
  /** What it had before the change that is being undone, and what that change made of it. */
  undone?: (Pair & { unit: PriceUnit; made: Pair }) | undefined;
};
export type Edit = { list?: Fen | undefined; lowest?: Fen | undefined };
export type PriceLine = Omit<PricedRoom, "undone" | "retired" | "other" | "laterDay"> & {
  newList: Fen | null;
  newLowest: Fen | null;
  /** The unit it had until then, where that changes too. */
  oldUnit?: PriceUnit;
  edited: boolean;
  /** Its product gets the new price, and it goes on following. */
  byProduct: boolean;
  skipped: boolean;
  why: string;
  warnings: string[];
};

function whySkipped(room: PricedRoom, byHand: boolean): string {
  if (room.retired) return "房间已注销";
  if (room.oldList === null) return "没有标价";
  if (room.other) return `已在调价单 ${room.other} 中`;
  return byHand ? SKIPPED_BY_HAND : "";
}

/** Whether a price moves by more than half. */
export const beyondHalf = (old: Fen, next: Fen): boolean => Math.abs(next - old) * 2 > old;

type Moved = Pick<PriceLine, "area" | "unit" | "oldUnit" | "oldList" | "oldLowest" | "newList" | "newLowest">;
/** The same of a line; prices of different units are compared by the month. */
function movesMuch({ area, unit, oldUnit, ...line }: Moved): boolean {
  const moves = (old: Fen | null, next: Fen | null) =>
    oldUnit && unit
      ? beyondHalf(monthly(old ?? 0, oldUnit, area), monthly(next ?? 0, unit, area))
      : beyondHalf(old ?? 0, next ?? 0);
  return moves(line.oldList, line.newList) || moves(line.oldLowest, line.newLowest);
}

export type Pair = { list: Fen; lowest: Fen };
/** List and lowest price after the rule; what it is not applied to stays. */
export const newPair = (old: Pair, rule: PriceRule): Pair => ({
  list: rule.applyTo === "lowest" ? old.list : newPrice(old.list, rule),
  lowest: rule.applyTo === "list" ? old.lowest : newPrice(old.lowest, rule),
});

/** What was before comes back: only the price that was changed then, and both where the unit is another one since. */
function broughtBack(old: Pair, unit: PriceUnit | null, undone: NonNullable<PricedRoom["undone"]>): Pair {
  const { list, lowest, made } = undone;
  if (undone.unit !== unit) return { list, lowest };
  return {
    list: list === made.list ? old.list : list,
    lowest: lowest === made.lowest ? old.lowest : lowest,
  };
}

export const UNCHANGED = "价格不变";
export const BECOMES_OWN = "将改为自有价格";
export const CHANGED_SINCE = "之后又改过价";

const laterText = (day: Day) => `${day} 起另有价格`;

/** One room's old and new price, why it is left out, and what is worth a look. The unit stays unless another is given or comes back. */
export function lineOf(
  room: PricedRoom,
  rule: PriceRule,
  edit: Edit | undefined,
  byHand: boolean,
  given?: PriceUnit,
): PriceLine {
  const { undone: before, retired: _, other: _1, laterDay, ...known } = room;
  const undone = rule.mode === "undo" ? before : undefined;
  const why = whySkipped(room, byHand);
  const old = { list: room.oldList ?? 0, lowest: room.oldLowest ?? 0 };
  const ruled = undone ? broughtBack(old, room.unit, undone) : newPair(old, rule);
  const [newList, newLowest] = [edit?.list ?? ruled.list, edit?.lowest ?? ruled.lowest];
  const unit = given ?? undone?.unit ?? room.unit;
  const otherUnit =
    unit !== null && room.unit !== null && unit !== room.unit ? { unit, oldUnit: room.unit } : undefined;
  const same = !why && newList === old.list && newLowest === old.lowest && !otherUnit;
  const skipped = why !== "" || same;
  if (room.oldList === null)
    return {
      ...known,
      newList: null,
      newLowest: null,
      edited: false,
      byProduct: false,
      skipped,
      why,
      warnings: [],
    };
  const warnings = skipped
    ? []
    : [
        newLowest > newList && "底价高于标价",
        movesMuch({ ...known, ...otherUnit, newList, newLowest }) && "调整超过 50%",
        undone && (old.list !== undone.made.list || old.lowest !== undone.made.lowest) && CHANGED_SINCE,
        otherUnit && `计价单位变为${wordOf(PRICE_UNITS, otherUnit.unit)}`,
        room.followed && BECOMES_OWN,
        laterDay && laterText(laterDay),
      ].filter((w): w is string => Boolean(w));
  return {
    ...known,
    ...otherUnit,
    newList,
    newLowest,
    edited: edit !== undefined,
    byProduct: false,
    skipped,
    why: same ? UNCHANGED : why,
    warnings,
  };
}

export type Totals = {
  rooms: number;
  skipped: number;
  oldSum: Fen;
  newSum: Fen;
  oldAverage: Fen | null;
  newAverage: Fen | null;
  effect: Fen;
  /** Rooms whose price moves by more than half: somebody has to have looked. */
  beyond: number;
  /** Why it cannot be confirmed as it is. */
  problems: string[];
};

export function totalsOf(lines: readonly PriceLine[]): Totals {
  const taken = lines.filter((line) => !line.skipped);
  let [oldSum, newSum, effect, beyond, above, none, large] = [0, 0, 0, 0, 0, 0, 0];
  for (const line of taken) {
    const [list, lowest] = [line.newList!, line.newLowest!];
    const before = monthly(line.oldList!, line.oldUnit ?? line.unit!, line.area);
    const after = monthly(list, line.unit!, line.area);
    oldSum += before;
    newSum += after;
    if (line.vacant) effect += after - before;
    if (movesMuch(line)) beyond++;
    if (list <= 0 || lowest <= 0) none++;
    else if (lowest > list) above++;
    if (list > AMOUNT_MAX) large++;
  }
  const n = taken.length;
  return {
    rooms: n,
    skipped: lines.length - n,
    oldSum,
    newSum,
    oldAverage: n ? halfUp(ratio(oldSum, n)) : null,
    newAverage: n ? halfUp(ratio(newSum, n)) : null,
    effect,
    beyond,
    problems: [
      !lines.length
        ? "没有符合条件的房间"
        : n > MOST_ROOMS
          ? `一次最多调整${MOST_ROOMS}间，请缩小范围`
          : !n && "所选房间全部跳过，没有可调整的房间",
      none > 0 && `调整后价格须大于0：${none} 间`,
      large > 0 && `调整后金额过大：${large} 间`,
      above > 0 && `调整后底价高于标价：${above} 间`,
    ].filter((p): p is string => Boolean(p)),
  };
}

/** By how much prices move on the whole, in percent of two decimals. */
export const percentOf = ({ oldSum, newSum }: Pick<Totals, "oldSum" | "newSum">): number =>
  oldSum ? Math.round((Math.abs(newSum - oldSum) * 10_000) / oldSum) / 100 : 0;

/** The least step of a scale, of 100 yuan or more, that lays the prices into at most twelve bars. */
function stepFor(span: Fen): Fen {
  for (let step = 10_000; ; step *= 10)
    for (const times of [1, 2, 5]) if (span / (step * times) <= 11) return step * times;
}

/** How many rooms have which price, before and after. */
export function histogram(lines: readonly Pick<PriceLine, "oldList" | "newList" | "skipped">[]): {
  labels: string[];
  before: number[];
  after: number[];
} {
  const taken = lines.filter((line) => !line.skipped);
  if (!taken.length) return { labels: [], before: [], after: [] };
  let [low, high] = [Infinity, -Infinity];
  for (const line of taken) {
    low = Math.min(low, line.oldList!, line.newList!);
    high = Math.max(high, line.oldList!, line.newList!);
  }
  const step = stepFor(high - low);
  const first = Math.floor(low / step);
  const bars = Math.floor(high / step) - first + 1;
  const count = (key: "oldList" | "newList") => {
    const counts = Array.from({ length: bars }, () => 0);
    for (const line of taken) counts[Math.floor(line[key]! / step) - first]! += 1;
    return counts;
  };
  return {
    labels: Array.from({ length: bars }, (_, i) => String(((first + i) * step) / 100)),
    before: count("oldList"),
    after: count("newList"),
  };
}

/** A product with its price on a day: one for all stores, and others for the stores that differ. */
export type PricedProduct = {
  id: number;
  name: string;
  unit: PriceUnit;
  /** Rooms that follow it, wherever they are. */
  following: number;
  prices: (Pair & { villageId: number | null })[];
};
export type ProductChange = {
  id: number;
  name: string;
  unit: PriceUnit;
  rooms: number;
  prices: PricedProduct["prices"];
};

/**
 * Products of which every following room is in the change at the product's own price: they can get the new price
 * themselves. Rooms that were left out or priced by hand keep their product from it.
 */
export function wholeProducts(
  lines: readonly PriceLine[],
  products: readonly PricedProduct[],
  rule: PriceRule,
): ProductChange[] {
  if (rule.mode === "undo") return [];
  return products.flatMap(({ following, prices, ...product }) => {
    const mine = lines.filter((l) => l.productId === product.id && l.followed && !l.skipped && !l.edited);
    const general = prices.find((p) => p.villageId === null);
    const priceIn = (villageId: number) => prices.find((p) => p.villageId === villageId) ?? general;
    const same = (l: PriceLine) =>
      priceIn(l.villageId)?.list === l.oldList && priceIn(l.villageId)?.lowest === l.oldLowest;
    const next = prices.map(({ villageId, ...old }) => ({ villageId, ...newPair(old, rule) }));
    const sound = next.every((p) => p.lowest > 0 && p.lowest <= p.list && p.list <= AMOUNT_MAX);
    return general && mine.length > 0 && mine.length === following && mine.every(same) && sound
      ? [{ ...product, rooms: mine.length, prices: next }]
      : [];
  });
}

/** Their rooms go on following. */
export const byProducts = (lines: readonly PriceLine[], products: readonly ProductChange[]): PriceLine[] => {
  const ids = new Set<number | null>(products.map((p) => p.id));
  return lines.map((line) =>
    !line.skipped && line.followed && ids.has(line.productId)
      ? { ...line, byProduct: true, warnings: line.warnings.filter((w) => w !== BECOMES_OWN) }
      : line,
  );
};

type Amounts = { listPrice: Fen; lowestPrice: Fen };
export type RoomGiven = Amounts & { kind: "room"; roomId: number; effectiveDay: Day; unit: PriceUnit };
export type FollowGiven = { kind: "follow"; roomId: number; effectiveDay: Day };
export type ProductGiven = Amounts & {
  kind: "product";
  productId: number;
  effectiveDay: Day;
  /** Stores that differ from all others. */
  villages: readonly (Amounts & { villageId: number })[];
};
/** Prices that somebody typed for one room or one product, instead of a rule for many rooms. */
export type Given = RoomGiven | FollowGiven | ProductGiven;

type Room = PricedRoom & { undone?: unknown };

/** A room's line with a price of its own; the unit may change with it. */
export const roomLine = (
  room: Room,
  { unit, listPrice, lowestPrice }: Amounts & { unit: PriceUnit },
): PriceLine => ({
  ...lineOf(
    { ...room, undone: undefined, other: null },
    { mode: "set", value: listPrice, applyTo: "both", round: "fen" },
    { list: listPrice, lowest: lowestPrice },
    false,
    unit,
  ),
  edited: false,
});

/** A room's line at the price of its product; it follows, whether from now on or as before. */
export function productLine(room: Room, unit: PriceUnit, amounts: Amounts): PriceLine {
  const line = roomLine(room, { ...amounts, unit });
  return { ...line, byProduct: true, warnings: line.warnings.filter((w) => w !== BECOMES_OWN) };
}

/** A room that begins to follow its product; what was set for it for later days goes. */
export const followLine = (line: PriceLine, { laterDay }: Pick<PricedRoom, "laterDay">): PriceLine => ({
  ...line,
  warnings: [
    ...line.warnings.filter((w) => laterDay === null || w !== laterText(laterDay)),
    ...(laterDay === null ? [] : [`${laterDay} 起另定的价格将取消`]),
  ],
});

/** What a product asks in a store. */
export const priceIn = (given: ProductGiven, villageId: number): Amounts =>
  given.villages.find((v) => v.villageId === villageId) ?? given;

type Standing = { villageId: number | null; list: Fen; lowest: Fen };
/** The largest move among the prices of a product itself, in percent: one without rooms moves too. */
export function productMove(given: ProductGiven, before: readonly Standing[]): number {
  const general = before.find((p) => p.villageId === null);
  const moves = [{ villageId: null, listPrice: given.listPrice }, ...given.villages].map((next) => {
    const old = before.find((p) => p.villageId === next.villageId) ?? general;
    return old ? percentOf({ oldSum: old.list, newSum: next.listPrice }) : 0;
  });
  return Math.max(...moves);
}

const inUnit = (fen: Fen, unit: string) => `${yuan(fen)} ${wordOf(PRICE_UNITS, unit)}`;

/** "3,150.00 元/月", "跟随产品 雅致一居，3,000.00 元/月", "标价 3,150.00 元/月，2 个门店另定". */
export const roomText = (given: RoomGiven): string => inUnit(given.listPrice, given.unit);
export const followText = (name: string, line: PriceLine): string =>
  `跟随产品 ${name}，${inUnit(line.newList ?? 0, line.unit ?? "month")}`;
export const productText = (given: ProductGiven, unit: string): string =>
  `标价 ${inUnit(given.listPrice, unit)}${given.villages.length ? `，${given.villages.length} 个门店另定` : ""}`;
