import { useMemo, type ComponentType } from "react";
import type { Call, Need } from "../kernel/call.ts";
import { may } from "./permits.ts";
import type { House } from "./screen.ts";

/** What a panel is told: the id of the record it stands on; 0 in the header. */
export type PanelProps = { id: number };

/**
 * Fills a place that a page leaves open. `screens.ts` names it, so that a domain to the right can add a tab to a page
 * of a domain to its left without an import between them.
 */
export type Panel = {
  /** Such as "room.tabs", "shell.header". */
  slot: string;
  key: string;
  title: string;
  need?: Need;
  load: () => Promise<{ default: ComponentType<PanelProps> }>;
};

export type Found = { id: number; title: string; note?: string; to: string };

/** One kind of record that the jump box finds. */
export type Searcher = {
  key: string;
  title: string;
  need?: Need;
  load: () => Promise<{ search: (typed: string, signal: AbortSignal) => Promise<Found[]> }>;
};

/** Where the village select gets its options: the contract is loaded with the shell, not with the login page. */
export type VillageSource = () => Promise<Call>;

let standing: House | undefined;

/** Set once, when the shell starts. */
export const setHouse = (house: House): void => {
  standing = house;
};
export const theHouse = (): House => {
  if (!standing) throw new Error("the shell has not started");
  return standing;
};

/** The permitted panels of a slot, in the order of the table. */
export const useSlot = (slot: string | undefined): readonly Panel[] =>
  useMemo(() => (theHouse().panels ?? []).filter((p) => p.slot === slot && may(p.need)), [slot]);
