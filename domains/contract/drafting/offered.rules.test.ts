import { expect, test } from "vitest";
import type { ContractForm } from "../terms/terms.contract.ts";
import { blankForm, mainCard, offeredFor, usualTerms } from "./drafting.rules.ts";

const fee = { feeId: 7, name: "物业费", deposit: false, amount: 15_000, cycle: "period" as const };
const product = {
  name: "雅致一居",
  minTermMonths: null,
  maxTermMonths: null,
  fees: [fee],
  payPlans: [
    { depositMonths: 2, payMonths: 1, adjustPercent: 5, default: false },
    { depositMonths: 1, payMonths: 3, adjustPercent: 0, default: true },
  ],
};
const card = (roomId: number, more: object = {}) => ({
  roomId,
  kind: "room",
  listPrice: 300_000,
  product,
  ...more,
});
const bare = { ...product, fees: [], payPlans: [] };
const form = (...rooms: number[]) =>
  blankForm({ rooms: rooms.map((roomId) => ({ roomId, monthlyRent: 300_000 })) });
const cardsOf = (...cards: ReturnType<typeof card>[]) => new Map(cards.map((each) => [each.roomId, each]));

test("the main room is the first that is lived in, not the parking that goes with it", () => {
  const cards = cardsOf(card(1, { kind: "parking" }), card(2), card(3));
  expect(mainCard(form(9, 1, 2, 3).rooms, cards)?.roomId).toBe(2);
  expect(mainCard(form(1).rooms, cards)).toBeUndefined();
});

test("a product offers its ways of paying, and choosing one moves deposit, cycle and rent", () => {
  const patched: Partial<ContractForm>[] = [];
  const offered = (one: ReturnType<typeof card>) =>
    offeredFor({ form: form(1), cards: cardsOf(one), patch: (change) => patched.push(change) });
  expect(offered(card(1, { product: null }))).toBeUndefined();
  expect(offered(card(1, { product: bare }))).toBeUndefined();
  const { chips, choose, ...shown } = offered(card(1))!;
  expect(shown).toEqual({ product: "雅致一居", listPrice: 300_000 });
  expect(chips.map((chip) => chip.text)).toEqual(["押二付一", "押一付三"]);
  choose(chips[0]!);
  expect(patched).toEqual([
    {
      deposit: { mode: "months", months: "2" },
      cycleMonths: 1,
      rooms: [{ roomId: 1, monthlyRent: 315_000 }],
    },
  ]);
});

test("a room that was just chosen brings its usual way of paying and its fees, in place of those before", () => {
  const brought = usualTerms(form(1), card(1));
  expect([brought.cycleMonths, brought.deposit]).toEqual([3, { mode: "months", months: "1" }]);
  expect(brought.fees?.map((each) => [each.name, each.amount])).toEqual([["物业费", 15_000]]);
  const before = { ...form(1), fees: brought.fees! };
  expect(usualTerms(before, card(1, { product: bare }), card(2))).toEqual({ fees: [] });
  expect(usualTerms(before, card(1, { product: bare }), card(2, { product: bare }))).toEqual({});
  expect(usualTerms(before, card(1, { product: null }))).toEqual({});
});
