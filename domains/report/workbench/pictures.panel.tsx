import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { OCCUPANCIES, type Occupancy } from "../../listing/status/status.rules.ts";
import { Card } from "./card.panel.tsx";
import { type DayOf, barsOf, lineOf } from "./trend.rules.ts";
import type { workbenchTrend } from "./workbench.contract.ts";
import { LEGEND } from "./workbench.rules.ts";

type PicturesCardProps = {
  result: UseQueryResult<Reply<typeof workbenchTrend>>;
  villageIds: string | undefined;
};

/** Thirty days on one time axis, and how the rooms stand today. */
export function PicturesCard({ result, villageIds }: PicturesCardProps) {
  const { data } = result;
  const rated = data?.rooms !== null;
  const taken = data?.days.some((d) => d.collected !== null) ?? true;
  if (!rated && !taken) return null;
  const note = (
    <span className="bench__keys row gap-6 sub">
      {rated && (
        <span className="row gap-3">
          <i className="bench__line" />
          出租率
        </span>
      )}
      {taken && (
        <span className="row gap-3">
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
            return (
              <li key={occupancy}>
                {to ? (
                  <Link to={to} className="row gap-3 fs-12">
                    {inside}
                  </Link>
                ) : (
                  <span className="row gap-3 fs-12">{inside}</span>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

const LEAST = { width: 260, height: 192 };
const LEFT = 40;
const RIGHT = 8;

/** Rate as a line, takings as bars, on one axis of days. Pointing at a day says its figures. */
export function Trend({ days, villageIds }: { days: readonly DayOf[]; villageIds: string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  const [{ width, height }, setSize] = useState({ width: 520, height: LEAST.height });
  const [at, setAt] = useState<number>();
  useEffect(() => {
    const sized = new ResizeObserver(([entry]) => {
      const { width: w, height: h } = entry!.contentRect;
      setSize({ width: Math.max(LEAST.width, w), height: Math.max(LEAST.height, h) });
    });
    sized.observe(box.current!);
    return () => sized.disconnect();
  }, []);
  const step = (width - LEFT - RIGHT) / days.length;
  const x = (i: number) => LEFT + step * (i + 0.5);
  // the line above, the bars below, the days under them
  const floor = height - 26;
  const split = 22 + (floor - 22) * 0.42;
  const barred = days.some((d) => d.collected !== null);
  const line = lineOf(days, 22, barred ? split - 10 : floor);
  const bars = barsOf(days, line.ticks.length ? split + 10 : 22, floor);
  const last = days.length - 1;
  const shown = at === undefined ? undefined : days[at];
  const points = line.points.map((y, i) => (y === null ? null : `${x(i)},${y}`));
  const point = (event: React.PointerEvent) => {
    const rect = event.currentTarget.getBoundingClientRect();
    const i = Math.floor((event.clientX - rect.left - LEFT) / step);
    setAt(i >= 0 && i <= last ? i : undefined);
  };
  const report =
    shown &&
    reach("/report/dailyCollectionReport", { view: "detail", villageIds, from: shown.day, to: shown.day });
  return (
    <div className="trend" ref={box} onPointerMove={point} onPointerLeave={() => setAt(undefined)}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`近 30 天出租率与实收，实收合计 ${yuan(days.reduce((sum, d) => sum + (d.collected ?? 0), 0))} 元`}
      >
        {[...line.ticks, ...bars.ticks].map(({ y, text }) => (
          <g key={`${y}`}>
            <line className="trend__grid" x1={LEFT} x2={width - RIGHT} y1={y} y2={y} />
            <text x={LEFT - 6} y={y + 4} textAnchor="end">
              {text}
            </text>
          </g>
        ))}
        {at !== undefined && (
          <rect className="trend__at" x={x(at) - step / 2} y={8} width={step} height={floor - 4} />
        )}
        {bars.heights.map((h, i) =>
          h === null ? null : (
            <rect
              key={days[i]!.day}
              className={`trend__bar ${i === last ? "trend__bar--now" : ""}`}
              x={x(i) - Math.min(step * 0.3, 8)}
              width={Math.min(step * 0.6, 16)}
              y={floor - h}
              height={h}
              rx={1.5}
            />
          ),
        )}
        {stretches(points).map((stretch) => (
          <polyline key={stretch[0]} className="trend__line" points={stretch.join(" ")} />
        ))}
        {line.points[last] !== null && line.points[last] !== undefined && (
          <>
            <circle className="trend__dot" cx={x(last)} cy={line.points[last]} r={3} />
            <text className="trend__now" x={width - RIGHT} y={line.points[last] - 8} textAnchor="end">
              {((days[last]?.rate ?? 0) * 100).toFixed(2)}%
            </text>
          </>
        )}
        {days.map((d, i) =>
          (last - i) % 7 === 0 ? (
            <text
              key={d.day}
              x={i === last ? width - RIGHT : x(i)}
              y={height - 8}
              textAnchor={i === last ? "end" : "middle"}
            >
              {d.day.slice(5)}
            </text>
          ) : null,
        )}
      </svg>
      {shown && at !== undefined && (
        <div
          className="trend__tip row gap-5 fs-12 sub"
          style={{ left: Math.min(Math.max(x(at), 90), width - 90) }}
        >
          <b>{shown.day}</b>
          {shown.rate !== null && <span>出租率 {(shown.rate * 100).toFixed(2)}%</span>}
          {shown.collected !== null && <span>实收 {yuan(shown.collected)}</span>}
        </div>
      )}
      {report && at !== undefined && (
        <Link
          className="trend__hit"
          style={{ left: x(at) - step / 2, width: step }}
          to={report}
          aria-label={`${shown.day} 收款明细`}
        />
      )}
    </div>
  );
}

/** A line breaks where a day is not known. */
function stretches(points: readonly (string | null)[]): string[][] {
  const all: string[][] = [[]];
  for (const p of points) {
    if (p === null) all.push([]);
    else all.at(-1)!.push(p);
  }
  return all.filter((s) => s.length > 1);
}
