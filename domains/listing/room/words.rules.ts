import { type Fen, decimal, halfUp, ratio, times } from "../../../platform/kernel/fen.ts";
import { type Words, plainWords, type FieldMeta, freely, input } from "../../../platform/kernel/field.ts";
import { z } from "zod";
import { area } from "../../../platform/kernel/numbers.ts";

/** How a flat is let. */
export const RENT_MODES = plainWords({
  whole: "整租",
  shared: "合租",
  bed: "床位",
  shop: "商铺",
  parking: "车位",
  storage: "仓储",
});
export type RentMode = keyof typeof RENT_MODES;

/** What is let. */
export const ROOM_KINDS = plainWords({
  whole: "整租",
  room: "合租",
  bed: "床位",
  shop: "商铺",
  parking: "车位",
  storage: "仓储",
});
export type RoomKind = keyof typeof ROOM_KINDS;

export const GENDERS = plainWords({ any: "不限", male: "限男", female: "限女" });
export type Gender = keyof typeof GENDERS;

export const PRICE_UNITS = plainWords({ month: "元/月", day: "元/天", sqmDay: "元/㎡·天" });
export type PriceUnit = keyof typeof PRICE_UNITS;

export const PRICE_MODES = plainWords({ own: "自有价格", follow: "跟随产品" });

export const PRICE_SOURCES = plainWords({
  product: "产品价",
  manual: "单间改价",
  batch: "调价单",
  import: "批量导入",
});

export const BLOCK_REASONS = plainWords({
  maintenance: "维修",
  fitOut: "装修",
  offline: "停用",
  selfUse: "自用",
  sample: "样板",
});
export type BlockReason = keyof typeof BLOCK_REASONS;

/** 2室1厅1卫; empty for shops and parking spaces, and where nothing is known. */
export const layoutText = (a: { bedrooms: number; halls: number; baths: number }): string =>
  a.bedrooms || a.halls ? `${a.bedrooms}室${a.halls}厅${a.baths}卫` : "";

/** The kind of the rooms that a flat of this mode is let by. */
export const kindOf = (mode: RentMode): RoomKind => (mode === "shared" ? "room" : mode);
/** Flats of these modes are divided; the others have one room with the name of the door. */
export const isDivided = (mode: RentMode): boolean => mode === "shared" || mode === "bed";

/** The text of a word: wordOf(ROOM_KINDS, "bed") → 床位. */
export const wordOf = (words: Words, key: string): string => words[key]?.[0] ?? key;

/** Layouts to filter by, by their bedrooms. */
export const BEDROOMS = plainWords({ 0: "无卧室", 1: "1室", 2: "2室", 3: "3室", 4: "4室", 5: "5室" });

/** A price as rent of a month, to set beside what was agreed: 365 ÷ 12 days. */
export function monthlyPrice(price: Fen | null, unit: PriceUnit | null, area: string | null): Fen | null {
  if (price === null || unit === null) return null;
  if (unit === "month") return price;
  const days = times(ratio(price), ratio(365, 12));
  if (unit === "day") return halfUp(days);
  return area === null ? null : halfUp(times(days, decimal(area)));
}

/** A word of the house dictionary, or none; the server looks whether it is offered. */
export const wordOrNone = (title: string) =>
  freely(
    z
      .string({ error: `请选择${title}` })
      .trim()
      .max(20, `请选择${title}`),
  )
    .default("")
    .meta({ title, kind: "text" });

/** Facilities of the dictionary. */
export const facilityWords = z
  .array(input("设施", 1, 20))
  .max(50, "设施最多50项")
  .meta({ title: "设施", kind: "text" });

const meta = (title: string): FieldMeta => ({ title, kind: "number", unit: "㎡" });

/** Square metres that somebody types: 0.01 to 999999.99. */
export const areaInput = (title: string) =>
  z
    .number({ error: ({ input }) => (input === undefined ? `请输入${title}` : "面积格式不正确") })
    .refine((value) => area(String(value)) === undefined, "面积格式不正确")
    .meta(meta(title));

/** Square metres in a reply. The database keeps them as decimals and gives them as text. */
export const areaOf = (title: string) => z.coerce.number().meta(meta(title));
