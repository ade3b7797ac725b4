import { useEffect } from "react";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { pathTo, useAddress, useGo } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { shortYuan } from "../workbench/trend.rules.ts";
import type { Chosen } from "./chosen.panel.tsx";
import type { overviewSeries } from "./overview.contract.ts";
import { BASES, type Basis, INDICATORS } from "./overview.rules.ts";

const TONES = { incomeAccrued: "blue", billed: "gold", collected: "green" } as const satisfies Record<
  Basis,
  string
>;

/** What was earned, charged and taken in each of thirteen months. A bar turns the page to its month. */
export function Incomes({
  data,
  chosen,
  tall,
}: {
  data: Reply<typeof overviewSeries>;
  chosen: Chosen;
  /** On the wall it fills what the figures leave of the screen. */
  tall: boolean;
}) {
  const go = useGo();
  const shown = (Object.keys(BASES) as Basis[]).flatMap(
    (code) => data.lines.find((line) => line.code === code) ?? [],
  );
  return (
    <div className="ov__lines">
      <Chart
        kind="bar"
        title="收入"
        height={tall ? Math.max(220, innerHeight - 330) : 220}
        labels={data.months.map((month) => month.slice(2))}
        series={shown.map(({ code, line }) => ({
          name: INDICATORS[code].title,
          values: line.map((fen) => fen ?? 0),
          tone: TONES[code as Basis],
        }))}
        format={yuan}
        axis={shortYuan}
        onPick={(_, i) =>
          go(pathTo("/workbench/overview2", { ...chosen.standing, from: `${data.months[i]}-01` }))
        }
      />
    </div>
  );
}

/**
 * An address may name stores that its reader does not see: they are said not to be there and fall out of it. False until
 * that is settled, so that nothing is asked for them.
 */
export function useStoresInScope(): boolean {
  const [address, set] = useAddress();
  const { data, error } = useVillages();
  const named = address.get("villageIds")?.split(",").filter(Boolean) ?? [];
  const seen = named.filter((id) => data?.some((village) => String(village.value) === id));
  const strange = data !== undefined && seen.length < named.length;
  const left = seen.join(",") || undefined;
  useEffect(() => {
    if (!strange) return;
    toast("记录不存在或无权查看", "warning");
    set({ villageIds: left });
  }, [strange, left, set]);
  return !named.length || (data !== undefined && !strange) || error !== null;
}
