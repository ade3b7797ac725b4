import { useSyncExternalStore } from "react";
import { brand as fallback } from "../../brands/default.ts";
import type { BrandNow } from "../kernel/brand.ts";
import { inkOn } from "../kernel/colour.ts";
import { sendWire, setApiBase } from "./request.ts";
import { keep, kept } from "./storage.ts";

let now: BrandNow = { ...fallback, ...kept<BrandNow>("brand") };
const listeners = new Set<() => void>();

/** The brand as last seen; the product's own until the server has answered once. */
export const brandNow = (): BrandNow => now;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useBrand = (): BrandNow => useSyncExternalStore(subscribe, brandNow);

/** An asset of the brand as an address; undefined while the product's own drawing stands in for it. */
export const brandAsset = (value: string): string | undefined =>
  /^(\/|https:|data:)/.test(value) ? value : undefined;

/** Lays the brand on the document: colours over the tokens (the product's own stand there already), icon, call address. */
function dye(): void {
  const { style, dataset } = document.documentElement;
  const own = now.themeColor.toUpperCase() === fallback.themeColor;
  const lay = (name: string, value: string) =>
    own ? style.removeProperty(name) : style.setProperty(name, value);
  const mixed = (with_: string, part: number) => `color-mix(in oklab, ${now.themeColor} ${part}%, ${with_})`;
  lay("--primary", now.themeColor);
  lay("--on-primary", inkOn(now.themeColor));
  lay("--primary-hover", mixed("#fff", 84));
  lay("--primary-active", mixed("#000", 90));
  lay("--primary-tint", mixed("var(--bg)", 12));
  lay("--primary-line", mixed("var(--bg)", 45));
  lay("--focus", mixed("transparent", 28));
  lay("--link", mixed("var(--text)", 62));
  lay("--side-on", mixed("var(--side-bg)", 30));
  dataset["menu"] = now.mode;
  const icon = brandAsset(now.favicon);
  if (icon) document.querySelector<HTMLLinkElement>("link[rel=icon]")?.setAttribute("href", icon);
  setApiBase(now.apiBase);
}

/** Asks the server which brand this is; without an answer the last known one stays. */
export async function loadBrand(): Promise<void> {
  dye();
  try {
    const answer = await sendWire<Partial<BrandNow>>({
      method: "GET",
      path: "/system/api/v3/brand/current",
    });
    now = { ...fallback, ...answer };
    keep("brand", now);
    dye();
    for (const listener of listeners) listener();
  } catch {
    // the page works with what it has
  }
}
