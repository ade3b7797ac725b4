import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { useAsOf } from "../../../platform/console/list/rows.ts";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Looks } from "../../../platform/console/list/tab-page.tsx";
import { useRuling, type Ruling } from "../indicator/ruled.panel.tsx";
import { Card } from "../workbench/card.panel.tsx";
import {
  overviewAgeing,
  overviewCards,
  overviewExpiry,
  overviewFunnel,
  overviewPlaces,
  overviewSeries,
  overviewVacancy,
  overviewWaterfall,
  exportRanking,
  overviewRanking,
  RANKED,
} from "./overview.contract.ts";
import {
  EMPTY_BY,
  Funnel,
  LEADS_BY,
  Vacancy,
  Waterfall,
  type EmptyBy,
  type LeadsBy,
} from "./blocks.panel.tsx";
import { Cards } from "./cards.panel.tsx";
import { periodName, useChosen, type Chosen } from "./chosen.panel.tsx";
import { Head, WallTitle, useStoresInScope, useWall } from "./head.panel.tsx";
import { Ageing, Expiry, Incomes, Lines } from "./pictures.panel.tsx";
import { Cities, RateKeys, StoreMap, Stores } from "./map.panel.tsx";
import { Records } from "./records.panel.tsx";
import "./overview.css";
import { Button } from "../../../platform/console/parts/button.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { limitsOf, toneOf } from "../indicator/indicator.rules.ts";
import { CODES } from "../indicator/figure.rules.ts";

/** The stores beside each other, in the figures that the reader sees. A row narrows the whole page to its store. */
function Ranking({ chosen, ruling }: { chosen: Chosen; ruling: Ruling }) {
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
          { key: "name", to: (row) => pathTo("/workbench/overview2", { villageIds: String(row.id) }) },
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

type SplitProps<K extends string> = {
  label: string;
  words: Record<K, string>;
  on: K;
  onChange: (by: K) => void;
};

const Split = <K extends string>({ label, words, on, onChange }: SplitProps<K>) => (
  <span data-picture="off">
    <Looks
      label={`${label}按什么划分`}
      items={Object.entries<string>(words)}
      on={on}
      onChange={(by) => onChange(by as K)}
    />
  </span>
);

/** 数据看板: whether the stores are on course, and the records behind each figure. */
export default function OverviewPage() {
  const known = useStoresInScope();
  return known ? <Dashboard /> : <RowsSkeleton rows={10} />;
}

function Dashboard() {
  const chosen = useChosen();
  const box = useRef<HTMLDivElement>(null);
  const wall = useWall(box);
  const ruling = useRuling();
  const { query, standing, against } = chosen;
  const { from, to } = query;
  const stands = standing.asOf && `截至 ${standing.asOf}`;
  const every = wall.on ? { refetchInterval: 60_000 } : {};
  const kept = { placeholderData: keepPreviousData, ...every };
  // before the rules are known every card has its place, and asks for nothing
  const placed = (...codes: Parameters<typeof ruling.shows>) => !ruling.known || ruling.shows(...codes);
  const [lined, owes, empties] = [placed("occupancyRate", "avgRent"), placed("arrears"), placed("vacant")];
  const compared = placed("occupancyRate");
  const cards = useQuery({ ...ask(overviewCards, { query: { ...query, against } }), ...kept });
  const readAt = useAsOf(cards.dataUpdatedAt);
  const [emptyBy, setEmptyBy] = useState<EmptyBy>("why");
  const [leadsBy, setLeadsBy] = useState<LeadsBy>("step");
  const series = useQuery({ ...ask(overviewSeries, { query }), ...kept });
  const ageing = useQuery({
    ...ask(overviewAgeing, { query: standing }),
    ...kept,
    enabled: ruling.shows("arrears"),
  });
  const expiry = useQuery({ ...ask(overviewExpiry, { query: standing }), ...kept });
  const vacancy = useQuery({
    ...ask(overviewVacancy, { query: standing }),
    ...kept,
    enabled: ruling.shows("vacant"),
  });
  const moves = useQuery({ ...ask(overviewWaterfall, { query }), ...kept });
  const funnel = useQuery({ ...ask(overviewFunnel, { query: { from, to, ...chosen.only } }), ...kept });
  // always of all stores: what is narrowed is seen among the others
  const places = useQuery({
    ...ask(overviewPlaces, { query: { from, to, asOf: chosen.asOf } }),
    ...kept,
    enabled: ruling.shows("occupancyRate"),
  });
  return (
    <div ref={box} className={`ov ${wall.on ? "ov--wall" : ""}`} data-part={wall.part}>
      <Head
        chosen={chosen}
        onWall={wall.start}
        onPicture={async () => {
          const { savePicture } = await import("../../../platform/console/shell/page-picture.ts");
          const name = `数据看板 ${periodName(chosen.grain, chosen.period)}`;
          if (box.current) await savePicture(box.current, name).catch(showFailure);
        }}
      />
      {wall.on && <WallTitle chosen={chosen} />}
      <Card
        title="经营指标"
        className="ov__figures wall--figures"
        result={cards}
        skeleton={<RowsSkeleton rows={2} />}
      >
        {(data) => (
          <Cards
            figures={data.figures}
            lines={series.data?.lines}
            chosen={chosen}
            ruling={ruling}
            readAt={readAt}
          />
        )}
      </Card>
      <div className="ov__pictures wall--pictures">
        {lined && (
          <Card
            title="出租率与平均租金"
            className="ov__wide"
            result={series}
            skeleton={<RowsSkeleton rows={6} />}
          >
            {(data) => <Lines data={data} figures={cards.data?.figures} />}
          </Card>
        )}
        {owes && (
          <Card title="欠费账龄" note={stands} result={ageing} skeleton={<RowsSkeleton rows={6} />} picture>
            {(data) => <Ageing data={data} chosen={chosen} />}
          </Card>
        )}
        {/* what a contract's end was before it was changed is not kept by day */}
        <Card
          title="到期分布"
          note={stands && `${stands}，按现行到期日`}
          result={expiry}
          skeleton={<RowsSkeleton rows={6} />}
        >
          {(data) => <Expiry data={data} chosen={chosen} />}
        </Card>
      </div>
      <div className="ov__pictures ov__pictures--low wall--pictures">
        <Card title="在租变动" result={moves} skeleton={<RowsSkeleton rows={5} />} picture>
          {(data) => <Waterfall data={data} chosen={chosen} />}
        </Card>
        {empties && (
          <Card
            title="空置分布"
            note={stands}
            result={vacancy}
            skeleton={<RowsSkeleton rows={5} />}
            tools={<Split label="空置分布" words={EMPTY_BY} on={emptyBy} onChange={setEmptyBy} />}
            picture
          >
            {(data) => <Vacancy data={data} by={emptyBy} chosen={chosen} />}
          </Card>
        )}
        <Card
          title="客源转化"
          result={funnel}
          skeleton={<RowsSkeleton rows={5} />}
          tools={<Split label="客源转化" words={LEADS_BY} on={leadsBy} onChange={setLeadsBy} />}
          picture
        >
          {(data) => <Funnel data={data} by={leadsBy} chosen={chosen} />}
        </Card>
      </div>
      {placed("incomeAccrued", "billed", "collected") && (
        <Card
          title="收入"
          className="wall--figures"
          note="权责、应收与实收，近 13 个月"
          result={series}
          skeleton={<RowsSkeleton rows={5} />}
        >
          {(data) => <Incomes data={data} chosen={chosen} tall={wall.on} />}
        </Card>
      )}
      {compared && (
        <>
          <div className="ov__pictures wall--map">
            <Card
              title="门店地图"
              className="ov__wide"
              note={<RateKeys />}
              result={places}
              skeleton={<RowsSkeleton rows={6} />}
              picture
            >
              {(data) => <StoreMap data={data} chosen={chosen} />}
            </Card>
            <Card title="城市对比" result={places} skeleton={<RowsSkeleton rows={6} />} picture>
              {(data) => <Cities data={data} chosen={chosen} />}
            </Card>
          </div>
          <Card
            title="门店出租率"
            className="wall--map"
            note={<RateKeys />}
            result={places}
            skeleton={<RowsSkeleton rows={4} />}
            picture
          >
            {(data) => <Stores data={data} chosen={chosen} />}
          </Card>
        </>
      )}
      {ruling.known && <Ranking chosen={chosen} ruling={ruling} />}
      <Records chosen={chosen} />
    </div>
  );
}
