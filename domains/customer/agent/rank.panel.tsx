import { useQuery } from "@tanstack/react-query";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { rankAgents } from "./agent.contract.ts";

/** The ten who brought most contracts in the period. */
export function Ranking({ query, onPick }: { query: Record<string, unknown>; onPick: (id: number) => void }) {
  const { villageIds, agencyId, state, from, to, keyword } = query as Record<string, string>;
  const { data, error, refetch } = useQuery(
    ask(rankAgents, { query: { villageIds, agencyId, state, from, to, keyword } as never }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  if (!data.length) return <Empty text="所选时间没有经纪人介绍的客源" />;
  return (
    <Chart
      kind="bar"
      title="经纪人成交排名"
      height={260}
      labels={data.map((a) => a.name)}
      series={[
        { name: "客源", values: data.map((a) => a.leads), tone: "grey" },
        { name: "成交", values: data.map((a) => a.deals), tone: "green" },
      ]}
      onPick={(_, index) => data[index] && onPick(data[index].id)}
    />
  );
}
