import { Chart } from "../../../platform/console/charts/chart.tsx";
import { pathTo, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { INDICATORS } from "../indicator/figure.rules.ts";
import { shortYuan } from "../workbench/trend.rules.ts";
import { Line } from "./blocks.panel.tsx";
import type { Chosen } from "./chosen.panel.tsx";
import type { overviewAgeing, overviewCards, overviewExpiry, overviewSeries } from "./overview.contract.ts";
import { BASES, type Basis } from "./overview.rules.ts";

const percent = (value: number) => `${(value * 100).toFixed(2)}%`;
/** 95%, 94.5%: as long as it must be on an axis. */
const roundPercent = (value: number) => `${Number((value * 100).toFixed(1))}%`;
const GAP = Number.NaN;

type LinesProps = {
  data: Reply<typeof overviewSeries>;
  figures?: Reply<typeof overviewCards>["figures"] | undefined;
};

/** 出租率 above, 平均租金 below, over thirteen months; either alone where the other is not for the reader. */
export function Lines({ data, figures = [] }: LinesProps) {
  const of = (code: string) => data.lines.find((l) => l.code === code);
  const rate = of("occupancyRate");
  const rent = of("avgRent");
  const target = figures.find((f) => f.code === "occupancyRate")?.target ?? null;
  const labels = data.months.map((m) => m.slice(2));
  return (
    <div className="ov__lines">
      {rate && (
        <Chart
          kind="line"
          title="出租率"
          height={rent ? 148 : 256}
          labels={labels}
          series={[
            {
              name: "出租率",
              values: rate.line.map((v) => v ?? GAP),
              tone: "blue",
              ...(target !== null && { target }),
            },
          ]}
          format={percent}
          axis={roundPercent}
          most={1}
          steps={rent ? 3 : 5}
          aligned
        />
      )}
      {rent && (
        <Chart
          kind="line"
          title="平均租金"
          height={rate ? 108 : 256}
          labels={labels}
          series={[{ name: "平均租金（元/月）", values: rent.line.map((v) => v ?? GAP), tone: "grey" }]}
          format={yuan}
          axis={(fen) => Math.round(fen / 100).toLocaleString("en-US")}
          steps={rate ? 2 : 5}
          aligned
        />
      )}
    </div>
  );
}

/** Each age of the dashboard in the narrower ones of the report. */
const REPORT_AGES: Record<string, string> = { d30: "d30", d60: "d60", d90: "d90", over: "d180,d365,over" };
const FILLS: Record<string, string> = { d30: "gold", d60: "orange", d90: "red", over: "late" };

/** How long what is owed has been owed; together it is the arrears card and the arrears report. */
export function Ageing({ data, chosen }: { data: Reply<typeof overviewAgeing>; chosen: Chosen }) {
  const go = useGo();
  const most = Math.max(1, ...data.ages.map((a) => a.fen));
  const day = chosen.standing.asOf;
  const to = reach("/report/owingReport", { ...chosen.only, day });
  const ofAge = (key: string) =>
    reach("/report/owingReport", { ...chosen.only, day, mode: "bill", ages: REPORT_AGES[key] });
  const opens = (address: string | undefined) => (address ? () => go(address) : undefined);
  return (
    <div className="ov__ages grid gap-7 fs-13">
      {data.ages.map(({ key, title, fen, bills }) => (
        <Line
          key={key}
          title={title}
          count={yuan(fen)}
          note={`${bills} 笔`}
          aside={data.owed ? `${((fen / data.owed) * 100).toFixed(1)}%` : "—"}
          share={fen / most}
          fill={FILLS[key]!}
          run={opens(fen ? ofAge(key) : undefined)}
        />
      ))}
      <p className="ov__sum">
        合计 {data.bills} 笔<span className="grow" />
        {to ? (
          <button type="button" className="num" onClick={() => go(to)}>
            {yuan(data.owed)}
          </button>
        ) : (
          <b className="num">{yuan(data.owed)}</b>
        )}
      </p>
    </div>
  );
}

/** Contracts that end in the next twelve months, renewed and open. A bar opens its contracts. */
export function Expiry({ data, chosen }: { data: Reply<typeof overviewExpiry>; chosen: Chosen }) {
  const renewed = "已续租";
  return (
    <div className="ov__lines">
      <Chart
        kind="bar"
        stacked
        title="到期分布"
        height={256}
        labels={data.map((m) => m.month.slice(2))}
        series={[
          { name: renewed, values: data.map((m) => m.renewed), tone: "green" },
          { name: "未续租", values: data.map((m) => m.open), tone: "orange" },
        ]}
        format={(n) => `${n} 份`}
        axis={(n) => n.toLocaleString("en-US")}
        onPick={(_, i, name) =>
          data[i] && chosen.show(`ending.${name === renewed ? "renewed" : "open"}.${data[i].month}`)
        }
      />
    </div>
  );
}

const TONES = { incomeAccrued: "blue", billed: "gold", collected: "green" } as const satisfies Record<
  Basis,
  string
>;

type IncomesProps = {
  data: Reply<typeof overviewSeries>;
  chosen: Chosen;
  /** On the wall it fills what the figures leave of the screen. */
  tall: boolean;
};

/** What was earned, charged and taken in each of thirteen months. A bar turns the page to its month. */
export function Incomes({ data, chosen, tall }: IncomesProps) {
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
          go(
            pathTo("/workbench/overview2", {
              ...chosen.only,
              from: `${data.months[i]}-01`,
              asOf: chosen.query.asOf,
            }),
          )
        }
      />
    </div>
  );
}
