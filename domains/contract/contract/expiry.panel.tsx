import { useQuery } from "@tanstack/react-query";
import { lastOf, firstOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { shapeOf } from "../../../platform/console/list/list-schema.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { expiryChart } from "./contract.contract.ts";

const short = (month: string) => (month.endsWith("-01") ? month.slice(2) : month.slice(5));

/** What ends in the next twelve months, and what was signed and left in the last, over the filter of the list. */
export function ExpiryPicture({
  query,
  filter,
}: {
  query: Record<string, unknown>;
  filter: (patch: Patch) => void;
}) {
  const known = shapeOf(expiryChart.query);
  const sent = Object.fromEntries(Object.entries(query).filter(([key]) => key in known));
  const { data, error, refetch } = useQuery(ask(expiryChart, { query: sent }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  const { ending, trend } = data;
  return (
    <div className="pic">
      <h3>未来 12 个月到期</h3>
      <Chart
        title="未来 12 个月到期"
        kind="bar"
        height={200}
        labels={ending.map((m) => short(m.month))}
        series={[{ name: "到期合同", values: ending.map((m) => m.count), tone: "orange" }]}
        format={(n) => `${n} 份`}
        onPick={(_, i) => {
          const { month } = ending[i]!;
          filter({ endFrom: firstOf(month), endTo: lastOf(month) });
        }}
      />
      <p className="dim pic__note">
        共 {ending.reduce((s, m) => s + m.count, 0)} 份，月租 {yuan(ending.reduce((s, m) => s + m.rent, 0))}
        ；点击按到期日筛选
      </p>
      <h3>近 12 个月签约与退租</h3>
      <Chart
        title="近 12 个月签约与退租"
        kind="line"
        height={200}
        labels={trend.map((m) => short(m.month))}
        series={[
          { name: "签约", values: trend.map((m) => m.signed), tone: "blue" },
          { name: "退租", values: trend.map((m) => m.left), tone: "purple" },
        ]}
        format={(n) => `${n} 份`}
      />
    </div>
  );
}
