import type { Fen } from "../../../platform/kernel/fen.ts";
import type { PayPlan } from "../../listing/product/product.rules.ts";
import { planBills } from "../schedule/bills.rules.ts";
import { sentences } from "../schedule/sentence.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import { type PayChip, chipsOf, choosing } from "../terms/plans.rules.ts";
import { type Product, feesOf, isAttached, withFees } from "../terms/product.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { scheduleOf, termsOf } from "../terms/terms.rules.ts";

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
