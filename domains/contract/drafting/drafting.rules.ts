import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { type PayChip, DEFAULT_TERMS, chipsOf, choosing } from "../terms/plans.rules.ts";
import { type ContractForm, SUCCESSIONS, type Terms } from "../terms/terms.contract.ts";
import { addDays, daysBetween } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { monthsOf } from "../../customer/commission-rule/commission.rules.ts";
import type { PayPlan } from "../../listing/product/product.rules.ts";
import { planBills } from "../schedule/bills.rules.ts";
import type { Line, Plan } from "../schedule/line.rules.ts";
import { sentences } from "../schedule/sentence.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import { firstOf } from "../terms/check.rules.ts";
import { type Product, feesOf, isAttached, withFees } from "../terms/product.rules.ts";
import { scheduleOf, termsOf } from "../terms/terms.rules.ts";

/** The form in steps; the place in the list is the number on the screen. */
export const STEPS = ["房间与租期", "客户", "条款", "费用", "优惠", "账单预览", "签署"] as const;
export const SIGN_STEP = 6;
/** The steps with fields in them; the others show what came of them. */
export const LAST_FIELDS = 4;

const OF_STEP: readonly RegExp[] = [
  /^(villageId|start|end|rooms|anchorDate)/,
  /^(partyId|titleId|occupants|managerId|signerId|channel|agentId|openOn|remark)/,
  /./,
  /^fees/,
  /^discounts/,
];

/** What an act has fixed of the contract that it leads to, and what to do about it; nothing of a contract that comes after none. */
export const fixedBy = ({ takeOver }: Pick<ContractForm, "takeOver">): string | undefined =>
  takeOver
    ? `${SUCCESSIONS[takeOver.kind][0]}自 ${takeOver.previousNo}：门店、房间、起租日和客户已确定，需要更改时请取消后重新办理`
    : undefined;

/** The step that a field stands in; terms are what is named nowhere else. */
export function stepOf(field: string): number {
  if (OF_STEP[0]!.test(field)) return 0;
  if (OF_STEP[1]!.test(field)) return 1;
  if (OF_STEP[4]!.test(field)) return 4;
  return OF_STEP[3]!.test(field) ? 3 : 2;
}

/** Labels of the fields that have none of their own in the contract's shape, for the line that counts what is wrong. */
const NAMES: readonly (readonly [field: RegExp, name: string])[] = [
  [/^villageId/, "门店"],
  [/^start/, "起租日"],
  [/^end/, "结束日"],
  [/^rooms\.\d+\.monthlyRent/, "月租金"],
  [/^rooms\.\d+\.unitPrice/, "单价"],
  [/^rooms/, "房间"],
  [/^partyId/, "客户"],
  [/^occupants/, "同住人"],
  [/^openOn/, "开业日"],
  [/^titleId/, "开票抬头"],
  [/^channel/, "渠道"],
  [/^agentId/, "经纪人"],
  [/^graceDays/, "宽限"],
  [/^lateFee/, "滞纳金"],
  [/^due/, "应收日"],
  [/^deposit/, "押金"],
  [/^cycleMonths/, "付款方式"],
  [/^step/, "租金递增"],
  [/^rentFree/, "免租期"],
  [/^noticeDays/, "通知期"],
  [/^penalty/, "违约金"],
  [/^holdover/, "到期占用费"],
  [/^fees/, "费用"],
  [/^discounts/, "优惠"],
  [/^turnover/, "营业额提成"],
];
export const nameOfField = (field: string): string => NAMES.find(([at]) => at.test(field))?.[1] ?? "条款";

/** What is wrong, in words: 2 项待修改：宽限、押金. */
export function wrongText(errors: readonly Pick<FieldError, "field">[]): string {
  const names = [...new Set(errors.map((e) => nameOfField(e.field)))];
  return `${errors.length} 项待修改：${names.slice(0, 4).join("、")}${names.length > 4 ? "等" : ""}`;
}

/**
 * Months of deposit and months paid at a time as a reservation agreed on them: "1-3" is 押一付三. A rent that was agreed
 * by the square metre and day stays so.
 */
export function agreedTerms(payPlan: string | null, unitPrice?: string | null): Partial<Terms> {
  const [months, cycle] = (payPlan ?? "").split("-");
  const cycleMonths = ([1, 3, 6, 12] as const).find((c) => String(c) === cycle);
  const byArea: Partial<Terms> = unitPrice ? { pricing: "areaDay", basis: "area" } : {};
  return months && cycleMonths ? { ...byArea, deposit: { mode: "months", months }, cycleMonths } : byArea;
}

type Extending = Pick<ContractForm, "start" | "end" | "rentFree" | "extendedTo">;
/** A range that is being typed in may end before it begins. */
const freeDays = (rentFree: ContractForm["rentFree"]) =>
  rentFree.reduce((sum, f) => sum + Math.max(0, daysBetween(f.fromDate, f.toDate) + 1), 0);

/** Whether the term was made longer by its free days; who sets another end has an end of his own. */
export const isExtended = ({ end, extendedTo }: Extending): boolean => end !== null && extendedTo === end;

/** 顺延租期 ticked or not: the end moves by the free days, once. */
export function extending(form: Extending, on: boolean): Partial<ContractForm> {
  if (!form.end || on === isExtended(form)) return {};
  const end = addDays(form.end, on ? freeDays(form.rentFree) : -freeDays(form.rentFree));
  return { end, extendedTo: on ? end : null };
}

/** Other free days: an end that was moved by them follows. */
export function withFree(form: Extending, rentFree: ContractForm["rentFree"]): Partial<ContractForm> {
  if (!form.end || !isExtended(form)) return { rentFree };
  const end = addDays(form.end, freeDays(rentFree) - freeDays(form.rentFree));
  return { rentFree, end, extendedTo: end };
}

/** An empty form in a village, or with what another screen already knows. */
export const blankForm = (known: Partial<ContractForm>, terms: Terms = DEFAULT_TERMS): ContractForm => ({
  ...terms,
  kind: "renter",
  villageId: 0,
  partyId: null,
  start: null,
  end: null,
  rooms: [],
  occupants: [],
  managerId: null,
  signerId: null,
  remark: "",
  ...known,
});

type Room = { id: number; name: string; fullName: string; free: boolean; why: string | null };
export type Named = { ids: number[]; wrong: string[] };

const LONGEST = 18;

/** The room of each name in their order; every name that is no room, or one that cannot be had, is told with its place and reason. */
function roomsAt(
  named: readonly { at: string; name: string }[],
  rooms: readonly Room[],
  longest = Infinity,
): Named {
  const wrong: string[] = [];
  const ids = named.flatMap(({ at, name }) => {
    const told = (why: string) => {
      wrong.push(`${at}${name ? ` ${name}` : ""}：${why}`);
      return [];
    };
    if (!name) return told("房号不能为空");
    if (name.length > longest) return told(`房号最多${longest}个字`);
    const found = rooms.filter((r) => r.name === name || r.fullName === name);
    const [room] = found;
    if (!room) return told("没有这个房间");
    if (found.length > 1) return told("有多个同名房间，请在下方选择");
    return room.free ? [room.id] : told(room.why ?? "不可租");
  });
  return { ids, wrong };
}

/**
 * Rooms by their typed names, separated by commas, pauses, tabs or lines. Every name that is no room, or one that cannot be
 * had, is told with its reason; then none is taken.
 */
export function roomsNamed(typed: string, rooms: readonly Room[]): Named {
  // cells copied from a spreadsheet end in a line of their own
  const names = typed
    .trimEnd()
    .split(/[,，、\t\n]/)
    .map((name) => name.trim());
  if (!typed.trim()) return { ids: [], wrong: ["请输入房号"] };
  const { ids, wrong } = roomsAt(
    names.map((name, i) => ({ at: `第 ${i + 1} 个`, name })),
    rooms,
    LONGEST,
  );
  return { ids: wrong.length ? [] : [...new Set(ids)], wrong };
}

type Filed = { row: number; name: string; monthlyRent: Fen | null };

/** Rooms of a file with the rents that it sets, each once; where a row is wrong, none is taken. */
export function roomsFiled(
  rows: readonly Filed[],
  rooms: readonly Room[],
): { rents: Map<number, Fen | null>; wrong: string[] } {
  const rents = new Map<number, Fen | null>();
  const wrong: string[] = [];
  for (const { row, name, monthlyRent } of rows) {
    const at = `第 ${row} 行`;
    const found = roomsAt([{ at, name }], rooms);
    wrong.push(...found.wrong);
    for (const id of found.ids) {
      if (rents.has(id)) wrong.push(`${at} ${name}：房间重复`);
      rents.set(id, monthlyRent);
    }
  }
  return { rents: wrong.length ? new Map() : rents, wrong };
}

type Card = {
  roomId: number;
  kind: string;
  listPrice: Fen | null;
  minTermMonths?: number | null;
  product: (Product & { payPlans: PayPlan[] }) | null;
};
type Cards = ReadonlyMap<number, Card>;

/** The room that is lived in, as far as it is known: its product says how it is paid. */
export const mainCard = <C extends Card>(
  rooms: readonly { roomId: number }[],
  cards: ReadonlyMap<number, C>,
): C | undefined => rooms.flatMap((r) => cards.get(r.roomId) ?? []).find((card) => !isAttached(card.kind));

/** What the product of the main room offers; nothing where it has none. */
export function offeredFor({
  form,
  cards,
  patch,
}: {
  form: ContractForm;
  cards: Cards;
  patch: (change: Partial<ContractForm>) => void;
}) {
  const card = mainCard(form.rooms, cards);
  const chips = chipsOf(card?.product?.payPlans ?? []);
  if (!card?.product || !chips.length) return undefined;
  return {
    product: card.product.name,
    chips,
    listPrice: card.listPrice,
    choose: (chip: PayChip) => patch(choosing(form, chip, chips, card)),
  };
}

/**
 * The default way of paying of a room that was just chosen, with the deposit and rent it proposes, and its fees in the
 * place of those that the room before brought.
 */
export function usualTerms(form: ContractForm, card: Card, before?: Card): Partial<ContractForm> {
  const chips = chipsOf(card.product?.payPlans ?? []);
  const usual = chips.find((chip) => chip.usual);
  const brought = feesOf(before?.product);
  const fees =
    brought.length || card.product?.fees.length ? { fees: withFees(form.fees, card.product, brought) } : {};
  return usual ? { ...choosing(form, usual, chips, card), ...fees } : fees;
}

/** How this contract's own first partial month is charged: 首月 2026-12-11 ~ 12-31 共 21 天：3,500.00 × 21 ÷ 31 = 2,370.97. */
export function chargeSentence(form: ContractForm, area: string | null): string | undefined {
  const [room] = form.rooms;
  if (!form.start || !form.end || !room) return undefined;
  // of the rent alone, so that what is still being typed elsewhere hides nothing
  const deposit = { mode: "months", months: "0" } as const;
  const terms = { ...termsOf(form), stepRule: null, steps: [], fees: [], deposit };
  try {
    const rooms = [{ ...room, unitPrice: room.unitPrice ?? null, area }];
    const input = scheduleOf({ start: form.start, end: form.end, terms, rooms });
    if (!(firstRent(input, input.rooms[0]!) > 0)) return undefined;
    for (const { explain, slices } of planBills(input).bills.flatMap((bill) => bill.lines)) {
      if (explain.rule !== "rent") continue;
      const n = explain.parts.findIndex((part) => part.months === 0);
      if (n < 0) continue;
      // a line has a slice for each month, and its whole months in a row are one part
      const { from, to } = slices[explain.parts.slice(0, n).reduce((sum, part) => sum + part.months, 0)]!;
      return `${from} ~ ${to.slice(5)} 共 ${explain.parts[n]!.days} 天：${sentences(explain).rows[n]}`;
    }
  } catch {
    return undefined;
  }
  return undefined;
}

export type Discount = NonNullable<Terms["discounts"]>[number];
type Offered = {
  id: number;
  name: string;
  contentVersion: number;
  discount: Pick<Discount, "kind" | "value" | "fromMonth" | "toMonth" | "order"> & {
    everyMonth: boolean;
    feeIds: number[];
  };
};

/** An offer as the terms of a contract name it. */
export const offerTerm = ({ id, name, contentVersion, discount }: Offered): Discount => ({
  ...discount,
  activityId: id,
  activityVersion: contentVersion,
  name,
  reason: "",
});

/** A discount agreed by hand: a sum once, or a percent of every month. It comes after the offers of its kind. */
export const byHand = (kind: "amount" | "percent"): Discount => ({
  activityId: null,
  name: "整单优惠",
  kind,
  value: "0",
  order: 100,
  reason: "",
});

/** What the schedule plans from, once rooms and days are known. */
export function inputOf(form: ContractForm, cards: ReadonlyMap<number, { area: string | null }>) {
  const rooms = form.rooms.map((r) => ({
    ...r,
    unitPrice: r.unitPrice ?? null,
    area: cards.get(r.roomId)?.area ?? null,
  }));
  return scheduleOf({ start: form.start!, end: form.end!, terms: termsOf(form), rooms });
}

/** What a discount takes off this contract, beside the others that are chosen; nothing while the terms are unfinished. */
export function offWith(
  form: ContractForm,
  cards: ReadonlyMap<number, { area: string | null }>,
  one: Discount,
): Fen | undefined {
  const others = (form.discounts ?? []).filter((d) => d.activityId !== one.activityId);
  try {
    const input = inputOf(form, cards);
    const off = (discounts: Discount[]) => 0 - planBills({ ...input, discounts }).totals.discounts;
    return off([...others, one]) - off(others);
  } catch {
    return undefined;
  }
}

/** What a commission is reckoned by, of the contract as it is typed; nothing while its bills are not known. */
export function dealOf(
  form: ContractForm,
  cards: ReadonlyMap<number, { area: string | null }>,
  plan: Plan | undefined,
): { months: number; monthRent: Fen; totalRent: Fen } | undefined {
  if (!plan || !form.start || !form.end) return undefined;
  const lines = plan.bills.flatMap((bill) => bill.lines);
  return {
    months: monthsOf(form.start, form.end),
    monthRent: firstOf(inputOf(form, cards), null),
    totalRent: lines.reduce((sum, line) => (line.feeKey === "rent" ? sum + line.amount : sum), 0),
  };
}

/** Rooms that one address names: a longer one is refused by servers and proxies. */
const ROOMS_AT_ONCE = 400;

/** The rooms of a form as comma lists, as many as it takes to ask for them; one without any room where there is none. */
export const roomLists = (ids: readonly number[]): string[] =>
  Array.from({ length: Math.max(1, Math.ceil(ids.length / ROOMS_AT_ONCE)) }, (_, n) =>
    ids.slice(n * ROOMS_AT_ONCE, (n + 1) * ROOMS_AT_ONCE).join(","),
  );

type Said = { key: string; text: string; times: number };

/** How some lines come about, with the note that goes for them. Rooms at one rent say the same: it is said once, and how often. */
export function saidOf(lines: readonly Line[]): { rows: Said[]; note: string | undefined } {
  const rows = new Map<string, Said>();
  let note: string | undefined;
  for (const { explain, from, to } of lines) {
    const free = explain.rule === "free";
    const said = sentences(explain);
    if (!free) note = said.note || note;
    for (const row of said.rows) {
      const text = free ? `${from.slice(5)} ~ ${to.slice(5)} 免租 0.00` : row;
      const key = `${from} ${text}`;
      const times = (rows.get(key)?.times ?? 0) + 1;
      rows.set(key, { key, text, times });
    }
  }
  return { rows: [...rows.values()], note };
}
