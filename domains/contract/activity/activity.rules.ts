import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { type Words, plainWords } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { FROZEN } from "../../approval/examine/engine.rules.ts";
import { ROOM_KINDS, type RoomKind } from "../../listing/room/words.rules.ts";
import { planBills } from "../schedule/bills.rules.ts";
import type { Plan } from "../schedule/line.rules.ts";
import { endAfter } from "../schedule/months.rules.ts";
import type { CycleMonths, ScheduleDiscount, ScheduleInput } from "../schedule/terms.rules.ts";
import { type ContractKind, KIND_WORDS, KINDS } from "../terms/kind.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";

export const ACTIVITY_KINDS = plainWords({ percent: "折扣", amount: "立减", firstMonths: "免首月" });
export type ActivityKind = keyof typeof ACTIVITY_KINDS;
export const APPLIES_TO = plainWords({ rent: "租金", fees: "费用" });
export const OFFER_SOURCES = plainWords({ new: "新签", renewal: "续租" });
export type OfferSource = keyof typeof OFFER_SOURCES;
export const OFFER_CYCLES = plainWords({
  "1": "月付",
  "2": "两月付",
  "3": "季付",
  "6": "半年付",
  "12": "年付",
  "0": "一次性付清",
});
export { ROOM_KINDS };

/** 审批中 is no state of its own: a draft whose switching on waits for approval. */
export const ACTIVITY_STATES = {
  draft: ["草稿", "grey"],
  approving: ["审批中", "blue"],
  enabled: ["已启用", "green"],
  disabled: ["已停用", "orange"],
  ended: ["已结束", "grey"],
} as const satisfies Words;
export type ActivityState = keyof typeof ACTIVITY_STATES;

/** What an offer gives. Percent, fen or months, as its kind says. */
export type Content = {
  kind: ActivityKind;
  /** Percent taken off: 5 is what people call 95 折. One decimal. */
  percent?: number | null | undefined;
  amount?: Fen | null | undefined;
  months?: number | null | undefined;
  everyMonth: boolean;
  appliesTo: "rent" | "fees";
  feeIds: readonly number[];
  monthFrom: number;
  monthTo?: number | null | undefined;
};

/** To whom it is given. Empty lists mean all. */
export type Scope = {
  contractKinds: readonly ContractKind[];
  sources: readonly OfferSource[];
  villageIds: readonly number[];
  productIds: readonly number[];
  roomKinds: readonly RoomKind[];
  cycles: readonly CycleMonths[];
  minTermMonths: number;
  signFrom: Day;
  signTo: Day;
};

/** Percent is kept in tenths, because one decimal is exact there. */
export const storedValue = ({ kind, percent, amount, months }: Content): number =>
  kind === "percent" ? Math.round((percent ?? 0) * 10) : ((kind === "amount" ? amount : months) ?? 0);

export const typedValue = (kind: ActivityKind, value: number) => ({
  percent: kind === "percent" ? value / 10 : null,
  amount: kind === "amount" ? value : null,
  months: kind === "firstMonths" ? value : null,
});

/** The offer as the schedule takes it, in order of its priority inside its kind. */
export function discountOf(content: Content, order: number): ScheduleDiscount {
  const { kind, everyMonth, appliesTo, feeIds, monthFrom, monthTo } = content;
  const stored = storedValue(content);
  return {
    kind,
    value: kind === "percent" ? String(stored / 10) : String(stored),
    fromMonth: monthFrom,
    ...(kind !== "firstMonths" && monthTo && { toMonth: monthTo }),
    ...(kind === "amount" && everyMonth && { everyMonth }),
    ...(appliesTo === "fees" && { feeIds: [...feeIds] }),
    order,
  };
}

/** 5 % off reads 95 折, 10 % off 9 折, 12.5 % off 8.75 折. */
export function foldText(percent: number): string {
  const tenths = 1000 - Math.round(percent * 10);
  if (tenths <= 0) return "全免";
  if (tenths % 100 === 0) return `${tenths / 100} 折`;
  return tenths % 10 === 0 && tenths > 100 ? `${tenths / 10} 折` : `${tenths / 100} 折`;
}

const monthsText = (from: number, to: number | null | undefined): string =>
  to === from ? `第${from}月` : to ? `第${from}–${to}月` : from > 1 ? `第${from}月起` : "";

/** 95 折 第1–6月; 立减 200.00 元; 免 1 个月租金. */
export function valueText(content: Content): string {
  const { kind, percent, amount, months, everyMonth, appliesTo, monthFrom, monthTo } = content;
  const what = appliesTo === "fees" ? "费用" : "";
  if (kind === "firstMonths") {
    const at = monthFrom > 1 ? `第${monthFrom}月起` : "首";
    return months === 1 && monthFrom === 1 ? `免首月${what}` : `${at}免 ${months} 个月${what}`;
  }
  const head =
    kind === "percent" ? foldText(percent ?? 0) : `${everyMonth ? "每月减" : "立减"} ${yuan(amount ?? 0)} 元`;
  return [what && `${what} ${head}`, !what && head, monthsText(monthFrom, monthTo)].filter(Boolean).join(" ");
}

const named = <K extends string>(words: Words<K>, keys: readonly K[], all: string): string =>
  keys.length === 0 || keys.length === Object.keys(words).length
    ? all
    : keys.map((k) => words[k][0]).join("、");

/** Whom it is for, in a line, with the names of stores that the reader may know: 滨江店 等 2 个门店，租客合同，新签，满 12 个月. */
export const scopeText = (villages: readonly string[], scope: Scope): string =>
  [
    villages.slice(0, 2).join("、") +
      (scope.villageIds.length > Math.min(villages.length, 2) ? ` 等 ${scope.villageIds.length} 个门店` : ""),
    named(KIND_WORDS, scope.contractKinds, "全部合同"),
    named(OFFER_SOURCES, scope.sources, "新签和续租"),
    scope.productIds.length > 0 && `${scope.productIds.length} 个产品`,
    named(ROOM_KINDS, scope.roomKinds, ""),
    named(OFFER_CYCLES, scope.cycles.map(String) as (keyof typeof OFFER_CYCLES)[], ""),
    scope.minTermMonths > 0 && `满 ${scope.minTermMonths} 个月`,
  ]
    .filter(Boolean)
    .join("，");

/** A contract that is being drawn up, as far as an offer looks at it. */
export type Deal = {
  villageId: number;
  kind: ContractKind;
  source: string;
  /** Rooms to live or trade in; what is attached follows them. */
  rooms: readonly { kind: RoomKind; productId: number | null }[];
  start: Day;
  end: Day;
  cycleMonths: CycleMonths;
  /** Day of signing. */
  day: Day;
};

/** Why an offer is not for such a contract at all, or nothing. */
export function unfit(offer: Scope & { state: string }, deal: Deal): string | undefined {
  if (offer.state !== "enabled") return offer.state === "ended" ? "已结束" : "未启用";
  if (deal.day < offer.signFrom) return `${offer.signFrom} 起才能使用`;
  if (deal.day > offer.signTo) return "已结束";
  if (!offer.villageIds.includes(deal.villageId)) return "不适用于该门店";
  if (!offer.contractKinds.includes(deal.kind)) return `不适用于${KINDS[deal.kind].title}`;
  if (!(offer.sources as readonly string[]).includes(deal.source))
    return `不适用于${deal.source === "renewal" ? "续租" : "该签约方式"}`;
  const { productIds, roomKinds, cycles, minTermMonths } = offer;
  if (productIds.length && !deal.rooms.every((r) => r.productId !== null && productIds.includes(r.productId)))
    return "不适用于所选房间的产品";
  if (roomKinds.length && !deal.rooms.every((r) => roomKinds.includes(r.kind))) return "不适用于所选房型";
  if (cycles.length && !cycles.includes(deal.cycleMonths)) return "不适用于该付款方式";
  if (minTermMonths && deal.end < endAfter(deal.start, minTermMonths))
    return `租期须满 ${minTermMonths} 个月`;
  return undefined;
}

export const QUOTA_USED = "活动名额已用完";
export const PARTY_LIMIT = "已达每人上限";
export const BUDGET_USED = "活动预算已用完";

export type Uses = {
  quota: number;
  usedCount: number;
  perPartyLimit: number;
  /** Contracts of the same party that used it and stand. */
  usedByParty: number;
  budget: Fen;
  usedFen: Fen;
};

/** What of an offer is left for one more contract that it would cost `fen`; the sentence that there is nothing. */
export function usedUp(
  { quota, usedCount, perPartyLimit, usedByParty, budget, usedFen }: Uses,
  fen: Fen,
): string | undefined {
  if (quota && usedCount >= quota) return QUOTA_USED;
  if (perPartyLimit && usedByParty >= perPartyLimit) return PARTY_LIMIT;
  return budget && usedFen + fen > budget ? BUDGET_USED : undefined;
}

export type Stacking = { id: number; name: string; stackGroup: string; stackable: boolean };

/** Why an offer does not go together with those that are chosen, or nothing. */
export function clash(one: Stacking, chosen: readonly Stacking[]): string | undefined {
  const others = chosen.filter((o) => o.id !== one.id);
  const rival = others.find((o) => o.stackGroup !== "" && o.stackGroup === one.stackGroup);
  if (rival) return `与“${rival.name}”互斥（${one.stackGroup}）`;
  if (!one.stackable && others.length) return "不能与其他优惠叠加";
  const alone = others.find((o) => !o.stackable);
  return alone && `“${alone.name}”不能与其他优惠叠加`;
}

type Named = Pick<NonNullable<Terms["discounts"]>[number], "name">;

/** What each discount of a plan takes off in all, in the order of the contract's discounts. */
export function offOf(plan: Plan, count: number): Fen[] {
  const sums = Array.from({ length: count }, () => 0);
  for (const { lines } of plan.bills)
    for (const { kind, item, amount } of lines) if (kind === "discount") sums[item!]! -= amount;
  return sums;
}

/** 首月免租 3,000.00 元、新春 95 折 750.00 元. */
export const offText = (discounts: readonly Named[], off: readonly Fen[]): string =>
  discounts.map(({ name }, i) => `${name} ${yuan(off[i]!)} 元`).join("、");

/** Rent and fee a month, months and cycle of a contract that somebody makes up to see what offers do. */
export type Sample = { rent: Fen; fee: Fen; months: number; cycleMonths: CycleMonths };
export type Effect = {
  bills: { title: string; periodStart: Day; periodEnd: Day; before: Fen; amount: Fen }[];
  off: Fen;
  before: Fen;
  after: Fen;
  netMonthlyRent: Fen;
};

const SAMPLE_START = "2026-01-01";

/** What offers do to a sample contract: the bills of the schedule, with and without them. */
export function effectOf(offers: readonly (Content & { priority?: number })[], sample: Sample): Effect {
  const feeIds = [...new Set(offers.flatMap((o) => (o.appliesTo === "fees" ? o.feeIds : [])))];
  const input: ScheduleInput = {
    start: SAMPLE_START,
    end: endAfter(SAMPLE_START, sample.months),
    anchorDate: SAMPLE_START,
    calendarPeriods: false,
    cycleMonths: sample.cycleMonths,
    pricing: "month",
    basis: "actual",
    rentRounding: "fen",
    rooms: [{ roomId: 1, monthlyRent: sample.rent, joinDate: SAMPLE_START }],
    steps: [],
    rentFree: [],
    fees: sample.fee
      ? feeIds.map((feeId) => ({ feeId, kind: "recurring", amount: sample.fee, name: "费用" }))
      : [],
    discounts: [],
    deposit: { mode: "amount", amount: 0 },
    due: { rule: "advance", dueDays: 0 },
    billGrouping: "period",
  };
  const before = planBills(input);
  const after = planBills({ ...input, discounts: offers.map((o, i) => discountOf(o, o.priority ?? i)) });
  const was = new Map(before.bills.map((b) => [b.key, b.amount]));
  return {
    bills: after.bills.map(({ key, title, periodStart, periodEnd, amount }) => ({
      title,
      periodStart,
      periodEnd,
      before: was.get(key) ?? 0,
      amount,
    })),
    off: 0 - after.totals.discounts,
    before: before.totals.contractTotal,
    after: after.totals.contractTotal,
    netMonthlyRent: after.totals.netMonthlyRent ?? 0,
  };
}

export const CONTENT_FIXED = "已启用的活动不能修改优惠内容，请复制新建";

type Facts = { status: ActivityState; today: Day; signTo: Day; quota: number; usedCount: number };
const ALL = Object.keys(ACTIVITY_STATES) as ActivityState[];
const STATE_TEXT = Object.fromEntries(ALL.map((s) => [s, ACTIVITY_STATES[s][0]])) as Record<
  ActivityState,
  string
>;

const usedOut = ({ quota, usedCount }: Facts) =>
  quota > 0 && usedCount >= quota && `名额 ${quota} 份已用完，请先增加名额`;

/** What waits for approval stands still whatever is asked of it. */
const frozen = ({ status }: Facts) => status === "approving" && FROZEN;

export const activityMoves = moves<ActivityState, Facts>(STATE_TEXT)({
  edit: {
    label: "修改",
    from: ALL,
    to: "draft",
    unless: (row) => frozen(row) || (row.status !== "draft" && CONTENT_FIXED),
  },
  enable: {
    label: "启用",
    from: ["draft", "approving", "disabled"],
    to: "enabled",
    unless: (row) =>
      frozen(row) || (row.signTo < row.today && `签约截止日 ${row.signTo} 已过，请先延长`) || usedOut(row),
  },
  disable: { label: "停用", from: ["enabled"], to: "disabled" },
  adjust: { label: "调整", from: ["enabled", "disabled", "ended"], to: (row) => row.status },
  remove: { label: "删除", from: ["draft", "approving"], to: "draft", unless: frozen },
});
