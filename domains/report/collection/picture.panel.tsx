import { useQuery } from "@tanstack/react-query";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { short } from "../owing/picture.panel.tsx";
import { dailyCollection } from "./collection.contract.ts";
import { CHANNEL_COLUMNS } from "./collection.rules.ts";
import "../lock/report.css";

/** Share of each channel over the range, and what came in day by day: the table's own query, all days of it. */
export function CollectionPicture({
  query,
  filter,
}: {
  query: Record<string, unknown>;
  filter: (patch: Patch) => void;
}) {
  const { pageNo: _page, pageSize: _size, sort: _sort, want: _want, ...filters } = query;
  const { data, error, refetch } = useQuery(
    ask(dailyCollection, { query: { ...filters, pageSize: 200, order: "desc" } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  const used = CHANNEL_COLUMNS.filter((c) => (data.sums?.[c] ?? 0) > 0);
  if (!used.length) return <Empty text="这段时间没有收款" />;
  const days = data.list.toReversed();
  return (
    <div className="picture">
      <h3>渠道占比</h3>
      <Chart
        kind="pie"
        title="渠道占比"
        height={180}
        labels={used.map((c) => CHANNELS[c][0])}
        series={[{ name: "收款", values: used.map((c) => data.sums![c]) }]}
        format={yuan}
        onPick={(_, index) => filter({ channel: used[index] })}
      />
      <h3>每日收款</h3>
      <Chart
        kind="bar"
        stacked
        title="每日收款"
        height={220}
        labels={days.map((row) => row.day.slice(5))}
        series={used.map((c) => ({
          name: CHANNELS[c][0],
          values: days.map((row) => row[c]),
        }))}
        format={yuan}
        axis={short}
        onPick={(_, index) => filter({ from: days[index]?.day, to: days[index]?.day })}
      />
    </div>
  );
}
