import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router";
import { pathTo } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Card } from "./card.panel.tsx";
import { Ring } from "./ring.panel.tsx";
import { TopRows } from "./top.panel.tsx";
import { Trend } from "./trend.panel.tsx";
import type { workbenchTodo, workbenchTrend } from "./workbench.contract.ts";
import { todoOf } from "./workbench.rules.ts";

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
