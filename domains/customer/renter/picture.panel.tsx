import { useQuery } from "@tanstack/react-query";
import { lastOf } from "../../../platform/kernel/day.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { Figure } from "../../../platform/console/charts/figure.tsx";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { renterStrip } from "./renter.contract.ts";
import { STAGES } from "./words.rules.ts";
import "../record/record.css";

/** How many of each stage, and how many new each month; a click shows them. */
export function RenterPicture({
  query,
  filter,
}: {
  query: Record<string, unknown>;
  filter: (patch: Patch) => void;
}) {
  const { villageIds } = query as { villageIds?: string };
  const { data, error, refetch } = useQuery(
    ask(renterStrip, { query: { ...(villageIds && { villageIds }) } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  return (
    <div className="pic">
      <h3>各阶段人数</h3>
      <div className="stages grid gap-2">
        {data.stages.map((s) => (
          <Figure
            key={s.stage}
            title={STAGES[s.stage][0]}
            value={s.count.toLocaleString("en-US")}
            unit="人"
            run={() => filter({ stage: s.stage })}
          />
        ))}
      </div>
      <h3>近 12 个月新增</h3>
      <Chart
        kind="bar"
        title="近 12 个月新增租客"
        height={200}
        labels={data.months.map((m) => m.month.slice(2))}
        series={[{ name: "新增", values: data.months.map((m) => m.count), tone: "blue" }]}
        onPick={(_label, i) => {
          const month = data.months[i]?.month;
          if (month) filter({ createdFrom: `${month}-01`, createdTo: lastOf(month) });
        }}
      />
    </div>
  );
}
