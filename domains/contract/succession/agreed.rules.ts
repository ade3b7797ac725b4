import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { rentsAt } from "../schedule/steps.rules.ts";
import { type Before, inputOf } from "./succession.rules.ts";

/** A contract that was signed, as what follows it looks at it. */
export const agreed = <C extends Omit<Before, "start" | "end"> & { start: Day | null; end: Day | null }>(
  contract: C,
): C & Before => ({ ...contract, start: contract.start!, end: contract.end! });

/** The monthly rent of each room on a day. */
export function rentsOn(before: Before, day: Day): Map<number, Fen> {
  return new Map(rentsAt(inputOf(before), day).map((room) => [room.roomId, room.monthlyRent]));
}
