import type { Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, type Fen, parseYuan } from "../../../platform/kernel/fen.ts";
import { whyNotPeriod } from "../../finance/bill/make.rules.ts";
import { type Read, type Texts, type cellsOf, dayOfText } from "../../system/import/value.rules.ts";
import type { ColumnKey } from "./columns.rules.ts";

type Cells = Pick<ReturnType<typeof cellsOf<ColumnKey>>, "add" | "take">;

/** 500, 1,200.50, ¥0: at most two decimals, 0 allowed. In fen. */
export function moneyOrNone(typed: string): Read<number> {
  const text = typed.replace(/^[¥￥]/, "").replace(/[,，]/g, "");
  if (!/^-?\d+(\.\d+)?$/.test(text) || /\.\d{3,}$/.test(text)) return { msg: "金额格式不正确，最多两位小数" };
  const fen = parseYuan(text);
  if (fen < 0) return { msg: "金额不能小于0" };
  return fen > AMOUNT_MAX ? { msg: "金额过大" } : { value: fen };
}

/** One open bill as a row describes it. */
export type Owed = {
  /** What is still owed, and what was paid of it before the take-over. */
  amount: Fen;
  paid: Fen;
  due: Day;
  /** The name of its fee subject; empty for rent. */
  subject: string;
  from: Day | null;
  to: Day | null;
};

/** What says more about an open bill, and is not given without one. */
const MORE = ["arrearsDue", "arrearsSubject", "arrearsFrom", "arrearsTo", "arrearsPaid"] as const;

/** Reads the open bill of a row; nothing where nothing is owed. */
export function readOwed(typed: Texts<ColumnKey>, takenOn: Day, { add, take }: Cells): Owed | undefined {
  const amount = take("arrears", moneyOrNone) ?? 0;
  const due = take("arrearsDue", dayOfText) ?? takenOn;
  const from = take("arrearsFrom", dayOfText) ?? null;
  const to = take("arrearsTo", dayOfText) ?? null;
  const paid = take("arrearsPaid", moneyOrNone) ?? 0;
  if (!amount) {
    for (const key of MORE) if (typed[key] !== undefined) add(key, "没有欠费时不填");
    return undefined;
  }
  if ((typed.arrearsFrom === undefined) !== (typed.arrearsTo === undefined))
    add(typed.arrearsFrom === undefined ? "arrearsFrom" : "arrearsTo", "欠费期起、止须同时填写");
  const period = from && to && whyNotPeriod(from, to, "欠费期");
  if (period) add("arrearsTo", period);
  return { amount, paid, due, subject: typed.arrearsSubject ?? "", from, to };
}

/** What makes two open bills of one contract the same; the subject by its id, by its name where none was found. */
export const owedKey = ({ from, to, due, amount }: Owed, subject: number | string): string =>
  [subject, from, to, due, amount].join(" ");

/** A row without a term that carries a number brings one more open bill of the contract of that number. */
export const isFurther = (typed: Texts<ColumnKey>): boolean =>
  typed.oldNo !== undefined && [typed.start, typed.end, typed.rent].every((text) => text === undefined);

/** Where a contract may have several rooms, such a row with a rent, or with a room and nothing owed, brings one more. */
export function bringsOf(typed: Texts<ColumnKey>, several: boolean): "contract" | "room" | "bill" {
  const { rent: _r, ...unpriced } = typed;
  const room = typed.rent !== undefined || (typed.room !== undefined && typed.arrears === undefined);
  if (several && room && isFurther(unpriced)) return "room";
  return isFurther(typed) ? "bill" : "contract";
}

/** May be repeated as they stand in the contract's own row. */
const REPEATED: readonly ColumnKey[] = [
  "name",
  "phone",
  "certType",
  "certNo",
  "creditCode",
  "contactName",
  "contactPhone",
  "ownerName",
  "brand",
  "category",
];
/** Counted once, in the contract's own row. */
const ONCE: readonly ColumnKey[] = ["property", "deposit", "prepaid"];
/** Of the contract's terms. */
const TERMS: readonly ColumnKey[] = [
  "signedOn",
  "openOn",
  "pay",
  "billing",
  "basis",
  "periods",
  "due",
  "paidTo",
];

/** The row of the contract itself, and the rooms of the contract as they are typed, where it may have several. */
type First = { number: number; text: Texts<ColumnKey>; rooms?: readonly (string | undefined)[] };
type Add = (key: ColumnKey, msg: string) => void;

/** What a further row may not say of its contract, whose own row is the `first`. */
export function againstFirst(typed: Texts<ColumnKey>, first: First, add: Add): void {
  const { rooms = [first.text.room] } = first;
  if (typed.room !== undefined && !rooms.includes(typed.room))
    add(
      "room",
      first.rooms && first.rooms.length > 1
        ? `不是第 ${first.number} 行（同一合同）的房间，可以留空`
        : `与第 ${first.number} 行（同一合同）不一致，可以留空`,
    );
  for (const key of REPEATED)
    if (typed[key] !== undefined && typed[key] !== first.text[key])
      add(key, `与第 ${first.number} 行（同一合同）不一致，可以留空`);
  for (const key of ONCE)
    if (typed[key] !== undefined && moneyOrNone(typed[key]).value !== 0)
      add(key, `只在第 ${first.number} 行（同一合同）填写`);
  for (const key of TERMS)
    if (typed[key] !== undefined) add(key, `只在第 ${first.number} 行（同一合同）填写`);
}

/** What a row that brings one more room may not say besides. */
export function againstRoom(typed: Texts<ColumnKey>, first: First, add: Add): void {
  againstFirst(typed, { ...first, rooms: [typed.room] }, add);
  if (typed.arrears !== undefined && moneyOrNone(typed.arrears).value !== 0)
    add("arrears", "其他房间的欠费另起一行，不填月租金");
  for (const key of [...MORE, "remark"] as const)
    if (typed[key] !== undefined) add(key, "只在合同所在的行或欠费的行填写");
}
