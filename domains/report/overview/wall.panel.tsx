import { useEffect, useState, type RefObject } from "react";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { periodName, type Chosen } from "./chosen.panel.tsx";

/** What stands on the wall at once: the elements of the page with the class wall--<part>. */
const PARTS = ["figures", "pictures", "map", "rank"] as const;
const TURN_MS = 20_000;

/** What the wall is about, since nobody before it can ask: which stores, which period, until when. */
export function WallTitle({ chosen: { villages, grain, period, asOf } }: { chosen: Chosen }) {
  const { data = [] } = useVillages();
  const one = villages.length === 1 && data.find((village) => village.value === villages[0]);
  return (
    <p className="ov__wall row baseline gap-8 sub wall--figures wall--pictures wall--map wall--rank">
      <b>数据看板</b>
      <span>{one ? one.label : `${villages.length || data.length} 个门店`}</span>
      <span>{periodName(grain, period)}</span>
      <span className="grow" />
      <span>截至 {asOf}</span>
    </p>
  );
}

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
