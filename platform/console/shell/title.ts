import { useEffect } from "react";
import { brandNow, useBrand } from "../brand/brand.ts";

export const titled = (title: string): string => `${title} - ${brandNow().productTitle}`;

let own: string | undefined;

/** What the page on show calls itself, where that says more than the name of its screen. */
export const ownTitle = (): string | undefined => own;

/** Names the window after what a public page shows, as soon as that is known. */
export function useTitle(title: string | undefined): void {
  const brand = useBrand();
  useEffect(() => {
    if (!title) return;
    own = title;
    document.title = titled(title);
    return () => {
      own = undefined;
    };
  }, [title, brand]);
}
