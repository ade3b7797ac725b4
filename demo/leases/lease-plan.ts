import type { Succession, Terms } from "../../domains/contract/terms/terms.contract.ts";
import type { Day } from "../../platform/kernel/day.ts";
import type { Fen } from "../../platform/kernel/fen.ts";
import type { DemoRoom } from "../stores/stores.ts";
import type { Tenant } from "./tenant.ts";

/** The contract that follows: its number, how, and when it was signed. A change leaves on `last`. */
export type Then = { id: number; kind: Succession; signedOn: Day; start: Day; last: Day };

export type LeasePlan = {
  room: DemoRoom;
  start: Day;
  end: Day;
  cycleMonths: Terms["cycleMonths"];
  rent: Fen;
  signedOn: Day;
  fate: "past" | "running" | "overstayed" | "coming" | "signing" | "voided" | "draft";
  /** It comes after another lease, whose `next` has its id. */
  after?: { lease: Lease; kind: Succession; id: number };
  next?: Then;
};

/** A lease as the one after it looks at it. */
export type Lease = {
  id: number;
  contractNo: string;
  chainId: number;
  tenant: Tenant;
  room: DemoRoom;
  start: Day;
  end: Day;
  anchorDate: Day;
  signedOn: Day;
  terms: Terms;
  rooms: { roomId: number; monthlyRent: Fen; unitPrice: null; area: string }[];
  /** The deposit that was paid of it or taken over by it, and the bills that a change of the lease took away. */
  held: Fen;
  dropped: Dropped[];
  next: Then | undefined;
};

/** A bill that a change of the lease took away before it was due, as the change shows it. */
export type Dropped = {
  id: number;
  billNo: string;
  title: string;
  before: Fen;
  after: Fen;
  credit: Fen;
};
