import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Button } from "../../../platform/console/button.tsx";
import { ListPage } from "../../../platform/console/list.tsx";
import { pathTo, useGo } from "../../../platform/console/page.ts";
import { reach } from "../../../platform/console/reach.ts";
import { ask } from "../../../platform/console/request.ts";
import { RowsSkeleton } from "../../../platform/console/states.tsx";
import { StatusTag } from "../../../platform/console/tag.tsx";
import { Card } from "../workbench/card.panel.tsx";
import { overviewFunnel, overviewVacancy, overviewWaterfall } from "./blocks.contract.ts";
import { Vacancy, Waterfall } from "./blocks.panel.tsx";
import { Funnel } from "./funnel.panel.tsx";
import { Cards } from "./cards.panel.tsx";
import { useChosen, type Chosen } from "./chosen.panel.tsx";
import { Head } from "./head.panel.tsx";
import { Ageing, Expiry, Lines } from "./pictures.panel.tsx";
import {
  exportRanking,
  overviewAgeing,
  overviewCards,
  overviewExpiry,
  overviewRanking,
  overviewSeries,
} from "./overview.contract.ts";
import { toneOf } from "./overview.rules.ts";
import { useWall } from "./wall.panel.tsx";
import "./overview.css";

/** 数据看板: whether the stores are on course, and the records behind each figure. */
export default function OverviewPage() {
  const chosen = useChosen();
  const box = useRef<HTMLDivElement>(null);
  const wall = useWall(box);
  const { query, only, against } = chosen;
  const every = wall.on ? { refetchInterval: 60_000 } : {};
  const kept = { placeholderData: keepPreviousData, ...every };
  const cards = useQuery({ ...ask(overviewCards, { query: { ...query, against } }), ...kept });
  const series = useQuery({ ...ask(overviewSeries, { query }), ...kept });
  const ageing = useQuery({ ...ask(overviewAgeing, { query: only }), ...kept });
  const expiry = useQuery({ ...ask(overviewExpiry, { query: only }), ...kept });
  const vacancy = useQuery({ ...ask(overviewVacancy, { query: only }), ...kept });
  const moves = useQuery({ ...ask(overviewWaterfall, { query }), ...kept });
  const funnel = useQuery({ ...ask(overviewFunnel, { query }), ...kept });
  return (
    <div ref={box} className={`ov ${wall.on ? "ov--wall" : ""}`} data-part={wall.part}>
      <Head chosen={chosen} asOf={cards.data?.asOf} onWall={wall.start} />
      <Card title="经营指标" className="ov__figures" result={cards} skeleton={<RowsSkeleton rows={2} />}>
        {(data) => <Cards figures={data.figures} lines={series.data?.lines} chosen={chosen} />}
      </Card>
      <div className="ov__pictures">
        <Card title="出租率与平均租金" result={series} skeleton={<RowsSkeleton rows={6} />}>
          {(data) => <Lines data={data} figures={cards.data?.figures} />}
        </Card>
        <Card title="欠费账龄" result={ageing} skeleton={<RowsSkeleton rows={6} />}>
          {(data) => <Ageing data={data} chosen={chosen} />}
        </Card>
        <Card title="到期分布" result={expiry} skeleton={<RowsSkeleton rows={6} />}>
          {(data) => <Expiry data={data} chosen={chosen} />}
        </Card>
      </div>
      <div className="ov__pictures ov__pictures--even">
        <Card title="在租变动" result={moves} skeleton={<RowsSkeleton rows={5} />}>
          {(data) => <Waterfall data={data} chosen={chosen} />}
        </Card>
        <Card title="空置分布" result={vacancy} skeleton={<RowsSkeleton rows={5} />}>
          {(data) => <Vacancy data={data} chosen={chosen} />}
        </Card>
        <Card title="客源转化" result={funnel} skeleton={<RowsSkeleton rows={5} />}>
          {(data) => <Funnel data={data} chosen={chosen} />}
        </Card>
      </div>
      <Ranking chosen={chosen} />
    </div>
  );
}

/** A row narrows the whole page to its store. */
function Ranking({ chosen }: { chosen: Chosen }) {
  const go = useGo();
  const targets = reach("/overview/TargetConfig", {});
  return (
    <section className="ov__rank" aria-label="门店排行">
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
        sort={{ sort: "occupancyRate", order: "desc" }}
        columns={[
          {
            key: "name",
            to: (row) => pathTo("/workbench/overview2", { villageIds: String(row.id) }),
          },
          "rooms",
          "occupancyRate",
          "vacant",
          "avgRent",
          "billed",
          "collected",
          "collectionRate",
          "arrears",
          "renewalRate",
          {
            key: "reached",
            show: (row) =>
              row.reached === null ? (
                "—"
              ) : (
                <StatusTag tone={toneOf(row.reached)}>{(row.reached * 100).toFixed(2)}%</StatusTag>
              ),
          },
        ]}
        exportCall={exportRanking}
        emptyText="有房间的门店会出现在这里"
      />
    </section>
  );
}
