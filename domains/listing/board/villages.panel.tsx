import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Help } from "../../../platform/console/detail/facts.tsx";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { boardSummary } from "../status/overview.contract.ts";
import { type Counts, type Sieve, chosenCount } from "./sieve.rules.ts";
import { CHARACTER, OCCUPANCIES, OCCUPANCY_KEYS, VACANCY_HELP } from "../status/status.rules.ts";

type Column = {
  key: keyof Counts;
  title: string;
  help?: string;
  /** The filter of the board that has exactly this count. */
  opens?: Patch;
};
/** Why the rate beside it is not of these rooms alone. */
const EMPTY_HELP = "没有租约也没有预订的房间，含维修和停用的；空置率按可租减在租计算";
const COLUMNS: readonly Column[] = [
  { key: "inStock", title: "总数" },
  { key: "base", title: "可租" },
  { key: "let", title: "在租" },
  { key: "vacant", title: "空置", help: EMPTY_HELP, opens: { occ: "vacant" } },
  { key: "vacancyRate", title: "空置率", help: VACANCY_HELP },
  { key: "arrearsRooms", title: "欠费间数", opens: { flag: "arrears" } },
  { key: "arrearsFen", title: "欠费" },
  { key: "expiring", title: "30 天内到期", opens: { occ: "expiring" } },
  { key: "holdingOver", title: "到期未退", opens: { occ: "holdingOver" } },
  { key: "dirty", title: "待保洁", opens: { cond: "dirty" } },
  { key: "offline", title: "停用", opens: { cond: "offline" } },
];

function text(counts: Counts, key: keyof Counts): string {
  const value = counts[key];
  if (value === null) return "—";
  if (key === "vacancyRate") return `${(value * 100).toFixed(2)}%`;
  return key === "arrearsFen" ? yuan(value) : value.toLocaleString("en-US");
}

type Props = {
  day: Day | undefined;
  /** As in the address; undefined is every village. */
  villageIds: string | undefined;
  /** What the boards will be filtered by; the count of it stands first. */
  sieve: Sieve;
  onOpen: (villageId: number, filter?: Patch) => void;
  onClear: () => void;
};

/** 全部门店: one row each, the emptiest first; the bar shows the seven values to scale, each count opens its rooms. */
export function Villages({ day, villageIds, sieve, onOpen, onClear }: Props) {
  const { data, error, refetch } = useQuery(ask(boardSummary, { query: { day, villageIds } }));
  const wanted = chosenCount(sieve);
  const [by, setBy] = useState<keyof Counts>();
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton />;
  if (!data.list.length) return <Empty text="还没有房间：先在门店管理和房源列表中建立房源" />;
  const rankOf = (row: Counts) => (by ? (row[by] ?? -1) : wanted ? wanted.of(row) : 0);
  const rows = data.list.toSorted((a, b) => rankOf(b) - rankOf(a));
  const columns = COLUMNS.filter((c) => c.title !== wanted?.title);
  const counted = (row: Counts, open?: (filter?: Patch) => void) => (
    <>
      {wanted && (
        <td className="num">
          <b>{wanted.of(row).toLocaleString("en-US")}</b>
        </td>
      )}
      {columns.map(({ key, title, opens }) => (
        <td key={key} className="num">
          {open && opens && row[key] ? (
            <button
              type="button"
              className="rb__count"
              title={`查看${title}的房间`}
              onClick={(event) => {
                event.stopPropagation();
                open({ occ: undefined, cond: undefined, flag: undefined, empty: undefined, ...opens });
              }}
            >
              {text(row, key)}
            </button>
          ) : (
            text(row, key)
          )}
        </td>
      ))}
    </>
  );
  return (
    <section className="card rb__villages stack">
      {(villageIds || wanted) && (
        <div className="rb__asked row gap-6 fs-13" role="status">
          {villageIds && <span>{data.list.length} 个门店</span>}
          {wanted && <span>{wanted.title}，点门店查看</span>}
          <Button size="sm" look="text" run={onClear}>
            查看全部门店
          </Button>
        </div>
      )}
      <div className="rb__keys fs-12 sub">
        {OCCUPANCY_KEYS.map((key) => (
          <span key={key}>
            <i className={`rb__sw t-${key}`}>{CHARACTER[key]}</i>
            {OCCUPANCIES[key][0]}
          </span>
        ))}
      </div>
      <div className="rb__vtable">
        <table className="tbl">
          <thead>
            <tr>
              <th>门店</th>
              <th>构成</th>
              {wanted && (
                <th className="num" aria-sort={by ? "none" : "descending"}>
                  {wanted.title}
                </th>
              )}
              {columns.map(({ key, title, help }) => (
                <th key={key} className="num" aria-sort={by === key ? "descending" : "none"}>
                  <button
                    type="button"
                    className={`rb__by ${by === key ? "on" : ""}`}
                    onClick={() => setBy(by === key ? undefined : key)}
                  >
                    {title}
                  </button>
                  {help && <Help text={help} />}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.villageId} onClick={() => onOpen(row.villageId)}>
                <td>
                  <button type="button" className="linkish" onClick={() => onOpen(row.villageId)}>
                    {row.name}
                  </button>
                </td>
                <td>
                  <Scale counts={row} />
                </td>
                {counted(row, (filter) => onOpen(row.villageId, filter))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th>合计 {data.list.length} 个门店</th>
              <td>
                <Scale counts={data.sums} />
              </td>
              {counted(data.sums)}
            </tr>
          </tfoot>
        </table>
      </div>
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
