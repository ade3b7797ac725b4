import type { Fen } from "../../../platform/kernel/fen.ts";
import type { PayPlan } from "../../listing/product/product.rules.ts";
import { isAttached } from "../terms/limits.rules.ts";
import type { PayChip } from "../terms/defaults.rules.ts";
import { chipsOf, choosing } from "../terms/plans.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";

type Card = {
  roomId: number;
  kind: string;
  listPrice: Fen | null;
  product: { name: string; payPlans: PayPlan[] } | null;
};
type Cards = ReadonlyMap<number, Card>;

/** The room that is lived in, as far as it is known: its product says how it is paid. */
export const mainCard = (rooms: readonly { roomId: number }[], cards: Cards): Card | undefined =>
  rooms.flatMap((r) => cards.get(r.roomId) ?? []).find((card) => !isAttached(card.kind));

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

/** The default way of paying of a room that was just chosen, with the deposit and rent it proposes. */
export function usualTerms(form: ContractForm, card: Card): Partial<ContractForm> {
  const chips = chipsOf(card.product?.payPlans ?? []);
  const usual = chips.find((chip) => chip.usual);
  return usual ? choosing(form, usual, chips, card) : {};
}
