import { pathTo, type Patch } from "./page.ts";
import { mayOpen } from "./permits.ts";
import { screenAt } from "./screen.ts";
import { theHouse } from "./slots.ts";

/** The address of another screen, where it exists and the operator may open it; otherwise nothing, and no link is shown. */
export function reach(path: string, query: Patch = {}): string | undefined {
  const screen = screenAt(theHouse(), path);
  return screen && mayOpen(screen.codes) ? pathTo(path, query) : undefined;
}
