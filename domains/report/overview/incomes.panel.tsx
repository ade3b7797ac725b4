import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { pathTo, useGo } from "../../../platform/console/screens/page.ts";
import { shortYuan } from "../workbench/trend.rules.ts";
import type { Chosen } from "./chosen.panel.tsx";
import type { overviewSeries } from "./overview.contract.ts";
import { BASES, INDICATORS, type Basis } from "./overview.rules.ts";

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
