import { type RefObject, useEffect, useState } from "react";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type Chosen, periodName } from "./chosen.panel.tsx";
import { fillOf } from "./map.rules.ts";
import type { overviewPlaces } from "./places.contract.ts";
import "./overview.css";

/** Every store's occupancy by district. A bar narrows the page to its store, pressed again it opens it to all. */
export function Stores({ data, chosen }: { data: Reply<typeof overviewPlaces>; chosen: Chosen }) {
  const fullest = data.stores.toSorted(
    (a, b) => (b.occupancyRate ?? -1) - (a.occupancyRate ?? -1) || a.id - b.id,
  );
  return (
    <div className="ov__cities">
      {[...Map.groupBy(fullest, (store) => store.district)].map(([district, stores]) => (
        <div key={district} role="group" aria-label={district}>
          <h3>{district}</h3>
          {stores.map(({ id, name, occupancyRate: rate, rooms }) => {
            const on = chosen.villages.includes(id);
            const alone = on && chosen.villages.length === 1;
            return (
              <button
                key={id}
                type="button"
                className={`ov__store ${chosen.villages.length && !on ? "ov__store--off" : ""}`}
                aria-pressed={alone}
                title={alone ? "看全部门店" : `只看${name}`}
                onClick={() => chosen.set({ villageIds: alone ? undefined : String(id) })}
              >
                <span className="cut">{name}</span>
                <span className="ov__bar" aria-hidden>
                  {rate !== null && (
                    <i
                      className={`ov__fill--${fillOf(rate)}`}
                      style={{ width: `${Math.min(100, rate * 100)}%` }}
                    />
                  )}
                </span>
                <b className="num">{rate === null ? "—" : `${(rate * 100).toFixed(2)}%`}</b>
                <small className="num">{rooms} 间</small>
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

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
