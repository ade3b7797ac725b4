import { Select } from "antd";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { type IndicatorRow, listIndicators } from "../budget-indicator/budget-indicator.contract.ts";
import { UNITS } from "../budget-indicator/source.rules.ts";
import { MONTHS } from "../budget-indicator/value.rules.ts";
import { exportIndicatorBudgets, indicatorBudgets } from "./budget.contract.ts";
import { GRID, gridPath } from "./budget.panel.tsx";
import { percentOf } from "./reached.panel.tsx";
import { useYear } from "./year.panel.tsx";
import "../target/target.css";

/** 预算指标明细: one indicator over all stores. Read only: an approval covers one store, so it is edited there. */
export default function IndicatorDetailPage() {
  return (
    <Loaded call={listIndicators} sent={{ query: { pageSize: 200, want: "rows" } }} lines={12}>
      {({ list }) =>
        list.length ? <Detail indicators={list} /> : <Empty text="还没有预算指标，请先在预算配置中添加" />
      }
    </Loaded>
  );
}

function Detail({ indicators }: { indicators: readonly IndicatorRow[] }) {
  const [address, set] = useAddress();
  const go = useGo();
  useYear({ which: "inForce" });
  const one =
    indicators.find((i) => i.id === Number(address.get("indicatorId"))) ??
    indicators.find((i) => i.must) ??
    indicators[0]!;
  return (
    <div className="stack full gap-4">
      <div className="row wrap">
        <span className="sub">指标</span>
        <Select
          aria-label="指标"
          value={one.id}
          style={{ width: 220 }}
          showSearch={{ optionFilterProp: "label" }}
          options={indicators.map((i) => ({ value: i.id, label: `${"　".repeat(i.level)}${i.name}` }))}
          labelRender={() => one.name}
          onChange={(id) => set({ indicatorId: id, pageNo: undefined })}
        />
        <span className="dim">{`单位：${UNITS[one.unit][0]}；${one.sourceText}`}</span>
      </div>
      <div className="fill">
        <ListPage
          key={one.id}
          call={indicatorBudgets}
          params={{ indicatorId: one.id }}
          unit="个门店"
          sort={{ sort: "whole", order: "desc" }}
          filters={["year", "which", "villageIds"]}
          columns={[
            { key: "villageName", to: (row) => gridPath(row.id, one.id) },
            ...MONTHS.map((m) => `m${m}` as "m1"),
            { key: "whole", strong: true },
            ...(one.unit === "yuan" && one.agg === "sum" ? ["share" as const] : []),
            "before",
            "growth",
            { key: "no", hidden: true },
            { key: "state", hidden: true },
          ]}
          card={{ title: "villageName", right: "whole", lines: [["before", "growth"]] }}
          rowActions={(row) => [
            {
              label: "打开门店预算",
              need: "136.query",
              run: () => go(GRID, { versionId: row.id, indicatorId: one.id }),
            },
          ]}
          picture={(query) => <Growth indicator={one} query={query} />}
          exportCall={exportIndicatorBudgets}
          emptyText="所选年度没有生效的预算"
        />
      </div>
    </div>
  );
}

const toneOfGrowth = (share: number, { better }: IndicatorRow) =>
  share >= 0 === (better === "up") || share === 0 ? "tg--green" : "tg--red";

/** How much each store plans above the year before, month by month. */
function Growth({ indicator, query }: { indicator: IndicatorRow; query: Record<string, unknown> }) {
  return (
    <Loaded
      call={indicatorBudgets}
      sent={{ params: { indicatorId: indicator.id }, query: { ...query, want: "rows" } as never }}
      lines={6}
    >
      {({ list }) => (
        <div className="tg__scroll" tabIndex={0} role="region" aria-label="预算表格">
          <table className="tg tg--heat">
            <caption className="fs-12 dim">{`${indicator.name}：各月预算比上年实际的增长率`}</caption>
            <thead>
              <tr>
                <th scope="col">门店</th>
                {MONTHS.map((m) => (
                  <th key={m} scope="col" className="num">
                    {m} 月
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {list.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.villageName}</th>
                  {row.grown.map((share, i) => (
                    <td
                      key={i}
                      className={`tg__calc ${share === null ? "" : toneOfGrowth(share, indicator)}`}
                    >
                      {share === null ? "—" : percentOf(share)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Loaded>
  );
}
