import { Link } from "react-router";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { OCCUPANCIES, type Occupancy } from "../../listing/status/status.rules.ts";
import { LEGEND } from "./workbench.rules.ts";

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
