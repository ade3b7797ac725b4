import { useState } from "react";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { firstOf, lastOf } from "../../../platform/kernel/day.ts";
import { Locks } from "../lock/lock.panel.tsx";
import { isMoney, shownFigure, toneOf } from "../budget-indicator/value.rules.ts";
import { short } from "../owing/picture.panel.tsx";
import { useYear } from "../budget/year.panel.tsx";
import { ActualDialog, type Asked } from "./actual.panel.tsx";
import { type CompleteRow, exportIndicatorComplete, indicatorComplete } from "./budget-complete.contract.ts";
import { monthIn } from "./complete.rules.ts";
import { figureColumns } from "./figures.panel.tsx";

/** 指标完成情况: which stores are on plan, indicator by indicator, the worst first. */
export default function IndicatorCompletePage() {
  const [address] = useAddress();
  const now = String(Number(useToday().slice(5, 7)));
  const year = useYear({ month: now });
  const month = monthIn(year, Number(address.get("month") ?? now));
  const [open, setOpen] = useState<Asked>();
  return (
    <div className="stack gap-2 full">
      <Locks beside villageIds={address.get("villageIds")} from={firstOf(month)} to={lastOf(month)} />
      <div className="fill">
        <ListPage
          call={indicatorComplete}
          unit="行"
          filters={["year", "month", "indicatorIds", "villageIds"]}
          columns={[
            "indicatorName",
            {
              key: "villageName",
              show: (row) => (row.villageId === null ? <strong>{row.villageName}</strong> : row.villageName),
            },
            ...figureColumns<CompleteRow>((row) =>
              setOpen({ indicatorId: row.indicatorId, villageId: row.villageId!, month }),
            ),
          ]}
          card={{
            title: "indicatorName",
            right: "reached",
            lines: [["villageName", "actual"], ["budget"]],
          }}
          picture={(query) => <Picture query={query} />}
          exportCall={exportIndicatorComplete}
          emptyText="预算生效后，这里按指标看各门店的完成情况"
        />
      </div>
      {open && <ActualDialog of={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

/** How far each store is from its budget, the tick on its bar, for the first indicator on the list. */
function Picture({ query }: { query: Record<string, unknown> }) {
  return (
    <Loaded
      call={indicatorComplete}
      sent={{ query: { ...query, pageNo: 1, pageSize: 50, want: "rows" } as never }}
      lines={6}
    >
      {({ list }) => {
        const first = list[0];
        const rows = list.filter((row) => row.indicatorId === first?.indicatorId && row.villageId !== null);
        if (!first || !rows.length) return <Empty text="没有预算" />;
        return (
          <>
            <h3>{first.indicatorName}</h3>
            <Chart
              kind="bar"
              across
              title={`${first.indicatorName}：各门店实际与预算`}
              height={80 + 30 * rows.length}
              labels={rows.map((row) => row.villageName)}
              series={[
                {
                  name: "实际",
                  values: rows.map((row) => row.actual),
                  tones: rows.map((row) => toneOf(row.reached, row.better)),
                },
                { name: "预算", values: rows.map((row) => row.budget), tick: true },
              ]}
              format={(value) => shownFigure(first.unit, value)}
              axis={(value) => (isMoney(first.unit) ? short(value * 100) : shownFigure(first.unit, value))}
            />
          </>
        );
      }}
    </Loaded>
  );
}
