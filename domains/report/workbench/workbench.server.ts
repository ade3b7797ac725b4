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
  type TopRow,
} from "./workbench.contract.ts";
import {
  contractKinds,
  mondayOf,
  TODO_KEYS,
  todoOf,
  CONTRACT_LISTS,
  type ContractKind,
} from "./workbench.rules.ts";
import { sql } from "kysely";
import { reservationsWhere, viewingsWhere } from "../../customer/booking/waiting.service.ts";
import { endsBetween, startsBetween } from "../../contract/waiting/waiting.service.ts";

type Cell = {
  kind: "moveIns" | "ends" | "viewings" | "reservations";
  day: Day;
  count: number;
  top: TopRow[];
};

/** Who comes and whose contract ends, day by day, the first five of each by name. */
async function weekCells(
  read: Read,
  villages: readonly number[],
  kinds: readonly ContractKind[],
  from: Day,
  to: Day,
): Promise<Cell[]> {
  const links = JSON.stringify(Object.fromEntries(kinds.map((k) => [k, `${CONTRACT_LISTS[k].path}?id=`])));
  const { rows } = await sql<Cell>`
    with found as (
      select 'moveIns' what, c.start_date "day", c.* from contract c where ${startsBetween({ villages, kinds }, from, to)}
      union all
      select 'ends', c.end_date, c.* from contract c where ${endsBetween({ villages, kinds }, from, to)}
    ), numbered as (
      select f.what, f."day", f.id, coalesce(nullif(f.room_names, ''), f.contract_no) title, f.party_name sub,
        ${links}::json ->> f.kind || f.id link, count(*) over w count,
        row_number() over (partition by f.what, f."day" order by f.room_names, f.id) nth
      from found f window w as (partition by f.what, f."day")
    )
    select what kind, "day", max(count) count, json_agg(json_build_object('id', id, 'title', title, 'sub', sub,
      'day', "day", 'late', null, 'amountFen', null, 'link', link) order by nth) top
    from numbered where nth <= 5 group by 1, 2 order by 2, 1`.execute(read.replica);
  return rows;
}

/** Who comes to see rooms, and whose reserved term begins, day by day. */
async function bookedCells(read: Read, villages: readonly number[], from: Day, to: Day): Promise<Cell[]> {
  const booking = "/configuration/BookingManagement?tab=";
  const { rows } = await sql<Cell>`
    with found as (
      select 'viewings' what, (w.at at time zone ${read.settings.TIME_ZONE})::date "day", w.id, w.name title,
        to_char(w.at at time zone ${read.settings.TIME_ZONE}, 'HH24:MI') sub,
        ${`${booking}viewing&view=list&id=`} || w.id link
      ${await viewingsWhere(read, { state: ["pending", "confirmed", "viewed"], from, to, villageIds: [...villages] })}
      union all
      select 'reservations', f.move_in_day, f.id, m.full_name, p.name, ${`${booking}reservation&id=`} || f.id
      from (select r.* ${await reservationsWhere(read, {
        state: ["pending", "held"],
        moveInFrom: from,
        moveInTo: to,
        villageIds: [...villages],
      })}) f join room m on m.id = f.room_id join party p on p.id = f.party_id
    ), numbered as (
      select f.*, count(*) over w count, row_number() over (partition by f.what, f."day" order by f.sub, f.id) nth
      from found f window w as (partition by f.what, f."day"))
    select what kind, "day", max(count)::int count, json_agg(json_build_object('id', id, 'title', title, 'sub', sub,
      'day', "day", 'late', null, 'amountFen', null, 'link', link) order by nth) top
    from numbered where nth <= 5 group by 1, 2 order by 2, 1`.execute(read.replica);
  return rows;
}

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
        const { query: of, storeless } = todoOf(key);
        for (const [name, value] of Object.entries({ ...of(read.today), ...(!storeless && chosen) }))
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
