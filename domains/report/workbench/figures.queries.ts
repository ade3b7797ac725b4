import { sql } from "kysely";
import { allows } from "../../../platform/kernel/call.ts";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { endsBetween, startsBetween } from "../../contract/waiting/waiting.service.ts";
import { registeredOn, reservationsWhere, viewingsWhere } from "../../customer/lead/waiting.service.ts";
import { type Counted, vacancyRate } from "../../listing/status/status.rules.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { ofThem } from "../indicator/indicator.rules.ts";
import { arrearsOn, contractsOn, keptDays, roomsOn, takings } from "./day.queries.ts";
import type { TopRow } from "./workbench.contract.ts";
import {
  CONTRACT_LISTS,
  type ContractKind,
  FIGURE_KEYS,
  type FigureKey,
  LEGEND,
  contractKinds,
  figureOf,
} from "./workbench.rules.ts";

type Value = { value: number | null; before: number | null; of: number | null };

/** 出租率 = 1 − 空置率, by the board's own formula. */
const rateOf = (counted: Counted): number | null => {
  const vacancy = vacancyRate(counted);
  return vacancy === null ? null : 1 - vacancy;
};

/** The figures of the caller, in the order of the caller's roles: each needs its permit, too. */
async function shownOf(read: Read): Promise<FigureKey[]> {
  const { shown } = await ruling(read);
  return ofThem(shown, FIGURE_KEYS).filter((key) => allows(read.who.permits, figureOf(key).need));
}

/** Figures of a day, each beside the day before. What the operator may not see is neither read nor answered. */
export async function figuresOf(read: Read, villages: readonly number[], day: Day) {
  const keys = await shownOf(read);
  const may = (...some: FigureKey[]) => some.some((key) => keys.includes(key));
  const kinds = may("newContracts", "movedIn") ? contractKinds((need) => allows(read.who.permits, need)) : [];
  const yesterday = addDays(day, -1);
  const [taken, contracts, arrears, rooms, kept, leads] = await Promise.all([
    may("collected") ? takings(read, villages, yesterday, day) : undefined,
    kinds.length ? contractsOn(read, villages, kinds, day) : undefined,
    may("arrears") ? arrearsOn(read, villages, day) : undefined,
    may("occupancyRate", "vacant") ? roomsOn(read, villages, day) : undefined,
    may("occupancyRate", "vacant") ? keptDays(read, villages, yesterday, yesterday) : undefined,
    may("newLeads") ? registeredOn(read, villages, [yesterday, day]) : undefined,
  ]);
  const before = kept?.get(yesterday);
  const values: Record<FigureKey, Value | undefined> = {
    collected: taken && { value: taken.get(day) ?? 0, before: taken.get(yesterday) ?? 0, of: null },
    newContracts: contracts && { ...contracts.signed, of: null },
    movedIn: contracts && {
      value: contracts.movedIn.value,
      before: contracts.movedIn.before,
      of: contracts.movedIn.due,
    },
    occupancyRate: rooms && { value: rateOf(rooms), before: before ? rateOf(before) : null, of: null },
    vacant: rooms && {
      value: rooms.base - rooms.let,
      before: before ? before.base - before.let : null,
      of: rooms.base,
    },
    arrears: arrears && { ...arrears, of: null },
    newLeads: leads && { value: leads.get(day) ?? 0, before: leads.get(yesterday) ?? 0, of: null },
  };
  return keys.flatMap((key) => (values[key] ? [{ key, ...values[key] }] : []));
}

/** Thirty days up to a day, and how the rooms stand on it. */
export async function trendOf(read: Read, villages: readonly number[], day: Day) {
  const keys = await shownOf(read);
  const may = (key: FigureKey) => keys.includes(key);
  // the ring of rooms is the board's own, whatever the roles see of its rate
  const board = allows(read.who.permits, figureOf("vacant").need);
  const first = addDays(day, -29);
  const [taken, rooms, kept] = await Promise.all([
    may("collected") ? takings(read, villages, first, day) : undefined,
    board ? roomsOn(read, villages, day) : undefined,
    may("occupancyRate") ? keptDays(read, villages, first, addDays(day, -1)) : undefined,
  ]);
  return {
    days: Array.from({ length: 30 }, (_, i) => {
      const at = addDays(first, i);
      const standing = !may("occupancyRate") ? undefined : at === day ? rooms : kept?.get(at);
      return {
        day: at,
        rate: standing ? rateOf(standing) : null,
        collected: taken ? (taken.get(at) ?? 0) : null,
      };
    }),
    rooms: rooms ? LEGEND.map(([occupancy]) => ({ occupancy, count: rooms[occupancy] })) : null,
  };
}

export type Cell = {
  kind: "moveIns" | "ends" | "viewings" | "reservations";
  day: Day;
  count: number;
  top: TopRow[];
};

/** Who comes and whose contract ends, day by day, the first five of each by name. */
export async function weekCells(
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
export async function bookedCells(
  read: Read,
  villages: readonly number[],
  from: Day,
  to: Day,
): Promise<Cell[]> {
  const booking = "/configuration/BookingManagement?tab=";
  const { rows } = await sql<Cell>`
    with found as (
      select 'viewings' what, (w.at at time zone ${read.settings.TIME_ZONE})::date "day", w.id, w.name title,
        to_char(w.at at time zone ${read.settings.TIME_ZONE}, 'HH24:MI') sub,
        ${`${booking}viewing&view=list&id=`} || w.id link
      ${viewingsWhere(read, { state: ["pending", "confirmed", "viewed"], from, to, villageIds: [...villages] })}
      union all
      select 'reservations', f.move_in_day, f.id, m.full_name, p.name, ${`${booking}reservation&id=`} || f.id
      from (select r.* ${reservationsWhere(read, {
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
