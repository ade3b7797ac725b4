import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Chosen } from "./chosen.panel.tsx";
import { CLASSES, type Place, fillOf, labelsOf, layOut, middleOf, radiusOf, widthOf } from "./map.rules.ts";
import type { overviewPlaces } from "./overview.contract.ts";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import "./overview.css";

/** A few places need no more than a strip. */
const boxOf = (places: number) => ({ width: 640, height: places > 4 ? 340 : 220, margin: 34 });
type Data = Reply<typeof overviewPlaces>;
type Placed = Data["stores"][number] & Place;
type Mark = Place & {
  key: string;
  name: string;
  rate: number | null;
  rooms: number;
  vacant: number;
  on: boolean;
  off: boolean;
  run: () => void;
};

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

/**
 * Cities where they lie, and within a city its stores: as large as their rooms and coloured by occupancy. A city leads
 * to its stores, a store narrows the whole page to itself.
 */
export function StoreMap({ data, chosen }: { data: Data; chosen: Chosen }) {
  const cities = data.cities.map((city) => city.name);
  const [picked, setCity] = useState<string>();
  const city = cities.length === 1 ? cities[0] : cities.find((name) => name === picked);
  const within = data.stores.filter((store) => city === undefined || store.city === city);
  const placed = within.filter((s): s is Placed => s.lng !== null && s.lat !== null);
  const missing = within.length - placed.length;
  const marks =
    city === undefined ? citiesIn(data, placed, setCity) : placed.map((store) => markOf(store, chosen));
  return (
    <div className="map">
      {cities.length > 1 && (
        <div className="seg map__cities wrap" role="radiogroup" aria-label="城市" data-picture="off">
          {[undefined, ...cities].map((name) => (
            <button
              key={name ?? ""}
              type="button"
              role="radio"
              aria-checked={name === city}
              className={name === city ? "on" : ""}
              onClick={() => setCity(name)}
            >
              {name ?? "全部城市"}
            </button>
          ))}
        </div>
      )}
      {marks.length ? <Marks marks={marks} /> : <p className="map__none fs-12 dim">门店还没有经纬度</p>}
      {missing > 0 && marks.length > 0 && (
        <p className="map__none fs-12 dim">{missing} 个门店没有经纬度，可在门店管理中补充</p>
      )}
    </div>
  );
}

const citiesIn = (data: Data, placed: readonly Placed[], open: (city: string) => void): Mark[] =>
  data.cities.flatMap(({ name, occupancyRate, rooms, vacant }) => {
    const stores = placed.filter((store) => store.city === name);
    if (!stores.length) return [];
    const rate = occupancyRate;
    return [
      {
        ...middleOf(stores),
        key: name,
        name,
        rate,
        rooms,
        vacant,
        on: false,
        off: false,
        run: () => open(name),
      },
    ];
  });

function markOf(
  { id, name, lng, lat, occupancyRate, rooms, vacant }: Placed,
  { villages, set }: Chosen,
): Mark {
  const on = villages.length === 1 && villages[0] === id;
  return {
    key: String(id),
    name,
    lng,
    lat,
    rate: occupancyRate,
    rooms,
    vacant,
    on,
    off: villages.length > 0 && !villages.includes(id),
    run: () => set({ villageIds: on ? undefined : String(id) }),
  };
}

const percent = (rate: number | null, digits: number) =>
  rate === null ? "—" : `${(rate * 100).toFixed(digits)}%`;

function Marks({ marks }: { marks: readonly Mark[] }) {
  const most = Math.max(...marks.map((m) => m.rooms));
  const box = boxOf(marks.length);
  const words = marks.map((m) => `${m.name} ${percent(m.rate, 1)}`);
  const spots = layOut(marks, box).map((spot, i) => ({
    ...spot,
    r: radiusOf(marks[i]!.rooms, most),
    width: widthOf(words[i]!),
  }));
  const labels = labelsOf(spots, box);
  return (
    <svg className="map__svg" viewBox={`0 0 ${box.width} ${box.height}`} role="group" aria-label="门店地图">
      {marks.map(({ key, name, rate, rooms, vacant, on, off, run }, i) => {
        const { x, y, r } = spots[i]!;
        const label = labels[i];
        return (
          <g
            key={key}
            role="button"
            tabIndex={0}
            aria-pressed={on}
            aria-label={`${name}，出租率 ${percent(rate, 2)}，${rooms} 间`}
            className={`map__spot ${off ? "map__spot--off" : ""}`}
            onClick={run}
            onKeyDown={(event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              run();
            }}
          >
            <title>{`${name}，出租率 ${percent(rate, 2)}，空置 ${vacant} 间，共 ${rooms} 间`}</title>
            <circle
              cx={x}
              cy={y}
              r={r}
              className={`map__dot map__dot--${rate === null ? "none" : fillOf(rate)}`}
            />
            {label && (
              <text x={label.x} y={label.y} textAnchor={label.anchor} className="map__name">
                {words[i]}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

const sameIds = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id) => b.includes(id));

/** Cities beside each other, the fullest first. A line narrows the page to its stores, pressed again opens it to all. */
export function Cities({ data, chosen }: { data: Reply<typeof overviewPlaces>; chosen: Chosen }) {
  const rows = data.cities.toSorted((a, b) => (b.occupancyRate ?? -1) - (a.occupancyRate ?? -1));
  const rents = rows.some((city) => city.avgRent !== undefined);
  return (
    <div className="cities">
      <table className="tbl tbl--flat">
        <Heads
          of={[
            "城市",
            ["出租率", "cities__bar"],
            ["空置", "num"],
            rents && ["平均租金", "num"],
            ["间数", "num"],
          ]}
        />
        <tbody>
          {rows.map(({ name, villageIds, occupancyRate: rate, vacant, avgRent, rooms }) => {
            const on = sameIds(villageIds, chosen.villages);
            return (
              <tr key={name} className={on ? "open" : ""}>
                <td>
                  <button
                    type="button"
                    className="linkish"
                    aria-pressed={on}
                    title={on ? "看全部门店" : `只看${name}的 ${villageIds.length} 个门店`}
                    onClick={() => chosen.set({ villageIds: on ? undefined : villageIds.join(",") })}
                  >
                    {name}
                  </button>
                </td>
                <td>
                  <span className="cities__rate grid gap-4">
                    <Rate rate={rate} />
                  </span>
                </td>
                <td className="num">{vacant}</td>
                {rents && <td className="num">{avgRent == null ? "—" : yuan(avgRent)}</td>}
                <td className="num">{rooms}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const Rate = ({ rate }: { rate: number | null }) => (
  <>
    <span className="ov__bar" aria-hidden>
      {rate !== null && (
        <i className={`ov__fill--${fillOf(rate)}`} style={{ width: `${Math.min(100, rate * 100)}%` }} />
      )}
    </span>
    <b className="num">{rate === null ? "—" : `${(rate * 100).toFixed(2)}%`}</b>
  </>
);

/** Every store's occupancy by district. A bar narrows the page to its store, pressed again it opens it to all. */
export function Stores({ data, chosen }: { data: Reply<typeof overviewPlaces>; chosen: Chosen }) {
  const fullest = data.stores.toSorted(
    (a, b) => (b.occupancyRate ?? -1) - (a.occupancyRate ?? -1) || a.id - b.id,
  );
  return (
    <div className="ov__cities">
      {[...Map.groupBy(fullest, (store) => store.district)].map(([district, stores]) => (
        <div key={district} role="group" aria-label={district}>
          <h3 className="fs-12 dim">{district}</h3>
          {stores.map(({ id, name, occupancyRate: rate, rooms }) => {
            const on = chosen.villages.includes(id);
            const alone = on && chosen.villages.length === 1;
            return (
              <button
                key={id}
                type="button"
                className={`ov__store fs-13 ${chosen.villages.length && !on ? "ov__store--off" : ""}`}
                aria-pressed={alone}
                title={alone ? "看全部门店" : `只看${name}`}
                onClick={() => chosen.set({ villageIds: alone ? undefined : String(id) })}
              >
                <span className="cut">{name}</span>
                <Rate rate={rate} />
                <small className="num dim">{rooms} 间</small>
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}
