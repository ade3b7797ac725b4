import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { planBills } from "../schedule/bills.rules.ts";
import type { Plan } from "../schedule/line.rules.ts";
import { formErrors } from "./check.rules.ts";
import type { Limits } from "./limits.rules.ts";
import type { ContractForm } from "./terms.contract.ts";
import { scheduleOf, termsOf } from "./terms.rules.ts";

/** Fields of the form that the bills do not follow from: while they are open the bills can be shown all the same. */
const ASIDE = /^(partyId|occupants|villageId|managerId|signerId|remark)/;

export type Live = {
  /** Undefined while something that the bills rest on is missing or wrong. */
  plan: Plan | undefined;
  errors: FieldError[];
};

/** What the panel beside the form shows: the bills that signing would make, by the same functions as the server. */
export function liveBills(form: ContractForm, limits: Limits): Live {
  const errors = formErrors(form, limits);
  const { start, end } = form;
  if (!start || !end || !form.rooms.length || errors.some((e) => !ASIDE.test(e.field)))
    return { plan: undefined, errors };
  const areas = new Map(limits.rooms.map((r) => [r.roomId, r.area]));
  const rooms = form.rooms.map((r) => ({
    ...r,
    unitPrice: r.unitPrice ?? null,
    area: areas.get(r.roomId) ?? null,
  }));
  return { plan: planBills(scheduleOf({ start, end, terms: termsOf(form), rooms })), errors };
}
