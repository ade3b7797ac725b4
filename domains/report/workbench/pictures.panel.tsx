import type { UseQueryResult } from "@tanstack/react-query";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Card } from "./card.panel.tsx";
import { Ring } from "./ring.panel.tsx";
import { Trend } from "./trend.panel.tsx";
import type { workbenchTrend } from "./workbench.contract.ts";

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
