import { PURPOSES, type Cap, type FileKind, type PurposeName } from "../file/purposes.rules.ts";

export const TICKET_MINUTES = 30;
/** Of the fields there are, the one with the most room: scans of a signed contract. */
export const MOST_FILES = 20;

export const GONE = "链接已失效，请重新扫码";

/** Phones take pictures; a workbook stays on the desk. */
export const phoneMaySend = (purpose: PurposeName): boolean => kindsOf(purpose).includes("jpg");

export const kindsOf = (purpose: PurposeName): readonly FileKind[] => PURPOSES[purpose].kinds;
export const capOf = (purpose: PurposeName): Cap => PURPOSES[purpose].cap;

export type TicketState = "open" | "done" | "expired";

/** Moments are milliseconds. `alive`: the session that opened it may still come in. */
export function stateOf(
  ticket: { endedAt: number | null; expiresAt: number; alive: boolean },
  now: number,
): TicketState {
  if (ticket.endedAt !== null) return "done";
  return ticket.alive && now < ticket.expiresAt ? "open" : "expired";
}
