import { sql } from "kysely";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { seen } from "../../../platform/server/scope.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import { villageOf } from "./board.queries.ts";
import { roomCalendar, roomTimeline } from "./timeline.contract.ts";
import { barsOf } from "./timeline.queries.ts";

/** Longest span of a room's own timeline, and of a village's calendar. */
const TEN_YEARS = 3653;
const QUARTER = 92;

const within = (from: string, to: string, most: number) => {
  const days = daysBetween(from, to) + 1;
  if (days < 1) throw invalid({ field: "to", msg: "结束日不能早于开始日" });
  if (days > most) throw invalid({ field: "to", msg: `一次最多查询${most}天` });
};

export default [
  serveRead(roomTimeline, async (read, { params, query }) => {
    const room = await read.tx
      .selectFrom("room")
      .select(["id", "villageId"])
      .where("id", "=", params.id)
      .executeTakeFirst();
    seen(read.who, room);
    within(query.from, query.to, TEN_YEARS);
    const bars = await barsOf(read, sql`r.id = ${params.id}`, query.from, query.to);
    return { ...query, today: read.today, bars };
  }),

  serveRead(roomCalendar, async (read, { query }) => {
    const village = await villageOf(read, query.villageId);
    within(query.from, query.to, QUARTER);
    const bars = await barsOf(read, sql`r.village_id = ${village.id}`, query.from, query.to);
    return { from: query.from, to: query.to, today: read.today, bars };
  }),
];
