import type { Fen } from "../../../platform/kernel/fen.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import type { Terms } from "./terms.contract.ts";

/** The first rent of one room, or of all together. */
export const firstOf = (input: ScheduleInput, roomId: number | null): Fen =>
  input.rooms.reduce(
    (sum, room) => (roomId === null || room.roomId === roomId ? sum + firstRent(input, room) : sum),
    0,
  );

/** Places of the rents set by hand beside another first rent than the contract now has: somebody has to say what they mean. */
export const staleSteps = (steps: Terms["steps"], input: ScheduleInput): number[] =>
  steps.flatMap((step, i) =>
    step.firstRent !== undefined && step.firstRent !== firstOf(input, step.roomId ?? null) ? [i] : [],
  );
