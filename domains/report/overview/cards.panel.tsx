import type { Reply } from "../../../platform/kernel/call.ts";
import { minDay, timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Help } from "../../../platform/console/detail/facts.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { shortPeriod, type Chosen } from "./chosen.panel.tsx";
import type { overviewCards, overviewSeries } from "./overview.contract.ts";
import { reached, toneOf, type Rule } from "../indicator/indicator.rules.ts";
import { INDICATORS, type Code } from "../indicator/figure.rules.ts";
import type { Ruling } from "../indicator/ruled.panel.tsx";
import { BASES } from "./overview.rules.ts";
import { AGAINST } from "../indicator/period.rules.ts";

type Figure = Reply<typeof overviewCards>["figures"][number];

/** 95.00%, 3,068.86; a dash where nothing is known. */
export const written = (code: Code, value: number | null): string =>
  value === null ? "—" : INDICATORS[code].kind === "rate" ? `${(value * 100).toFixed(2)}%` : yuan(value);

/** The list or report that has the same figure under the same filter. */
function recordsOf(code: Code, { period, only, villages, today, asOf }: Chosen): string | undefined {
  const to = minDay(period.to, asOf);
  const day = to === today ? undefined : to;
  switch (code) {
    case "occupancyRate":
    case "avgRent":
      return reach("/configuration/apartment", {
        ...(villages.length === 1 ? { villageId: villages[0] } : { villageId: 0, ...only }),
        day,
      });
    case "incomeAccrued":
      return reach("/report/accrualReport", { ...only, from: period.from, to });
    case "billed":
    case "collectionRate":
      return reach("/accountManage/BillListManage", {
        ...only,
        tab: "all",
        direction: "receivable",
        status: ["unpaid", "partial", "paid"],
        dueFrom: period.from,
        dueTo: to,
      });
    case "collected":
      return reach("/report/dailyCollectionReport", { ...only, from: period.from, to });
    case "arrears":
      return reach("/report/owingReport", { ...only, day });
    case "renewalRate":
      return undefined;
  }
}

const W = 72;
const H = 20;

/** Thirteen months as a line no larger than a word. */
function Spark({ line }: { line: readonly (number | null)[] }) {
  const known = line.filter((v) => v !== null);
  if (known.length < 2) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const at = (v: number, i: number) =>
    `${((i / (line.length - 1)) * W).toFixed(1)},${(H - 2 - ((v - least) / (most - least || 1)) * (H - 4)).toFixed(1)}`;
  const points = line.flatMap((v, i) => (v === null ? [] : [at(v, i)]));
  const [x, y] = points.at(-1)!.split(",");
  return (
    <svg className="ov__spark" viewBox={`-1 0 ${W + 4} ${H}`} width={W + 4} height={H} aria-hidden>
      <polyline points={points.join(" ")} />
      <circle cx={x} cy={y} r="2" />
    </svg>
  );
}

/** Beside a target how much of it is reached, else how far from the other period. */
function Beside({ figure, rule, chosen }: { figure: Figure; rule: Rule; chosen: Chosen }) {
  const { code, value, before, target } = figure;
  const { against, period, today } = chosen;
  if (against === "target") {
    const share = reached(rule.better, value, target);
    // what adds up is judged once the period is over
    const running = INDICATORS[code].adds && period.to >= today && share !== null && share < 1;
    const tone = running ? "blue" : toneOf(share, rule);
    return (
      <>
        <span className="ov__bar" aria-hidden>
          <i className={`ov__fill--${tone}`} style={{ width: `${Math.min(100, (share ?? 0) * 100)}%` }} />
        </span>
        <span className="ov__below fs-12 dim">
          <span>目标 {target === null ? "未设置" : written(code, target)}</span>
          {share !== null && <b className={`ov__text--${tone}`}>{(share * 100).toFixed(2)}%</b>}
        </span>
      </>
    );
  }
  const change = value === null || before === null ? null : value - before;
  const good = change !== null && (rule.better === "more" ? change >= 0 : change <= 0);
  const shown =
    change === null
      ? "—"
      : INDICATORS[code].kind === "rate"
        ? `${change >= 0 ? "+" : "−"}${Math.abs(change * 100).toFixed(2)} 个百分点`
        : `${change >= 0 ? "+" : "−"}${yuan(Math.abs(change))}`;
  return (
    <span className="ov__below fs-12 dim">
      <span>
        {AGAINST[against][0]} {written(code, before)}
      </span>
      <b className={change === null || !change ? "" : good ? "ov__text--green" : "ov__text--red"}>{shown}</b>
    </span>
  );
}

type CardsProps = {
  figures: readonly Figure[];
  lines?: Reply<typeof overviewSeries>["lines"] | undefined;
  chosen: Chosen;
  ruling: Ruling;
  /** When the figures were asked for. */
  readAt: number;
};

/** The figures that say how the stores stand. Each leads to the records that make it. */
export function Cards({ figures, lines = [], chosen, ruling, readAt }: CardsProps) {
  const period = `${chosen.period.from} 至 ${chosen.period.to}`;
  const until =
    chosen.asOf === chosen.today ? timeInZone(new Date(readAt)).slice(0, 16) : `${chosen.asOf} 日终`;
  const lineOf = new Map(lines.map((l) => [l.code, l.line]));
  const go = useGo();
  // of the three ways to count what comes in the chosen one stands for all
  const shown = figures.filter((f) => !(f.code in BASES) || f.code === chosen.basis);
  return (
    <div className="ov__cards">
      {shown.map((figure) => {
        const { title, formula, source, kind } = INDICATORS[figure.code];
        const to = recordsOf(figure.code, chosen);
        // the contracts of all kinds stand in no one list: they open beside the page
        const run =
          figure.code === "renewalRate" && figure.value !== null
            ? () => chosen.show("ending.all")
            : to && (() => go(to));
        const unit =
          figure.code === "occupancyRate"
            ? `${shortPeriod(chosen.grain, chosen.period)}日均`
            : figure.code === "avgRent"
              ? "元/月"
              : kind === "money"
                ? "元"
                : "";
        const value = written(figure.code, figure.value);
        // an amount is never cut: from ten million on it is written smaller
        const look = value.length > 12 ? "ov__value ov__value--long cut" : "ov__value cut";
        return (
          <div key={figure.code} className="ov__card grid gap-3">
            <span className="ov__title row gap-2 fs-13 sub">
              {title}
              <Help text={`${formula}。来源：${source}；期间 ${period}，截至 ${until}`} />
              <span className="grow" />
              <Spark line={lineOf.get(figure.code) ?? []} />
            </span>
            {run ? (
              <button type="button" className={look} data-whole onClick={run}>
                <span className="sr">{title}明细 </span>
                {value}
                {unit && <small>{unit}</small>}
              </button>
            ) : (
              <b className={look} data-whole>
                {value}
                {unit && <small>{unit}</small>}
              </b>
            )}
            <Beside figure={figure} rule={ruling.ruleOf(figure.code)} chosen={chosen} />
          </div>
        );
      })}
    </div>
  );
}
