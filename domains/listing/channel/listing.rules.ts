import { addDays, daysBetween, maxDay, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { PayPlan } from "../product/product.rules.ts";
import { layoutText, type PriceUnit } from "../room/words.rules.ts";
import { CONDITIONS, OCCUPANCIES, type Condition, type Occupancy } from "../status/status.rules.ts";
import {
  RETRY_MINUTES,
  type ListingState,
  type MappedKind,
  type Mapping,
  type SendAct,
  type ShowPrice,
} from "./adapter.rules.ts";

/** One leaf of what would be published, as it stands today. */
export type Leaf = {
  name: string;
  occupancy: Occupancy;
  condition: Condition;
  until: Day | null;
  nextFrom: Day | null;
};

export type Facts = {
  roomId: number;
  villageId: number;
  /** "·1203": never leaves the house. */
  fullName: string;
  kind: string;
  productId: number | null;
  village: { name: string; address: string; open: boolean; lng: number | null; lat: number | null };
  floor: string;
  bedrooms: number;
  halls: number;
  baths: number;
  area: string;
  orientation: string;
  facilities: string[];
  description: string;
  pictures: number[];
  price: Fen | null;
  unit: PriceUnit | null;
  payPlans: PayPlan[];
  contact: { name: string; phone: string };
  hold: string;
  leaves: Leaf[];
  own: { title: string | null; description: string | null; pictures: number[] | null };
};

export type Rule = {
  leadDays: number;
  kinds: readonly string[];
  productIds: readonly number[];
  minPictures: number;
  showPrice: ShowPrice;
  /** Whether everything must have its name outside. */
  mapped: boolean;
  mapping: Mapping;
};

/** Whether a channel is about such rooms at all. */
export const inRule = (room: Pick<Facts, "kind" | "productId">, rule: Rule): boolean =>
  (!rule.kinds.length || rule.kinds.includes(room.kind)) &&
  (!rule.productIds.length || (room.productId !== null && rule.productIds.includes(room.productId)));

/** The day from which a leaf is free, as far as the channel looks ahead; or why it is not. */
function freeFrom(leaf: Leaf, today: Day, leadDays: number): { day: Day } | { why: string } {
  const word = OCCUPANCIES[leaf.occupancy][0];
  if (leaf.condition !== "rentable" && leaf.occupancy === "vacant")
    return { why: `${CONDITIONS[leaf.condition][0]}，暂不能出租` };
  if (leaf.occupancy === "vacant") return { day: today };
  if (leaf.occupancy === "holdingOver" || leaf.until === null || leaf.nextFrom !== null)
    return { why: `${word}，未空置` };
  if (!["occupied", "expiring", "leaving"].includes(leaf.occupancy)) return { why: `${word}，未空置` };
  const day = addDays(leaf.until, 1);
  return daysBetween(today, day) <= leadDays
    ? { day }
    : { why: `${word}至 ${leaf.until}，超过可提前发布的 ${leadDays} 天` };
}

const layoutOf = (room: Facts) => layoutText(room);

/** What of a room has no name outside yet. */
function unmapped(room: Facts, rule: Rule): string[] {
  const lacks = (kind: MappedKind, key: string) => key !== "" && !rule.mapping[kind]?.[key];
  return [
    ...(lacks("village", String(room.villageId)) ? [room.village.name] : []),
    ...(lacks("layout", layoutOf(room)) ? [layoutOf(room)] : []),
    ...(lacks("orientation", room.orientation) ? [room.orientation] : []),
    ...room.facilities.filter((name) => lacks("facility", name)),
  ];
}

/** Everything that stands in the way of publishing a room, in the order in which people remove it; and when it is free. */
export function judge(room: Facts, rule: Rule, today: Day): { misses: string[]; availableDay: Day } {
  const misses: string[] = [];
  let availableDay = today;
  for (const leaf of room.leaves) {
    const free = freeFrom(leaf, today, rule.leadDays);
    if ("day" in free) availableDay = maxDay(availableDay, free.day);
    else if (misses.length === 0) misses.push(room.leaves.length > 1 ? `${leaf.name} ${free.why}` : free.why);
  }
  if (!room.leaves.length) misses.push("没有可出租的房间");
  if (!inRule(room, rule)) misses.unshift("不在渠道的发布范围");
  if (room.hold) misses.push(`暂不发布：${room.hold}`);
  if (!room.village.open) misses.push("门店未营业");
  if (room.village.lng === null || room.village.lat === null) misses.push("门店没有地图坐标");
  if (room.price === null) misses.push("没有标价");
  if (picturesOf(room).length < rule.minPictures) misses.push(`缺少图片（至少 ${rule.minPictures} 张）`);
  const missing = rule.mapped ? unmapped(room, rule) : [];
  if (missing.length) misses.push(`未映射 ${missing.length} 项：${missing.slice(0, 3).join("、")}`);
  return { misses, availableDay };
}

const picturesOf = (room: Facts) => room.own.pictures ?? room.pictures;

/** What is shown outside. Pictures are file ids; whoever sends them signs their addresses. */
export type ListingDocument = {
  id: number;
  title: string;
  description: string;
  village: string;
  address: string;
  point: { lng: number; lat: number } | null;
  layout: string;
  area: string;
  floor: string;
  orientation: string;
  facilities: string[];
  price: { amount: Fen; unit: PriceUnit; from: boolean } | null;
  payPlans: { depositMonths: number; payMonths: number; adjustPercent: number }[];
  /** Nothing while it is free already: a day that moves on by itself would be sent anew every day. */
  availableDay: Day | null;
  pictures: number[];
  contact: { name: string; phone: string };
};

/** "滨江店 2室1厅1卫 89.5㎡ 南向", of 5 to 30 characters. */
export function titleOf(room: Facts): string {
  const parts = [
    room.village.name,
    layoutOf(room),
    `${Number(room.area)}㎡`,
    room.orientation && `${room.orientation}向`,
  ];
  return parts.filter(Boolean).join(" ").slice(0, 30).trim();
}

/** Never the name of a tenant, the lowest price or the door. */
export function documentOf(room: Facts, rule: Rule, availableDay: Day, today: Day): ListingDocument {
  const named = (kind: MappedKind, key: string, shown = key) => rule.mapping[kind]?.[key] ?? shown;
  const { lng, lat } = room.village;
  const price = room.price ?? 0;
  return {
    id: room.roomId,
    title: room.own.title ?? titleOf(room),
    description: room.own.description ?? room.description,
    village: named("village", String(room.villageId), room.village.name),
    address: room.village.address,
    point: lng === null || lat === null ? null : { lng, lat },
    layout: named("layout", layoutOf(room)),
    area: String(Number(room.area)),
    floor: room.floor,
    orientation: named("orientation", room.orientation),
    facilities: room.facilities.map((name) => named("facility", name)),
    price:
      rule.showPrice === "none" || room.unit === null
        ? null
        : rule.showPrice === "from"
          ? { amount: Math.max(100, Math.floor(price / 10_000) * 10_000), unit: room.unit, from: true }
          : { amount: price, unit: room.unit, from: false },
    payPlans: room.payPlans.map(({ depositMonths, payMonths, adjustPercent }) => ({
      depositMonths,
      payMonths,
      adjustPercent,
    })),
    availableDay: availableDay > today ? availableDay : null,
    pictures: picturesOf(room),
    contact: room.contact,
  };
}

/** A listing as far as its next state depends on it. */
export type Standing = {
  state: ListingState;
  failedAct: SendAct | null;
  sentHash: string | null;
  contentHash: string;
};
type Next = { state: ListingState; retry: boolean };

/**
 * Where a listing goes now that its room was looked at: what may be published and differs from what was sent is sent,
 * what may not and has been is taken off. `retry` starts the attempts anew.
 */
export function nextState(now: Standing, publishable: boolean, hash: string): Next {
  const { state, failedAct, sentHash, contentHash } = now;
  const shown = sentHash !== null;
  if (!publishable) {
    if (state === "online") return { state: "withdrawing", retry: true };
    if (state === "queued" || (state === "failed" && failedAct !== "withdraw"))
      return shown ? { state: "withdrawing", retry: true } : { state: "pending", retry: true };
    return { state, retry: false };
  }
  if (state === "pending" || state === "offline") return { state: "queued", retry: true };
  if (state === "online")
    return sentHash === hash ? { state, retry: false } : { state: "queued", retry: true };
  if (state === "withdrawing" || (state === "failed" && failedAct === "withdraw"))
    return { state: "queued", retry: true };
  // what could not be sent as it was may well be taken as it is now
  if (state === "failed" && contentHash !== hash) return { state: "queued", retry: true };
  return { state, retry: false };
}

/** What is to be sent of a listing that waits, or nothing. */
export const actOn = ({ state, failedAct, sentHash }: Standing): SendAct | undefined =>
  state === "queued"
    ? sentHash === null
      ? "publish"
      : "update"
    : state === "withdrawing"
      ? "withdraw"
      : state === "failed"
        ? (failedAct ?? undefined)
        : undefined;

/** Minutes after which a send that has failed so often is tried again; after the last attempt, by hand only. */
export const retryMinutes = (tries: number): number | undefined => RETRY_MINUTES[tries - 1];
