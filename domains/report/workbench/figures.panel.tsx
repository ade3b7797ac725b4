import type { UseQueryResult } from "@tanstack/react-query";
import { Popover } from "antd";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Help } from "../../../platform/console/detail/facts.tsx";
import { pathTo, type Patch } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { Card, CellsSkeleton } from "./card.panel.tsx";
import type { workbenchFigures } from "./workbench.contract.ts";
import { CONTRACT_LISTS } from "./workbench.rules.ts";
import { figureOf, type FigureKey } from "../indicator/figure.rules.ts";

type Answer = Reply<typeof workbenchFigures>;
type Figure = Answer["figures"][number];

type FiguresCardProps = {
  result: UseQueryResult<Answer>;
  villageIds: string | undefined;
  hidden: readonly string[];
};

/** Figures of today, each against yesterday and leading to the records behind it. */
export const FiguresCard = ({ result, villageIds, hidden }: FiguresCardProps) => {
  if (result.data && !result.data.figures.length) return null;
  return (
    <Card
      title="今日数据"
      note={result.data && `截至 ${timeInZone(result.data.asOf).slice(11, 16)}`}
      result={result}
      skeleton={<CellsSkeleton count={6} className="cells--figures" />}
    >
      {({ figures, day }) => (
        <div className="cells cells--figures">
          {figures
            .filter((f) => !hidden.includes(f.key))
            .map((f) => (
              <Cell key={f.key} f={f} query={{ villageIds, ...figureOf(f.key).query?.(day) }} />
            ))}
        </div>
      )}
    </Card>
  );
};

function Cell({ f, query }: { f: Figure; query: Patch }) {
  const { title, path, help, kind } = figureOf(f.key);
  const lists = (f.kinds ?? []).filter(({ count }) => count > 0);
  const to =
    lists.length === 1 ? reach(CONTRACT_LISTS[lists[0]!.kind].path, query) : path && reach(path, query);
  const value = f.value === null ? "—" : WRITTEN[kind](f.value);
  const inside = (
    <span className="cells__v row baseline wrap">
      <b data-whole>{value}</b>
      {beside(f)}
    </span>
  );
  return (
    <div className="cells__one">
      <span className="cells__k row gap-2 fs-13 sub">
        {title}
        <Help text={help} />
      </span>
      {to ? (
        <Link to={to} className="cells__to">
          {inside}
        </Link>
      ) : lists.length ? (
        <Popover
          trigger="click"
          placement="bottomLeft"
          arrow={false}
          content={
            <div className="top">
              {lists.map(({ kind, count }) => (
                <Link
                  key={kind}
                  className="top__r row between gap-8"
                  to={pathTo(CONTRACT_LISTS[kind].path, query)}
                >
                  {CONTRACT_LISTS[kind].title}
                  <b className="num">{count}</b>
                </Link>
              ))}
            </div>
          }
        >
          <button type="button" className="cells__to">
            {inside}
          </button>
        </Popover>
      ) : (
        inside
      )}
    </div>
  );
}

const WRITTEN = {
  money: (v: number) => yuan(v),
  count: (v: number) => v.toLocaleString("en-US"),
  rate: (v: number) => `${(v * 100).toFixed(2)}%`,
};

const sign = (n: number, text: string) => (n > 0 ? `+${text}` : n < 0 ? `\u2212${text}` : text);
const look = (n: number, better: "more" | "less") =>
  n === 0 ? "" : n > 0 === (better === "more") ? "good" : "bad";

const More = ({ change }: { change: number }) => (
  <span className={look(change, "more")}>
    {change ? `较昨日 ${sign(change, String(Math.abs(change)))}` : "与昨日持平"}
  </span>
);

/** What a figure is compared with, in its own words; nothing where nothing is known. */
const BESIDE: Record<FigureKey, (f: Figure, change: number) => ReactNode> = {
  collected: (f, change) =>
    f.before ? (
      <span className={look(change, "more")}>
        较昨日 {sign(change, `${Math.abs((change / f.before) * 100).toFixed(1)}%`)}
      </span>
    ) : (
      <span>昨日 {yuan(f.before ?? 0)}</span>
    ),
  newContracts: (_, change) => <More change={change} />,
  newLeads: (_, change) => <More change={change} />,
  movedIn: (f) => (f.of ? <span>今日应入住 {f.of}</span> : null),
  occupancyRate: (f, change) =>
    f.before === null ? null : (
      <span className={look(change, "more")}>
        较昨日 {sign(change, `${Math.abs(change * 100).toFixed(2)}%`)}
      </span>
    ),
  vacant: (f) => <span>可租 {f.of?.toLocaleString("en-US")}</span>,
  arrears: (_, change) => (
    <span className={look(change, "less")}>
      {change ? `较昨日 ${sign(change, yuan(Math.abs(change)))}` : "与昨日持平"}
    </span>
  ),
};
const beside = (f: Figure): ReactNode => BESIDE[f.key](f, (f.value ?? 0) - (f.before ?? f.value ?? 0));
