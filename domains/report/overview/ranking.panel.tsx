import { Button } from "../../../platform/console/parts/button.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { limitsOf, toneOf } from "../indicator/indicator.rules.ts";
import { CODES } from "../indicator/figure.rules.ts";
import type { Ruling } from "../indicator/ruled.panel.tsx";
import type { Chosen } from "./chosen.panel.tsx";
import { exportRanking, overviewRanking, RANKED } from "./overview.contract.ts";

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
