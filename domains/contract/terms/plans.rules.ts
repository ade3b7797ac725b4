import type { Fen } from "../../../platform/kernel/fen.ts";
import { type PayPlan, payPlanText, planRent } from "../../listing/product/product.rules.ts";
import type { CycleMonths } from "../schedule/terms.rules.ts";
import type { ContractForm, Terms } from "./terms.contract.ts";

/** A way of paying: months of deposit, and months paid at a time. `percent` moves the list price, `usual` comes first. */
export type PayChip = {
  text: string;
  months: string;
  cycleMonths: CycleMonths;
  percent?: number;
  usual?: boolean;
};

/** What a new contract starts from where the village has set no terms of its own. */
export const DEFAULT_TERMS: Terms = {
  pricing: "month",
  rentRounding: "fen",
  basis: "actual",
  calendarPeriods: false,
  cycleMonths: 3,
  deposit: { mode: "months", months: "1" },
  due: { rule: "advance", dueDays: 7, firstDueDays: 0 },
  billGrouping: "period",
  graceDays: 3,
  lateFeeDailyRate: "0.05",
  lateFeeCapPercent: 100,
  stepRule: null,
  steps: [],
  rentFree: [],
  noticeDays: 30,
  leaveDayCharged: true,
  penaltyRule: "months",
  penaltyMonths: "1",
  penaltyPercent: 20,
  penaltyCapMonths: "2",
  rentFreeClawback: "none",
  holdoverPercent: 100,
  fees: [],
  policyNote: "",
};

/** 押一付三 and its kin: what the chips of the form stand for where no product offers its own. */
export const PAY_PLANS: readonly PayChip[] = [
  { text: "押一付一", months: "1", cycleMonths: 1 },
  { text: "押一付三", months: "1", cycleMonths: 3 },
  { text: "押二付一", months: "2", cycleMonths: 1 },
  { text: "半年付", months: "1", cycleMonths: 6 },
  { text: "年付", months: "1", cycleMonths: 12 },
  { text: "一次性付清", months: "1", cycleMonths: 0 },
];

/** The ways of paying that a product offers, as chips of the form. */
export const chipsOf = (plans: readonly PayPlan[]): PayChip[] =>
  plans.map((plan) => ({
    text: payPlanText(plan),
    months: String(plan.depositMonths),
    cycleMonths: plan.payMonths as CycleMonths,
    percent: plan.adjustPercent,
    usual: plan.default,
  }));

/** The chip that the terms stand on; nothing for terms of one's own. */
export const chipOf = (
  chips: readonly PayChip[],
  { deposit, cycleMonths }: Pick<Terms, "deposit" | "cycleMonths">,
): PayChip | undefined =>
  chips.find(
    (chip) =>
      deposit.mode === "months" &&
      Number(deposit.months) === Number(chip.months) &&
      chip.cycleMonths === cycleMonths,
  );

/** The rent that a way of paying proposes for a list price of a month. */
export const rentOf = (listPrice: Fen, chip: PayChip): Fen => planRent(listPrice, chip.percent ?? 0);

/** A rent that was only proposed so far: none, the list price, or what one of the ways comes to. */
const isProposed = (rent: Fen, listPrice: Fen, chips: readonly PayChip[]): boolean =>
  !rent || rent === listPrice || chips.some((chip) => rent === rentOf(listPrice, chip));

/**
 * Terms and rents of a form once a way of paying is chosen for its room at a list price of a month. A rent that
 * somebody typed stays, and so does a price by area.
 */
export function choosing(
  form: Pick<ContractForm, "pricing" | "rooms">,
  chip: PayChip,
  chips: readonly PayChip[],
  room: { roomId: number; listPrice: Fen | null } | undefined,
): Partial<ContractForm> {
  const terms = { deposit: { mode: "months" as const, months: chip.months }, cycleMonths: chip.cycleMonths };
  if (!room?.listPrice || form.pricing === "areaDay") return terms;
  const { roomId, listPrice } = room;
  const rooms = form.rooms.map((r) =>
    r.roomId === roomId && isProposed(r.monthlyRent, listPrice, chips)
      ? { ...r, monthlyRent: rentOf(listPrice, chip) }
      : r,
  );
  return { ...terms, rooms };
}
