import { useQuery } from "@tanstack/react-query";
import { pathTo, useGo } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toneOf } from "../indicator/indicator.rules.ts";
import { INDICATORS, type Code, shownValue } from "../indicator/figure.rules.ts";
import { useRuling } from "../indicator/ruled.panel.tsx";
import { completion } from "./target.contract.ts";
import { monthsOf } from "./target.rules.ts";

/** What was reached of each target; a cell opens the dashboard of its store and month. */
export function Heat({ code, year, villageIds }: { code: Code; year: number; villageIds: string }) {
  const go = useGo();
  const rule = useRuling().ruleOf(code);
  const { data, error, refetch } = useQuery(
    ask(completion, { query: { code, year, ...(villageIds && { villageIds }) } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  if (!data.length) return <Empty text="还没有门店" />;
  return (
    <div className="tg__scroll">
      <table className="tg tg--heat">
        <caption className="sr">{INDICATORS[code].title}完成情况</caption>
        <thead>
          <tr>
            <th scope="col">门店</th>
            {monthsOf(year).map((month) => (
              <th key={month} scope="col" className="num">
                {Number(month.slice(5))} 月
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map((row) => (
            <tr key={row.villageId}>
              <th scope="row">{row.name}</th>
              {row.cells.map((cell) => (
                <td
                  key={cell.month}
                  className={
                    cell.share === null || (cell.running && INDICATORS[code].adds)
                      ? ""
                      : `tg--${toneOf(cell.share, rule)}`
                  }
                >
                  <button
                    type="button"
                    title={`实际 ${shownValue(code, cell.actual) || "—"}，${cell.given ? "默认目标" : "目标"} ${shownValue(code, cell.target) || "未设置"}`}
                    aria-label={`${row.name} ${cell.month} 看板`}
                    onClick={() =>
                      go(
                        pathTo("/workbench/overview2", {
                          villageIds: String(row.villageId),
                          from: `${cell.month}-01`,
                        }),
                      )
                    }
                  >
                    <b>{cell.share === null ? "—" : `${(cell.share * 100).toFixed(2)}%`}</b>
                    <small>
                      {shownValue(code, cell.actual) || "—"}
                      {cell.running && cell.actual !== null && " · 未结束"}
                    </small>
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
