import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Chosen } from "./chosen.panel.tsx";
import { fillOf } from "./map.rules.ts";
import type { overviewPlaces } from "./places.contract.ts";

const sameIds = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id) => b.includes(id));

/** Cities beside each other, the fullest first. A line narrows the page to its stores, pressed again opens it to all. */
export function Cities({ data, chosen }: { data: Reply<typeof overviewPlaces>; chosen: Chosen }) {
  const rows = data.cities.toSorted((a, b) => (b.occupancyRate ?? -1) - (a.occupancyRate ?? -1));
  const rents = rows.some((city) => city.avgRent !== undefined);
  return (
    <div className="cities">
      <table className="tbl tbl--flat">
        <thead>
          <tr>
            <th>城市</th>
            <th className="cities__bar">出租率</th>
            <th className="num">空置</th>
            {rents && <th className="num">平均租金</th>}
            <th className="num">间数</th>
          </tr>
        </thead>
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
                    <span className="ov__bar" aria-hidden>
                      {rate !== null && (
                        <i
                          className={`ov__fill--${fillOf(rate)}`}
                          style={{ width: `${Math.min(100, rate * 100)}%` }}
                        />
                      )}
                    </span>
                    <b className="num">{rate === null ? "—" : `${(rate * 100).toFixed(2)}%`}</b>
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
