import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { id } from "../../../platform/kernel/field.ts";

/** Everybody of a contract has moved out. */
export const roomsLeft = event("roomsLeft", z.object({ contractId: id, day: z.string() }));

/** Days that are over changed: what is kept of them is worked out again. */
export const roomDaysTouched = event(
  "roomDaysTouched",
  z.object({ villageIds: z.array(id), from: z.string(), to: z.string() }),
);

/** What a channel shows of a room may differ now. */
export const roomChanged = event("room.changed", z.object({ channelId: id.optional() }));
