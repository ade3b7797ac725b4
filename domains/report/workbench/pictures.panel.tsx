import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach, reachable } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { OCCUPANCIES, type Occupancy } from "../../listing/status/status.rules.ts";
import { Card } from "./card.panel.tsx";
import { Trend } from "./trend.panel.tsx";
import type { TopRow, workbenchTodo, workbenchTrend } from "./workbench.contract.ts";
import { LEGEND, todoOf } from "./workbench.rules.ts";

type Rooms = readonly { occupancy: Occupancy; count: number }[];
const TILES = new Map(LEGEND);

const R = 52;
const ROUND = 2 * Math.PI * R;

/** Where each part of the ring begins and how long it is; parts stand a little apart, and the smallest stays visible. */
function arcsOf(rooms: Rooms, total: number) {
  const gap = rooms.filter((r) => r.count > 0).length > 1 ? 1.5 : 0;
  let before = 0;
  return rooms.map((r) => {
    const length = total ? (r.count / total) * ROUND : 0;
    const arc = { ...r, length: Math.max(length - gap, length ? 1.2 : 0), from: before };
    before += length;
    return arc;
  });
}

/** How the rooms stand today; a part opens the board with that filter. */
export function Ring({ rooms, villageIds }: { rooms: Rooms; villageIds: string | undefined }) {
  const total = rooms.reduce((sum, r) => sum + r.count, 0);
  const arcs = arcsOf(rooms, total);
  return (
    <div className="ring stack">
      <h2>今日房态</h2>
      <div className="ring__box grid gap-4">
        <svg
          viewBox="0 0 132 132"
          width="132"
          height="132"
          role="img"
          aria-label={`今日房态，共 ${total} 间`}
        >
          {!total && <circle className="ring__none" cx="66" cy="66" r={R} />}
          {arcs.map((arc) => (
            <circle
              key={arc.occupancy}
              cx="66"
              cy="66"
              r={R}
              fill="none"
              stroke={`var(--t-${TILES.get(arc.occupancy)})`}
              strokeWidth="14"
              strokeDasharray={`${arc.length} ${ROUND - arc.length}`}
              strokeDashoffset={-arc.from}
              transform="rotate(-90 66 66)"
            />
          ))}
          <text x="66" y="65" textAnchor="middle" className="ring__n">
            {total.toLocaleString("en-US")}
          </text>
          <text x="66" y="83" textAnchor="middle">
            总间数
          </text>
        </svg>
        <ul>
          {rooms.map(({ occupancy, count }) => {
            const to =
              count > 0 ? reach("/configuration/apartment", { occ: occupancy, villageIds }) : undefined;
            const inside = (
              <>
                <i className="dot" style={{ background: `var(--t-${TILES.get(occupancy)})` }} />
                {OCCUPANCIES[occupancy][0]}
                <b className={count ? "" : "dim"}>{count.toLocaleString("en-US")}</b>
              </>
            );
            return <li key={occupancy}>{to ? <Link to={to}>{inside}</Link> : <span>{inside}</span>}</li>;
          })}
        </ul>
      </div>
    </div>
  );
}

/** The first five records behind a count, each leading to its own page, and the way to all of them. */
export const TopRows = ({
  title,
  note,
  rows,
  all,
}: {
  /** Above the rows; absent where a card has said it already. */
  title?: string;
  note?: string;
  rows: readonly TopRow[];
  all?: string | undefined;
}) => (
  <div className="top">
    {title && (
      <div className="top__h row">
        <b>{title}</b>
        <span className="dim">{note}</span>
        <span className="grow" />
        {all && <Link to={all}>查看全部</Link>}
      </div>
    )}
    {rows.map((row) => {
      const to = reachable(row.link);
      const inside = (
        <>
          <span className="cut" title={row.title}>
            {row.title}
          </span>
          <span className="cut sub" title={row.sub}>
            {row.sub}
          </span>
          <span className={`num ${row.late ? "bad" : "dim"}`} title={row.day ?? undefined}>
            {row.late ? `${row.late} 天` : (row.day?.slice(5) ?? "")}
          </span>
          {row.amountFen !== null && (
            <b className="num">
              <Money fen={row.amountFen} />
            </b>
          )}
        </>
      );
      const look = `top__r ${row.amountFen === null ? "top__r--plain" : ""}`;
      return to ? (
        <Link key={row.id} className={look} to={to}>
          {inside}
        </Link>
      ) : (
        <div key={row.id} className={look}>
          {inside}
        </div>
      );
    })}
  </div>
);

/** Thirty days on one time axis, and how the rooms stand today. */
export function PicturesCard({
  result,
  villageIds,
}: {
  result: UseQueryResult<Reply<typeof workbenchTrend>>;
  villageIds: string | undefined;
}) {
  const { data } = result;
  const rated = data?.rooms !== null;
  const taken = data?.days.some((d) => d.collected !== null) ?? true;
  if (!rated && !taken) return null;
  const note = (
    <span className="bench__keys">
      {rated && (
        <span>
          <i className="bench__line" />
          出租率
        </span>
      )}
      {taken && (
        <span>
          <i className="dot" />
          实收（元）
        </span>
      )}
    </span>
  );
  return (
    <Card
      title="近 30 天"
      className="bench__pictures"
      note={note}
      result={result}
      skeleton={<div className="bench__blank" />}
    >
      {({ days, rooms }) => (
        <div className={`bench__pics ${rooms ? "" : "bench__pics--one"}`}>
          <Trend days={days} villageIds={villageIds} />
          {rooms && <Ring rooms={rooms} villageIds={villageIds} />}
        </div>
      )}
    </Card>
  );
}

/** The approvals that have waited for me the longest; a card only while there are some. */
export function ApprovalsCard({ result }: { result: UseQueryResult<Reply<typeof workbenchTodo>> }) {
  const row = result.data?.list.find((r) => r.key === "approvals");
  if (!row?.count) return null;
  const { title, path } = todoOf("approvals");
  const all = pathTo(path, Object.fromEntries(new URLSearchParams(row.target)));
  return (
    <section className="card bench__waits" aria-label={title}>
      <div className="card__h">
        <h2>{title}</h2>
        <span className="bench__note">{row.count} 条</span>
        <span className="grow" />
        <Link className="more bench__more" to={all}>
          查看全部
        </Link>
      </div>
      <TopRows rows={row.top} />
    </section>
  );
}
