import { type RefObject, useEffect, useMemo, useState } from "react";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { type Patch, useAddress } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import {
  type Day,
  addToMonth,
  dayInZone,
  firstOf,
  isDay,
  lastOf,
  monthOf,
} from "../../../platform/kernel/day.ts";
import { fillOf } from "./map.rules.ts";
import { AGAINST, type Against, BASES, type Basis, GRAINS, type Grain, periodAt } from "./overview.rules.ts";
import type { overviewPlaces } from "./places.contract.ts";
import "./overview.css";

const oneOf = <K extends string>(words: Record<K, unknown>, value: string | null, other: K): K =>
  value !== null && value in words ? (value as K) : other;

/** What the page is about: all of it stands in the address, so that a link shows the same. */
export function useChosen() {
  const [address, set] = useAddress();
  const today = dayInZone(new Date());
  const search = address.toString();
  return useMemo(() => {
    const at = new URLSearchParams(search);
    const grain = oneOf<Grain>(GRAINS, at.get("grain"), "month");
    const from = at.get("from") ?? undefined;
    const to = at.get("to") ?? undefined;
    const anchor: Day = from ?? today;
    const period =
      grain === "range"
        ? { from: from ?? firstOf(monthOf(today)), to: to ?? today }
        : periodAt(grain, anchor);
    const villageIds = at.get("villageIds") ?? "";
    const wished = at.get("asOf");
    const asOf = wished && isDay(wished) && wished < today ? wished : undefined;
    const of = { ...(villageIds && { villageIds }), ...(asOf && { asOf }) };
    return {
      grain,
      period,
      today,
      against: oneOf<Against>(AGAINST, at.get("against"), "target"),
      basis: oneOf<Basis>(BASES, at.get("basis"), "incomeAccrued"),
      villages: villageIds ? villageIds.split(",").map(Number) : [],
      /** The day whose end is looked back from; today where none is chosen. */
      asOf: asOf ?? today,
      /** What every block asks for; `standing` for those that know no period. */
      query: { from: period.from, to: period.to, ...of },
      standing: of,
      only: villageIds ? { villageIds } : {},
      set: (patch: Patch) => set(patch),
      /** The records behind a figure that are looked at: "moved.came". */
      records: at.get("records"),
      show: (records: string | undefined) => set({ records }, { push: records !== undefined }),
    };
  }, [search, today, set]);
}
export type Chosen = ReturnType<typeof useChosen>;

/** The day that begins the neighbour of a period. */
export const neighbour = (grain: Exclude<Grain, "range">, from: Day, step: 1 | -1): Day =>
  firstOf(addToMonth(monthOf(from), step * { month: 1, quarter: 3, year: 12 }[grain]));

/** 2026-11, 2026 年三季度, 2026 年. */
export function periodName(grain: Grain, { from, to }: { from: Day; to: Day }): string {
  if (grain === "month") return monthOf(from);
  if (grain === "year") return `${from.slice(0, 4)} 年`;
  if (grain === "quarter")
    return `${from.slice(0, 4)} 年${"一二三四"[Math.floor((Number(from.slice(5, 7)) - 1) / 3)]}季度`;
  return `${from} ~ ${to}`;
}
/** The period in the fewest words, beside a figure that is an average of its days: "11 月", "四季度", "全年". */
export const shortPeriod = (grain: Grain, { from }: { from: Day }): string =>
  grain === "month"
    ? `${Number(from.slice(5, 7))} 月`
    : grain === "quarter"
      ? `${"一二三四"[Math.floor((Number(from.slice(5, 7)) - 1) / 3)]}季度`
      : grain === "year"
        ? "全年"
        : "期间";
export const wholeMonthOf = (day: Day) => ({ from: firstOf(monthOf(day)), to: lastOf(monthOf(day)) });

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
