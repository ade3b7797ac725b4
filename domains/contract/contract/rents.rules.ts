import { rentsOver, type RentFrom } from "../schedule/steps.rules.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import type { ContractDetail } from "./detail.contract.ts";

type Shown = Pick<ContractDetail, "startDate" | "endDate" | "anchorDate" | "terms" | "rooms">;

/** The rents over the term as the bills charge them; of a draft without dates only the first. */
export function rentsOf({ startDate, endDate, anchorDate, terms, rooms }: Shown): RentFrom[] {
  if (!startDate || !endDate || !rooms.length) {
    const rents = rooms.map((room) => room.monthlyRent);
    return [{ fromDate: startDate ?? "", rent: rents.reduce((a, b) => a + b, 0), rooms: rents }];
  }
  return rentsOver(scheduleOf({ start: startDate, end: endDate, anchorDate, terms, rooms }));
}
