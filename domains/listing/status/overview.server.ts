import { addMonths, daysBetween } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { boardSummary, roomTimeline } from "./overview.contract.ts";
import { summaryOn, timelineOf } from "./overview.queries.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** The longest span that is asked for at once. */
const TEN_YEARS = 3653;

export default [
  serveRead(boardSummary, (read, { query }) =>
    summaryOn(read, query.day ?? read.today, villagesOf(read.who, query.villageIds)),
  ),
  serveRead(roomTimeline, async (read, { params, query }) => {
    const room = await aRow(read, "room", ["villageId"], { id: params.id });
    seen(read.who, room);
    const from = query.from ?? addMonths(read.today, -12);
    const to = query.to ?? addMonths(read.today, 12);
    if (to < from) throw invalid({ field: "to", msg: "结束日不能早于开始日" });
    if (daysBetween(from, to) > TEN_YEARS) throw invalid({ field: "to", msg: "一次最多查询十年" });
    return timelineOf(read, params.id, from, to);
  }),
];
