import { AMOUNT_MAX, type Fen } from "../../../platform/kernel/fen.ts";

/** Fields are named by their place in the input: steps.1.fromDate. */
export type Report = (field: string, msg: string) => void;

export const within = (n: number | undefined, low: number, high: number): boolean =>
  n === undefined || (Number.isInteger(n) && n >= low && n <= high);

/** What is wrong with a sum, or nothing. */
export function sumError(sum: Fen, mayBeZero = false): string | undefined {
  if (!Number.isSafeInteger(sum)) return "请输入正确的金额（最多两位小数）";
  if (sum < 0 || (sum === 0 && !mayBeZero)) return "金额必须大于0";
  return sum > AMOUNT_MAX ? "金额过大" : undefined;
}

type MaybeRoom = { roomId?: number | null };
/** Rows of one room meet; a row for all rooms meets those of every room. */
export const sameRoom = (a: MaybeRoom, b: MaybeRoom): boolean =>
  a.roomId == null || b.roomId == null || a.roomId === b.roomId;
