import { useMemo } from "react";
import { may } from "../session/permits.ts";
import type { House, Panel } from "./screen.ts";

let standing: House | undefined;

/** Set at the start, and by the shell once it knows what was changed of the menus. */
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
