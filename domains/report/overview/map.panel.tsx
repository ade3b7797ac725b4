import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Chosen } from "./chosen.panel.tsx";
import { CLASSES, fillOf, layOut, radiusOf } from "./map.rules.ts";
import type { overviewPlaces } from "./places.contract.ts";
import "./map.css";

const BOX = { width: 640, height: 340, margin: 34 };
type Store = Reply<typeof overviewPlaces>["stores"][number];

export const RateKeys = () => (
  <span className="ov__keys">
    {CLASSES.map(({ fill, title }) => (
      <span key={fill}>
        <i className={`ov__fill--${fill}`} />
        {title}
      </span>
    ))}
  </span>
);

const percent = (rate: number | null) => (rate === null ? "—" : `${(rate * 100).toFixed(2)}%`);

/** Stores where they stand, as large as their rooms and coloured by occupancy. A spot narrows the page to its store. */
export function StoreMap({ data, chosen }: { data: Reply<typeof overviewPlaces>; chosen: Chosen }) {
  const cities = data.cities.map((city) => city.name);
  const [city, setCity] = useState<string>();
  const on = city !== undefined && cities.includes(city) ? city : undefined;
  const within = data.stores.filter((store) => on === undefined || store.city === on);
  const placed = within.filter(
    (s): s is Store & { lng: number; lat: number } => s.lng !== null && s.lat !== null,
  );
  const missing = within.length - placed.length;
  return (
    <div className="map">
      {cities.length > 1 && (
        <div className="seg map__cities" role="radiogroup" aria-label="城市">
          {[undefined, ...cities].map((name) => (
            <button
              key={name ?? ""}
              type="button"
              role="radio"
              aria-checked={name === on}
              className={name === on ? "on" : ""}
              onClick={() => setCity(name)}
            >
              {name ?? "全国"}
            </button>
          ))}
        </div>
      )}
      {placed.length ? (
        <Spots stores={placed} chosen={chosen} />
      ) : (
        <p className="map__none">门店还没有经纬度</p>
      )}
      {missing > 0 && placed.length > 0 && (
        <p className="map__none">{missing} 个门店没有经纬度，可在门店管理中补充</p>
      )}
    </div>
  );
}

function Spots({
  stores,
  chosen,
}: {
  stores: readonly (Store & { lng: number; lat: number })[];
  chosen: Chosen;
}) {
  const spots = layOut(stores, BOX);
  const most = Math.max(...stores.map((s) => s.rooms));
  const few = stores.length <= 16;
  const turn = (id: number, alone: boolean) => chosen.set({ villageIds: alone ? undefined : String(id) });
  return (
    <svg className="map__svg" viewBox={`0 0 ${BOX.width} ${BOX.height}`} role="group" aria-label="门店地图">
      {stores.map((store, i) => {
        const { x, y } = spots[i]!;
        const { id, name, occupancyRate: rate, rooms } = store;
        const r = radiusOf(rooms, most);
        const alone = chosen.villages.length === 1 && chosen.villages[0] === id;
        const off = chosen.villages.length > 0 && !chosen.villages.includes(id);
        const left = x > BOX.width - 110;
        return (
          <g
            key={id}
            role="button"
            tabIndex={0}
            aria-pressed={alone}
            aria-label={`${name}，出租率 ${percent(rate)}，${rooms} 间`}
            className={`map__spot ${off ? "map__spot--off" : ""}`}
            onClick={() => turn(id, alone)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              turn(id, alone);
            }}
          >
            <title>{`${name}，出租率 ${percent(rate)}，空置 ${store.vacant} 间，共 ${rooms} 间`}</title>
            <circle
              cx={x}
              cy={y}
              r={r}
              className={`map__dot map__dot--${rate === null ? "none" : fillOf(rate)}`}
            />
            {few && (
              <text
                x={left ? x - r - 5 : x + r + 5}
                y={y + 4}
                textAnchor={left ? "end" : "start"}
                className="map__name"
              >
                {name} {rate === null ? "—" : `${(rate * 100).toFixed(1)}%`}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
