import { useSyncExternalStore } from "react";
import { brand as fallback } from "../../../brands/default.ts";
import { demandLength } from "../../kernel/texts/password.ts";
import type { BrandNow } from "../../kernel/texts/brand.ts";
import { dye } from "./brand-colours.ts";
import { sendWire } from "../calls/request.ts";
import { keep, kept } from "../session/storage.ts";
import { isDark, onPaint } from "./theme.ts";

let now: BrandNow = { ...fallback, ...kept<BrandNow>("brand") };
const listeners = new Set<() => void>();

/** The brand as last seen; the product's own until the server has answered once. */
export const brandNow = (): BrandNow => now;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useBrand = (): BrandNow => useSyncExternalStore(subscribe, brandNow);

/** Address of a picture of the brand; undefined for the product's own, which are drawn by the pages themselves. */
export const brandAsset = (name: string): string | undefined =>
  now.key === fallback.key ? undefined : `/sams/brand/${name}`;

/**
 * Where 使用手册 leads from a screen, in a tab of its own: the brand's address, else the manual that the build makes from
 * docs/manual, at the section about the screen; undefined for a brand that shows none.
 */
export const helpAddress = ({ hideHelp, helpUrl }: Pick<BrandNow, "hideHelp" | "helpUrl">, screen: string) =>
  hideHelp ? undefined : helpUrl || `/sams/manual.pdf#nameddest=${screen}`;

let ownColour = (): string | undefined => undefined;
/** The operator may have chosen another colour in the display settings. */
export const colourFrom = (choice: () => string | undefined): void => {
  ownColour = choice;
};

/** Lays the brand on the document: colours and icon. */
function wear(): void {
  const themeColor = ownColour() ?? now.themeColor;
  dye({ ...now, themeColor }, themeColor.toUpperCase() === fallback.themeColor, isDark());
  const icon = brandAsset(now.favicon);
  if (icon) document.querySelector<HTMLLinkElement>("link[rel=icon]")?.setAttribute("href", icon);
}
onPaint(wear);

/** Asks the server which brand this is; without an answer the last known one stays. */
export async function loadBrand(): Promise<void> {
  wear();
  try {
    const answer = await sendWire<Partial<BrandNow>>({
      method: "GET",
      path: "/system/api/v3/brand/current",
      ownServer: true,
    });
    now = { ...fallback, ...answer };
    demandLength(now.passwordMin ?? 6);
    keep("brand", now);
    keep("serviceIdentifier", now.key);
    wear();
    for (const listener of listeners) listener();
  } catch {
    // the page works with what it has
  }
}
