import { AMOUNT_MAX, compare, decimal, minus, ratio, times } from "../../../platform/kernel/fen.ts";
import { type Words, plainWords } from "../../../platform/kernel/field.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";

export const SHEET_KINDS = plainWords({ in: "入住交接单", out: "退房验房单" });
export type SheetKind = keyof typeof SHEET_KINDS;

export const CONDITIONS = {
  good: ["完好", "green"],
  worn: ["轻微", "gold"],
  damaged: ["损坏", "orange"],
  missing: ["缺失", "red"],
} as const satisfies Words;
export type Condition = keyof typeof CONDITIONS;

/** What is read on moving in and out, each with the subject that its use is charged to. */
export const METERS = plainWords({ electric: "电表", coldWater: "水表", hotWater: "热水表" });
export type MeterKind = keyof typeof METERS;

export type Item = {
  assetId: number | null;
  name: string;
  quantity: number;
  condition: Condition;
  /** Fen a piece: of the list of damage prices, and what is asked for it. */
  listPrice: number | null;
  price: number;
  reason: string;
  fileIds: number[];
};
export type Reading = {
  kind: MeterKind;
  meterNo: string;
  /** Of a leaving: where the use begins. */
  start: string | null;
  reading: string;
  /** Fen a unit; nothing is charged without it. */
  price: number | null;
  fileIds: number[];
};

export const isBroken = (condition: Condition): boolean => condition === "damaged" || condition === "missing";
/** Below the one before: a meter that was changed has a number of its own. */
export const BELOW = "读数不能小于上次读数，换表请先登记换表";
/** A charge that no settlement could hold would be proposed by none. */
const TOO_MUCH = "数量 × 赔偿价超出金额上限";
const less = (a: string, b: string) => compare(decimal(a), decimal(b)) < 0;

type Keys = { keys: number; cards: number; keyPrice: number | null; cardPrice: number | null };
/** What opens a room, how it is counted, and the field of its price. */
const OPENERS = [
  { of: "keys", name: "钥匙", unit: "把", price: "keyPrice" },
  { of: "cards", name: "门卡", unit: "张", price: "cardPrice" },
] as const;

/** Keys and cards that were handed over and did not come back, as things that are missing. */
export const lostKeys = (before: Pick<Keys, "keys" | "cards"> | undefined, now: Keys): Item[] =>
  OPENERS.flatMap(({ of, name, unit, price }) => {
    const given = before?.[of] ?? 0;
    if (given <= now[of]) return [];
    const missing = { assetId: null, name, quantity: given - now[of], condition: "missing" as const };
    const reason = `入住 ${given} ${unit}，退房 ${now[of]} ${unit}`;
    return [{ ...missing, listPrice: null, price: now[price] ?? 0, reason, fileIds: [] }];
  });

/**
 * What is wrong with a sheet beside its single fields. `last`: what each meter of the room read before; `inSheet`: of moving in. What
 * was broken then needs no photo and no reason, as nobody charges it; what a key costs that did not come back is said, be it nothing.
 */
export function sheetErrors(
  sheet: { kind: SheetKind; items: readonly Item[]; readings: readonly Reading[] } & Keys,
  last: ReadonlyMap<string, string>,
  inSheet:
    | ({ items: readonly Item[]; readings: readonly Reading[] } & Pick<Keys, "keys" | "cards">)
    | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const no = (field: string, msg: string) => errors.push({ field, msg });
  const out = sheet.kind === "out";
  const charged = new Set(out ? brokenSince(inSheet?.items ?? [], sheet.items) : []);
  for (const [i, item] of sheet.items.entries()) {
    if (!charged.has(item)) continue;
    const { name, quantity, listPrice, price, reason, fileIds } = item;
    if (!fileIds.length) no(`items.${i}.fileIds`, `请上传“${name}”的照片`);
    if (listPrice !== null && price > listPrice && !reason)
      no(`items.${i}.reason`, "赔偿价高于清单价，请填写原因");
    if (price * quantity > AMOUNT_MAX) no(`items.${i}.price`, TOO_MUCH);
  }
  for (const { of, name, unit, price } of out ? OPENERS : []) {
    const lost = (inSheet?.[of] ?? 0) - sheet[of];
    if (lost > 0 && sheet[price] === null)
      no(price, `少还 ${lost} ${unit}${name}，请填写赔偿价，不赔偿的填 0`);
    if (lost * (sheet[price] ?? 0) > AMOUNT_MAX) no(price, TOO_MUCH);
  }
  for (const [i, { meterNo, start, reading, price }] of sheet.readings.entries()) {
    const before = last.get(meterNo) ?? start;
    if (before !== null && less(reading, before)) no(`readings.${i}.reading`, BELOW);
    if (out && start === null) no(`readings.${i}.start`, "请输入起始读数");
    const used = minus(decimal(reading), decimal(start ?? reading));
    if (compare(times(used, ratio(price ?? 0)), ratio(AMOUNT_MAX)) > 0)
      no(`readings.${i}.price`, "用量 × 单价超出金额上限");
  }
  const read = new Set(sheet.readings.map((r) => r.meterNo));
  const unread = out && inSheet?.readings.find((r) => !read.has(r.meterNo));
  if (unread) no("readings", `请录入 ${unread.meterNo} 的退房读数`);
  return errors;
}

/** Of what came back: what is broken now and was not when it was handed over. */
export const brokenSince = (before: readonly Item[], now: readonly Item[]): Item[] =>
  now.filter(
    ({ name, condition }) =>
      isBroken(condition) && before.find((item) => item.name === name)?.condition !== condition,
  );
