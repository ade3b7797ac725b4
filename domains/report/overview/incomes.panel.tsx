import { useEffect } from "react";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { pathTo, useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { limitsOf, toneOf } from "../indicator/indicator.rules.ts";
import type { Ruling } from "../indicator/ruled.panel.tsx";
import { shortYuan } from "../workbench/trend.rules.ts";
import type { Chosen } from "./stores.panel.tsx";
import { RANKED, exportRanking, overviewRanking, type overviewSeries } from "./overview.contract.ts";
import { BASES, type Basis, CODES, INDICATORS } from "./overview.rules.ts";

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

/** The stores beside each other, in the figures that the reader sees. A row narrows the whole page to its store. */
export function Ranking({ chosen, ruling }: { chosen: Chosen; ruling: Ruling }) {
  const go = useGo();
  const targets = reach("/overview/TargetConfig", {});
  const ranked = ruling.shown.filter((code): code is (typeof RANKED)[number] =>
    (RANKED as readonly string[]).includes(code),
  );
  const weighed = CODES.filter((code) => ruling.shows(code)).map(ruling.ruleOf);
  const limits = limitsOf(weighed);
  return (
    <section className="ov__rank wall--rank" aria-label="门店排行">
      <header className="card__h">
        <h2>门店排行</h2>
        <span className="bench__note">点门店名，整页只看该门店</span>
        <span className="grow" />
        {chosen.villages.length > 0 && (
          <Button look="text" run={() => chosen.set({ villageIds: undefined })}>
            看全部门店
          </Button>
        )}
        {targets && (
          <Button look="text" run={() => go(targets)}>
            目标配置
          </Button>
        )}
      </header>
      <ListPage
        call={overviewRanking}
        fixed={chosen.query}
        unit="个门店"
        sort={{ sort: ranked[0] ?? "rooms", order: "desc" }}
        columns={[
          {
            key: "name",
            to: (row) => pathTo("/workbench/overview2", { villageIds: String(row.id) }),
          },
          { key: "district", hidden: true },
          "rooms",
          ...ranked,
          ...(weighed.some((rule) => rule.weight > 0)
            ? [
                {
                  key: "reached" as const,
                  show: ({ reached = null }: { reached?: number | null | undefined }) =>
                    reached === null ? (
                      "—"
                    ) : (
                      <StatusTag tone={toneOf(reached, limits)}>{(reached * 100).toFixed(2)}%</StatusTag>
                    ),
                },
              ]
            : []),
        ]}
        exportCall={exportRanking}
        emptyText="有房间的门店会出现在这里"
      />
    </section>
  );
}
