import { useEffect, useState, type RefObject } from "react";

/** What stands on the wall at once: the elements of the page with the class wall--<part>. */
const PARTS = ["figures", "pictures", "map", "rank"] as const;
const TURN_MS = 20_000;

/** The dashboard on a wall: the whole screen, one part after the other. Escape ends it. */
export function useWall(box: RefObject<HTMLDivElement | null>) {
  const [on, setOn] = useState(false);
  const [at, setAt] = useState(0);
  useEffect(() => {
    const follow = () => setOn(document.fullscreenElement === box.current);
    addEventListener("fullscreenchange", follow);
    return () => removeEventListener("fullscreenchange", follow);
  }, [box]);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => setAt((part) => (part + 1) % PARTS.length), TURN_MS);
    return () => clearInterval(timer);
  }, [on]);
  return {
    on,
    part: on ? PARTS[at] : undefined,
    start: () => {
      setAt(0);
      void box.current?.requestFullscreen();
    },
  };
}
