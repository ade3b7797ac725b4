import type { Reply } from "../../../platform/kernel/call.ts";
import { Chart } from "../../../platform/console/chart.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useGo } from "../../../platform/console/page.ts";
import { reach } from "../../../platform/console/reach.ts";
import { firstOf, lastOf } from "../../../platform/kernel/day.ts";
import type { Chosen } from "./chosen.panel.tsx";
import type { overviewAgeing, overviewCards, overviewExpiry, overviewSeries } from "./overview.contract.ts";

const percent = (value: number) => `${(value * 100).toFixed(1)}%`;
const GAP = Number.NaN;

/** 出租率 above, 平均租金 below, over thirteen months; either alone where the other is not for the reader. */
export function Lines({
  data,
  figures = [],
}: {
  data: Reply<typeof overviewSeries>;
  figures?: Reply<typeof overviewCards>["figures"] | undefined;
}) {
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
          axis={percent}
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
          axis={(fen) => String(Math.round(fen / 100))}
        />
      )}
    </div>
  );
}

const FILLS: Record<string, string> = { d30: "gold", d60: "orange", d90: "red", over: "late" };

/** How long what is owed has been owed; together it is the arrears card and the arrears report. */
export function Ageing({ data, chosen }: { data: Reply<typeof overviewAgeing>; chosen: Chosen }) {
  const go = useGo();
  const most = Math.max(1, ...data.ages.map((a) => a.fen));
  const to = reach("/report/owingReport", chosen.only);
  return (
    <div className="ov__ages">
      {data.ages.map(({ key, title, fen, bills }) => (
        <div key={key} className="ov__age">
          <span>{title}</span>
          <b className="num">{yuan(fen)}</b>
          <small>{bills} 笔</small>
          <small>{data.owed ? `${((fen / data.owed) * 100).toFixed(1)}%` : "—"}</small>
          <span className="ov__bar" aria-hidden>
            <i className={`ov__fill--${FILLS[key]}`} style={{ width: `${(fen / most) * 100}%` }} />
          </span>
        </div>
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

/** Contracts that end in the next twelve months, renewed and open. */
export function Expiry({ data, chosen }: { data: Reply<typeof overviewExpiry>; chosen: Chosen }) {
  const go = useGo();
  return (
    <Chart
      kind="bar"
      stacked
      title="到期分布"
      height={256}
      labels={data.map((m) => m.month.slice(2))}
      series={[
        { name: "已续租", values: data.map((m) => m.renewed), tone: "green" },
        { name: "未续租", values: data.map((m) => m.open), tone: "orange" },
      ]}
      format={(n) => `${n} 份`}
      axis={String}
      onPick={(_, i) => {
        const { month } = data[i] ?? {};
        const to =
          month &&
          reach("/contract/RenterContractPage", {
            ...chosen.only,
            endFrom: firstOf(month),
            endTo: lastOf(month),
          });
        if (to) go(to);
      }}
    />
  );
}
