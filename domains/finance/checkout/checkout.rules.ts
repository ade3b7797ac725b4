import type { Fen } from "../../../platform/kernel/fen.ts";
import { keyOf, type Want } from "../allocation/allocation.rules.ts";

/** Something that a code pays, with the amount that was fixed when it was made. */
export type Share = Want & { amount: Fen };

/** Bills that one link asks for, and that one batch sends links for, at most. */
export const MOST_BILLS = 200;
/** Days that a payment page can be opened. */
export const LINK_DAYS = 7;
/** A customer gets no second message within so many seconds. */
export const AGAIN_SECONDS = 60;

export const SAID = {
  mixed: "请选择同一客户、同一门店的应收账单",
  nothing: "所选账单没有待付金额",
  gone: "付款链接已失效，请联系管家重新发送",
  changed: "账单金额已变化，请核对后重新付款",
} as const;

export const totalOf = (shares: readonly { amount: Fen }[]): Fen =>
  shares.reduce((sum, s) => sum + s.amount, 0);

/** The same things with the same amounts. */
export const isSame = (a: readonly Share[], b: readonly Share[]): boolean => {
  const told = (shares: readonly Share[]) => shares.map((s) => `${keyOf(s)} ${s.amount}`).sort();
  return told(a).join() === told(b).join();
};

/** Whether two codes would pay one thing twice. */
export const overlaps = (a: readonly Share[], b: readonly Share[]): boolean => {
  const keys = new Set(a.map(keyOf));
  return b.some((s) => keys.has(keyOf(s)));
};

/** "3月租金 1203", "3月租金等 2 笔账单": what a channel shows who pays. */
export function titleOf(bills: readonly { title: string }[], roomName: string | null): string {
  const [first] = bills;
  if (!first) return "账单";
  const what = bills.length > 1 ? `${first.title}等 ${bills.length} 笔账单` : first.title;
  return [what, roomName].filter(Boolean).join(" ").slice(0, 40);
}
