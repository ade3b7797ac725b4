import { useQuery } from "@tanstack/react-query";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Help } from "../../../platform/console/facts.tsx";
import { ask } from "../../../platform/console/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/states.tsx";
import { boardSummary } from "./overview.contract.ts";
import { CHARACTER, OCCUPANCY_KEYS, VACANCY_HELP } from "./status.rules.ts";
import { OCCUPANCIES } from "./words.rules.ts";

type Counts = Awaited<ReturnType<ReturnType<typeof ask<typeof boardSummary>>["queryFn"]>>["sums"];

const COLUMNS: readonly [title: string, of: (c: Counts) => number | string, help?: string][] = [
  ["总数", (c) => c.inStock],
  ["可租", (c) => c.base],
  ["在租", (c) => c.let],
  ["空置", (c) => c.vacant],
  ["空置率", (c) => (c.vacancyRate === null ? "—" : `${(c.vacancyRate * 100).toFixed(2)}%`), VACANCY_HELP],
  ["欠费间数", (c) => c.arrearsRooms],
  ["欠费", (c) => yuan(c.arrearsFen)],
  ["到期30天", (c) => c.expiring],
  ["到期未退", (c) => c.holdingOver],
  ["待保洁", (c) => c.dirty],
  ["停用", (c) => c.offline],
];

const text = (value: number | string) => (typeof value === "number" ? value.toLocaleString("en-US") : value);

/** 全部门店: one row each, the emptiest first; the bar shows the seven values to scale. */
export function Villages({ day, onOpen }: { day: Day | undefined; onOpen: (villageId: number) => void }) {
  const { data, error, refetch } = useQuery(ask(boardSummary, { query: { day } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton />;
  if (!data.list.length) return <Empty text="还没有房间：先在门店管理和房源列表中建立房源" />;
  return (
    <section className="card rb__villages">
      <div className="rb__keys">
        {OCCUPANCY_KEYS.map((key) => (
          <span key={key}>
            <i className={`rb__sw t-${key}`}>{CHARACTER[key]}</i>
            {OCCUPANCIES[key][0]}
          </span>
        ))}
      </div>
      <table className="tbl">
        <thead>
          <tr>
            <th>门店</th>
            <th>构成</th>
            {COLUMNS.map(([title, , help]) => (
              <th key={title} className="num">
                {title}
                {help && <Help text={help} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.list.map((row) => (
            <tr key={row.villageId} onClick={() => onOpen(row.villageId)}>
              <td>
                <button type="button" className="linkish" onClick={() => onOpen(row.villageId)}>
                  {row.name}
                </button>
              </td>
              <td>
                <Scale counts={row} />
              </td>
              {COLUMNS.map(([title, of]) => (
                <td key={title} className="num">
                  {text(of(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th>合计 {data.list.length} 个门店</th>
            <td>
              <Scale counts={data.sums} />
            </td>
            {COLUMNS.map(([title, of]) => (
              <td key={title} className="num">
                <b>{text(of(data.sums))}</b>
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

const Scale = ({ counts }: { counts: Counts }) => (
  <span
    className="rb__scale"
    role="img"
    aria-label={OCCUPANCY_KEYS.map((key) => `${OCCUPANCIES[key][0]} ${counts[key]}`).join("，")}
  >
    {OCCUPANCY_KEYS.filter((key) => counts[key]).map((key) => (
      <i
        key={key}
        className={`t-${key}`}
        style={{ flex: counts[key] }}
        title={`${OCCUPANCIES[key][0]} ${counts[key]}`}
      />
    ))}
  </span>
);
