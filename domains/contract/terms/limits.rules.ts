import type { Day } from "../../../platform/kernel/day.ts";

/** What the terms are measured against: the village's limits, the rooms as they stand, the person who signs. */
export type Limits = {
  today: Day;
  backdateDays: number;
  /** Months; 0 = no limit. */
  maxDepositMonths: number;
  maxPrepayMonths: number;
  mayBackdate: boolean;
  rooms: readonly RoomFacts[];
  party: PartyFacts | undefined;
};
export type RoomFacts = {
  roomId: number;
  name: string;
  kind: string;
  area: string | null;
  capacity: number;
  /** Who may live in a shared flat or dormitory. */
  gender: string;
};
export type PartyFacts = {
  name: string;
  gender: "male" | "female" | null;
  birthday: Day | null;
  guardianName: string;
  guardianPhone: string;
};

/** Parking and store rooms go with a room; everything else is let for itself. */
export const isAttached = (kind: string) => kind === "parking" || kind === "storage";
