import type { Day } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { PRICE_UNITS, wordOf, type PriceUnit } from "../room/words.rules.ts";
import {
  BECOMES_OWN,
  lineOf,
  percentOf,
  UNCHANGED,
  type PricedRoom,
  type PriceLine,
} from "./change.rules.ts";

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

const typed = (room: Room, { listPrice, lowestPrice }: Amounts): PriceLine => ({
  ...lineOf(
    { ...room, undone: undefined, other: null },
    { mode: "set", value: listPrice, applyTo: "both", round: "fen" },
    { list: listPrice, lowest: lowestPrice },
    false,
  ),
  edited: false,
});

/** A room's line with a price of its own; the unit may change with it. */
export function roomLine(room: Room, { unit, ...amounts }: Amounts & { unit: PriceUnit }): PriceLine {
  const line = typed(room, amounts);
  if (line.oldList === null || room.unit === null || unit === room.unit) return line;
  const taken = line.why === UNCHANGED ? { skipped: false, why: "" } : {};
  return { ...line, ...taken, unit, oldUnit: room.unit };
}

/** A room's line at the price of its product; it follows, whether from now on or as before. */
export function productLine(room: Room, unit: PriceUnit, amounts: Amounts): PriceLine {
  const line = roomLine(room, { ...amounts, unit });
  return { ...line, byProduct: true, warnings: line.warnings.filter((w) => w !== BECOMES_OWN) };
}

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
