import { useEffect } from "react";
import { displayNow } from "../brand/display.ts";

/** Less is a tremble of the hand. */
const STEP_PX = 24;

/** Notes on the document which way people scroll, so that a header that may hide goes away and comes back. */
export function useHidingHeader(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let box: EventTarget | null = null;
    let from = 0;
    const onScroll = (event: Event) => {
      if (!displayNow().hideHeader || !(event.target instanceof HTMLElement)) return;
      const { scrollTop } = event.target;
      if (event.target !== box) {
        box = event.target;
        from = scrollTop;
      }
      if (Math.abs(scrollTop - from) < STEP_PX && scrollTop > 0) return;
      dataset["away"] = String(scrollTop > from && scrollTop > STEP_PX);
      from = scrollTop;
    };
    addEventListener("scroll", onScroll, { capture: true, passive: true });
    return () => removeEventListener("scroll", onScroll, { capture: true });
  }, []);
}
