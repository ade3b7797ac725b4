import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { merchantStrip, merchantWords } from "./merchant.contract.ts";

/** Floor area by 业态; a click shows its merchants. */
export function MerchantPicture({
  query,
  filter,
}: {
  query: Record<string, unknown>;
  filter: (patch: Patch) => void;
}) {
  const { villageIds } = query as { villageIds?: string };
  const { data, error, refetch } = useQuery(
    ask(merchantStrip, { query: { ...(villageIds && { villageIds }) } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  return (
    <div className="pic">
      <h3>各业态在租面积</h3>
      {data.length ? (
        <Chart
          kind="bar"
          title="各业态在租面积（㎡）"
          height={240}
          labels={data.map((s) => s.category)}
          series={[{ name: "面积", values: data.map((s) => s.area), tone: "blue" }]}
          onPick={(category) => filter({ category })}
        />
      ) : (
        <Empty text="还没有商户" />
      )}
    </div>
  );
}

const NOTHING = { categories: [], tags: [] };

/** Words that forms and filters of merchants offer. */
export const useMerchantWords = () =>
  useQuery({ ...ask(merchantWords, {}), staleTime: 60_000 }).data ?? NOTHING;
