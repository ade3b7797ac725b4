import { daysBetween } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { villageOf } from "./board.queries.ts";
import { roomCalendar } from "./calendar.contract.ts";
import { barsOf } from "./calendar.queries.ts";

/** The longest span of a calendar. */
const QUARTER = 92;

const within = (from: string, to: string) => {
  const days = daysBetween(from, to) + 1;
  if (days < 1) throw invalid({ field: "to", msg: "结束日不能早于开始日" });
  if (days > QUARTER) throw invalid({ field: "to", msg: `一次最多查询 ${QUARTER} 天` });
};

export default [
  serveRead(roomCalendar, async (read, { query }) => {
    const village = await villageOf(read, query.villageId);
    within(query.from, query.to);
    const bars = await barsOf(read, village.id, query.from, query.to);
    return { from: query.from, to: query.to, today: read.today, bars };
  }),
];
