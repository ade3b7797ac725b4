import type { Reply } from "../../../platform/kernel/call.ts";
import type { Chosen } from "./chosen.panel.tsx";
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
