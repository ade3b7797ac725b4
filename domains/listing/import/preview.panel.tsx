import { Figure, Figures } from "../../../platform/console/figure.tsx";
import { Money } from "../../../platform/console/kinds.tsx";
import { StatusTag } from "../../../platform/console/tag.tsx";
import type { ImportPreview } from "./preview.rules.ts";

const COUNTS = [
  ["buildings", "楼栋", "栋"],
  ["units", "单元", "个"],
  ["floors", "楼层", "层"],
  ["apartments", "房源", "套"],
  ["rooms", "房间", "间"],
  ["prices", "标价", "条"],
] as const;
const count = (n: number) => n.toLocaleString("en-US");

/** How many of each will be made, or were. */
export const Counts = ({ made }: { made: ImportPreview["made"] }) => (
  <Figures>
    {COUNTS.map(([key, title, unit]) => (
      <Figure key={key} title={`新建${title}`} value={count(made[key])} unit={unit} />
    ))}
  </Figures>
);

/** What the file would make, with totals to compare with the sheet's own. */
export function Preview({ preview: p }: { preview: ImportPreview }) {
  const sum = (of: (v: ImportPreview["villages"][number]) => number) =>
    p.villages.reduce((n, v) => n + of(v), 0);
  return (
    <>
      <Counts made={p.made} />
      <div className="intake__pair">
        <div>
          <h3>各门店合计</h3>
          <div className="box intake__scroll">
            <table className="tbl">
              <thead>
                <tr>
                  <th>门店</th>
                  <th className="num">房源</th>
                  <th className="num">可租房间</th>
                  <th className="num">标价合计</th>
                </tr>
              </thead>
              <tbody>
                {p.villages.map((v) => (
                  <tr key={v.id}>
                    <td>{v.name}</td>
                    <td className="num">{count(v.apartments)}</td>
                    <td className="num">{count(v.rooms)}</td>
                    <td className="num">
                      <Money fen={v.listPrice} />
                    </td>
                  </tr>
                ))}
                <tr className="sum">
                  <td>合计</td>
                  <td className="num">{count(sum((v) => v.apartments))}</td>
                  <td className="num">{count(sum((v) => v.rooms))}</td>
                  <td className="num">
                    <Money fen={sum((v) => v.listPrice)} />
                  </td>
                </tr>
              </tbody>
            </table>
          </div>
        </div>
        <div>
          <h3>楼栋</h3>
          <div className="box intake__scroll">
            <table className="tbl">
              <thead>
                <tr>
                  <th>门店</th>
                  <th>楼栋</th>
                  <th className="num">楼层</th>
                  <th className="num">房源</th>
                  <th className="num">可租房间</th>
                </tr>
              </thead>
              <tbody>
                {p.buildings.map((b) => (
                  <tr key={`${b.village} ${b.name}`}>
                    <td>{b.village}</td>
                    <td>
                      {b.name}{" "}
                      {b.isNew && (
                        <StatusTag tone="blue" dot={false}>
                          新建
                        </StatusTag>
                      )}
                    </td>
                    <td className="num">{count(b.floors)}</td>
                    <td className="num">{count(b.apartments)}</td>
                    <td className="num">{count(b.rooms)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      </div>
      <div>
        <h3>前 {p.rows.length} 行</h3>
        <div className="box intake__scroll">
          <table className="tbl">
            <thead>
              <tr>
                <th className="num">行</th>
                <th>门店</th>
                <th>位置</th>
                <th>出租方式</th>
                <th>房间</th>
                <th className="num">建筑面积 ㎡</th>
                <th className="num">标价</th>
              </tr>
            </thead>
            <tbody>
              {p.rows.map((r) => (
                <tr key={r.row}>
                  <td className="num dim">{r.row}</td>
                  <td>{r.village}</td>
                  <td>{r.place}</td>
                  <td>{r.mode}</td>
                  <td>{r.rooms}</td>
                  <td className="num">{r.area.toFixed(2)}</td>
                  <td className="num">
                    <Money fen={r.listPrice} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </>
  );
}
