import { useSyncExternalStore } from "react";
import { colourFrom } from "./brand.ts";
import { mine } from "../session/operator.ts";
import { keep, kept } from "../session/storage.ts";
import { FRESH_LOOK, look, onPaint, paint, setLook, type Look } from "./theme.ts";

/** How the frame looks to one operator of this browser (specification section 2, display settings). */
export type Display = {
  look: Look;
  /** Undefined: the brand's own. */
  colour?: string | undefined;
  layout: "side" | "top" | "mixed";
  fixedHeader: boolean;
  fixedSide: boolean;
  width: "fluid" | "fixed";
  /** The header goes away while one scrolls down and comes back on the way up. */
  hideHeader: boolean;
  weak: boolean;
  tabs: boolean;
  language: "zh-CN" | "en-US";
};

const KEY = "settings";
const DEFAULTS: Omit<Display, "look"> = {
  layout: "side",
  fixedHeader: true,
  fixedSide: true,
  width: "fluid",
  hideHeader: false,
  weak: false,
  tabs: true,
  language: "zh-CN",
};

let now: Display = { ...DEFAULTS, look: look() };
colourFrom(() => now.colour);
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Lays on the document what style sheets decide by. */
function wear(): void {
  const { dataset, lang } = document.documentElement;
  dataset["layout"] = now.layout;
  dataset["width"] = now.width;
  dataset["weak"] = String(now.weak);
  dataset["head"] = now.hideHeader ? "hiding" : now.fixedHeader ? "fixed" : "flowing";
  dataset["side"] = now.fixedSide ? "fixed" : "flowing";
  if (lang !== now.language) document.documentElement.lang = now.language;
}

/** Takes up the settings of the operator; called when the shell knows the operator. */
export function openDisplay(): void {
  const own = kept<Partial<Display>>(mine(KEY));
  now = { ...DEFAULTS, look: look(), ...own };
  if (now.look !== look()) setLook(now.look);
  wear();
  paint();
  tell();
}

/** Kept at once. */
export function setDisplay(patch: Partial<Display>): void {
  now = { ...now, ...patch };
  keep(mine(KEY), now);
  if (patch.look && patch.look !== look()) setLook(patch.look);
  wear();
  if ("colour" in patch) paint();
  tell();
}

export const resetDisplay = (): void => setDisplay({ ...DEFAULTS, look: FRESH_LOOK, colour: undefined });

export const displayNow = (): Display => now;
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useDisplay = (): Display => useSyncExternalStore(subscribe, displayNow);

// the theme may also be turned from the avatar menu
onPaint(() => {
  if (now.look !== look()) {
    now = { ...now, look: look() };
    keep(mine(KEY), { ...kept<Partial<Display>>(mine(KEY)), look: now.look });
    tell();
  }
});
