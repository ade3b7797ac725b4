import { pathTo, type Patch } from "./page.ts";
import { mayOpen } from "../session/permits.ts";
import { screenAt } from "./screen.ts";
import { theHouse } from "./slots.ts";

/** The address of a screen that the operator may open; undefined when there is none, so that no link leads nowhere. */
export function reach(path: string, query: Patch = {}): string | undefined {
  const screen = screenAt(theHouse(), path);
  return screen && mayOpen(screen) ? pathTo(path, query) : undefined;
}

/** The same of an address with its query in it. */
export const reachable = (address: string): string | undefined => reach(address.split("?")[0]!) && address;
