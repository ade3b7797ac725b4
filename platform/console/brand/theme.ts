import { useSyncExternalStore } from "react";
import { keep, kept } from "../session/storage.ts";

export type Look = "light" | "dark" | "system";

const KEY = "look";
const listeners = new Set<() => void>();
const system = () => matchMedia("(prefers-color-scheme: dark)");

/** What a browser shows that nobody chose anything in; whether the menu beside it is dark is the brand's `mode`. */
export const FRESH_LOOK: Look = "light";
const LOOKS: readonly unknown[] = ["light", "dark", "system"];

/** What this browser keeps; anything else that somebody wrote there is the light one. */
export const look = (): Look => {
  const chosen = kept<Look>(KEY);
  return chosen !== undefined && LOOKS.includes(chosen) ? chosen : FRESH_LOOK;
};
export const isDark = (): boolean => (look() === "system" ? system().matches : look() === "dark");

/** Lays the theme on the document; the tokens follow `data-theme`. */
export function paint(): void {
  document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
  for (const listener of listeners) listener();
}

export function setLook(next: Look): void {
  keep(KEY, next);
  paint();
}

export function startTheme(): void {
  system().addEventListener("change", paint);
  paint();
}

/** Runs whenever the theme is laid on the document anew. */
export const onPaint = (listener: () => void): void => void listeners.add(listener);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useDark = (): boolean => useSyncExternalStore(subscribe, isDark);
export const useLook = (): Look => useSyncExternalStore(subscribe, look);
