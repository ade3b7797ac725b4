import type { Day } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { endAfter } from "../schedule/months.rules.ts";
import type { ContractForm } from "./terms.contract.ts";

/** A fixed fee that a product is let with; `month` is paid every month, `period` together with the rent. */
export type ProductFee = {
  feeId: number;
  name: string;
  deposit: boolean;
  amount: Fen;
  cycle: "month" | "period" | "once";
};
/** What a room is let as, and what that says about how long and with which fees. */
export type Product = {
  name: string;
  minTermMonths: number | null;
  maxTermMonths: number | null;
  fees: readonly ProductFee[];
};
type Held = { minTermMonths?: number | null; product?: Product | null };
type Bounds = { min: number | null; max: number | null };

/** The shortest and longest term in months: a room's own minimum stands before that of its product. */
export const termBounds = (room: Held | undefined): Bounds => ({
  min: room?.minTermMonths ?? room?.product?.minTermMonths ?? null,
  max: room?.product?.maxTermMonths ?? null,
});

/** What is wrong with a term of so many whole months from a day on; nothing where it fits. */
export function termWrong({ min, max }: Bounds, start: Day, end: Day): string | undefined {
  if (min && end < endAfter(start, min)) return `租期不能短于 ${min} 个月`;
  if (max && end > endAfter(start, max)) return `租期不能超过 ${max} 个月`;
  return undefined;
}

/** The same as an error of the form. */
export function termErrors({ start, end }: ContractForm, room: Held & { name: string }): FieldError[] {
  const wrong = start && end && end >= start ? termWrong(termBounds(room), start, end) : undefined;
  return wrong ? [{ field: "end", msg: `${room.name} 的${wrong}` }] : [];
}

/** 6 至 24 个月, or the one bound that there is. */
export function boundsText({ min, max }: Bounds): string | undefined {
  if (min && max) return min === max ? `${min} 个月` : `${min} 至 ${max} 个月`;
  return min ? `至少 ${min} 个月` : max ? `最多 ${max} 个月` : undefined;
}

type Fee = ContractForm["fees"][number];

/** The fees of a product as lines of a contract. */
export const feesOf = (product: Product | null | undefined): Fee[] =>
  (product?.fees ?? []).map(({ feeId, name, deposit, amount, cycle }) => ({
    feeId,
    name,
    kind: deposit ? "depositInKind" : cycle === "once" ? "once" : "recurring",
    amount,
    prorate: true,
    ...(cycle === "month" && !deposit && { cycleMonths: 1 as const }),
  }));

const same = (a: Fee, b: Fee) => a.feeId === b.feeId && a.amount === b.amount && a.kind === b.kind;

/**
 * Lines of a contract once a room is chosen: what the product of the room before proposed and nobody touched goes, what
 * its own product proposes comes, and what was typed stays.
 */
export function withFees(
  fees: readonly Fee[],
  product: Product | null | undefined,
  before: readonly Fee[],
): Fee[] {
  const kept = fees.filter((fee) => !before.some((old) => same(fee, old)));
  return [...kept, ...feesOf(product).filter((fee) => !kept.some((k) => k.feeId === fee.feeId))];
}

/** Where the fees of a contract fall short of what the product is let with: worth a look, but no refusal. */
export function feeHints(
  { fees }: Pick<ContractForm, "fees">,
  product: Product | null | undefined,
): string[] {
  return feesOf(product).flatMap((wanted) => {
    const own = fees.filter((fee) => fee.feeId === wanted.feeId);
    if (!own.length) return [`没有收取${product!.name}约定的${wanted.name}`];
    return own.some((fee) => fee.amount < wanted.amount)
      ? [`${wanted.name}低于${product!.name}约定的 ${yuan(wanted.amount)}`]
      : [];
  });
}
