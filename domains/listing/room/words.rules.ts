import { type Fen, decimal, halfUp, ratio, times } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";

/** How a flat is let. */
export const RENT_MODES = {
  whole: ["整租", "grey"],
  shared: ["合租", "grey"],
  bed: ["床位", "grey"],
  shop: ["商铺", "grey"],
  parking: ["车位", "grey"],
  storage: ["仓储", "grey"],
} as const satisfies Words;
export type RentMode = keyof typeof RENT_MODES;

/** What is let. */
export const ROOM_KINDS = {
  whole: ["整租", "grey"],
  room: ["合租", "grey"],
  bed: ["床位", "grey"],
  shop: ["商铺", "grey"],
  parking: ["车位", "grey"],
  storage: ["仓储", "grey"],
} as const satisfies Words;
export type RoomKind = keyof typeof ROOM_KINDS;

export const GENDERS = {
  any: ["不限", "grey"],
  male: ["限男", "grey"],
  female: ["限女", "grey"],
} as const satisfies Words;
export type Gender = keyof typeof GENDERS;

export const PRICE_UNITS = {
  month: ["元/月", "grey"],
  day: ["元/天", "grey"],
  sqmDay: ["元/㎡·天", "grey"],
} as const satisfies Words;
export type PriceUnit = keyof typeof PRICE_UNITS;

export const PRICE_MODES = {
  own: ["自有价格", "grey"],
  follow: ["跟随产品", "grey"],
} as const satisfies Words;

export const PRICE_SOURCES = {
  product: ["产品价", "grey"],
  manual: ["单间改价", "grey"],
  batch: ["调价单", "grey"],
  import: ["批量导入", "grey"],
} as const satisfies Words;

export const BLOCK_REASONS = {
  maintenance: ["维修", "grey"],
  fitOut: ["装修", "grey"],
  offline: ["停用", "grey"],
  selfUse: ["自用", "grey"],
  sample: ["样板", "grey"],
} as const satisfies Words;
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
export const BEDROOMS = {
  0: ["无卧室", "grey"],
  1: ["1室", "grey"],
  2: ["2室", "grey"],
  3: ["3室", "grey"],
  4: ["4室", "grey"],
  5: ["5室", "grey"],
} as const;

/** A price as rent of a month, to set beside what was agreed: 365 ÷ 12 days. */
export function monthlyPrice(price: Fen | null, unit: PriceUnit | null, area: string | null): Fen | null {
  if (price === null || unit === null) return null;
  if (unit === "month") return price;
  const days = times(ratio(price), ratio(365, 12));
  if (unit === "day") return halfUp(days);
  return area === null ? null : halfUp(times(days, decimal(area)));
}
