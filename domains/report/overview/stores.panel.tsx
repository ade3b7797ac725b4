import type { Reply } from "../../../platform/kernel/call.ts";
import type { Chosen } from "./chosen.panel.tsx";
import type { overviewRanking } from "./overview.contract.ts";
import "./pictures.css";

/** Colours of an occupancy rate, each from so much on. */
const CLASSES = [
  { from: 0.95, fill: "green", title: "95% 以上" },
  { from: 0.9, fill: "gold", title: "90–95%" },
  { from: 0.85, fill: "orange", title: "85–90%" },
  { from: 0, fill: "red", title: "85% 以下" },
] as const;
const fillOf = (rate: number) => CLASSES.find((c) => rate >= c.from)!.fill;

export const StoreKeys = () => (
  <span className="ov__keys">
    {CLASSES.map(({ fill, title }) => (
      <span key={fill}>
        <i className={`ov__fill--${fill}`} />
        {title}
      </span>
    ))}
  </span>
);

/** Every store's occupancy by district. A bar narrows the page to its store, pressed again it opens it to all. */
export function Stores({ data, chosen }: { data: Reply<typeof overviewRanking>; chosen: Chosen }) {
  return (
    <div className="ov__cities">
      {[...Map.groupBy(data.list, (store) => store.district)].map(([district, stores]) => (
        <div key={district} role="group" aria-label={district}>
          <h3>{district}</h3>
          {stores.map(({ id, name, occupancyRate: rate = null, rooms }) => {
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
