import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { allows } from "../../../platform/kernel/call.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { figuresOf, trendOf } from "./figures.queries.ts";
import { waitingOf } from "./todo.queries.ts";
import {
  WEEK_KINDS,
  workbenchFigures,
  workbenchTodo,
  workbenchTrend,
  workbenchWeek,
} from "./workbench.contract.ts";
import { contractKinds, mondayOf, TODO_KEYS, todoOf } from "./workbench.rules.ts";
import { bookedCells, weekCells } from "./week.queries.ts";

const BOOKED: readonly string[] = ["viewings", "reservations"];
const asOf = (read: Read) => read.now.toISOString();

function dayOf(read: Read, asked: Day | undefined): Day {
  if (asked && asked > read.today) throw invalid({ field: "day", msg: "日期不能晚于今天" });
  return asked ?? read.today;
}

export default [
  /** Kinds that the operator may not see are not even named. */
  serveRead(workbenchTodo, async (read, { query }) => {
    const villages = villagesOf(read.who, query.villageIds);
    const keys = TODO_KEYS.filter((key) => allows(read.who.permits, todoOf(key).need));
    const chosen = query.villageIds?.length ? { villageIds: query.villageIds.join(",") } : {};
    const list = await Promise.all(
      keys.map(async (key) => {
        const target = new URLSearchParams();
        for (const [name, value] of Object.entries({ ...todoOf(key).query(read.today), ...chosen }))
          target.set(name, String(value));
        return { key, ...(await waitingOf(read, key, villages)), target: target.toString() };
      }),
    );
    return { asOf: asOf(read), list };
  }),

  serveRead(workbenchFigures, async (read, { query }) => {
    const day = dayOf(read, query.day);
    const figures = await figuresOf(read, villagesOf(read.who, query.villageIds), day);
    return { asOf: asOf(read), day, figures };
  }),

  serveRead(workbenchTrend, async (read, { query }) =>
    trendOf(read, villagesOf(read.who, query.villageIds), dayOf(read, query.day)),
  ),

  serveRead(workbenchWeek, async (read, { query }) => {
    const from = mondayOf(query.from ?? read.today);
    const to = addDays(from, 6);
    const kinds = contractKinds((need) => allows(read.who.permits, need));
    const villages = villagesOf(read.who, query.villageIds);
    const books = allows(read.who.permits, "15.query");
    const [comings, bookings] = await Promise.all([
      kinds.length ? weekCells(read, villages, kinds, from, to) : [],
      books ? bookedCells(read, villages, from, to) : [],
    ]);
    const shown = WEEK_KINDS.filter((kind) => (BOOKED.includes(kind) ? books : kinds.length > 0));
    return { from, to, today: read.today, cells: [...comings, ...bookings], kinds: shown };
  }),
];
