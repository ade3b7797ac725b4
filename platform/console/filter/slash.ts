import { useEffect, type RefObject } from "react";
import { usePage } from "../screens/page.ts";

/** The key / takes a reader into the search box of the page in front, unless one types or something `above` lies over it. */
export function useSlash(box: RefObject<HTMLElement | null>, above: string, first = "input") {
  const { active } = usePage();
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement;
      const typing = at.closest("input,textarea,[contenteditable]");
      if (event.key !== "/" || typing || document.querySelector(above)) return;
      event.preventDefault();
      const all = box.current;
      (all?.querySelector<HTMLElement>(first) ?? all?.querySelector("input"))?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [active, box, above, first]);
}
