import { sql } from "kysely";
import { addDays, minDay, type Day, type Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import { EMPTY_DAYS, EMPTY_WHY } from "./overview.rules.ts";

const ids = (villages: readonly number[]) => sql`${villages as number[]}::bigint[]`;

/** Rooms that could be let and are not on a day: why, and for how many days. */
export const emptyRooms = (villages: readonly number[], day: Day) => sql`
  select room_id, occupancy, condition,
    case when condition = 'dirty' then 'dirty' when occupancy = 'vacant' then 'free' else 'promised' end why,
    greatest(0, ${day}::date - coalesce(vacant_since, ${day}::date)) days
  from room_status_at(${day}::date, ${day}::date, ${ids(villages)}) where is_base and not is_let`;

/** Of the board of a day: rooms that count for the vacancy rate and are not let. */
export async function vacancyOf(read: Read, villages: readonly number[], day: Day) {
  const { rows } = await sql<{ why: keyof typeof EMPTY_WHY; at: number; rooms: number }>`
    select why, width_bucket(days, ${EMPTY_DAYS.map((d) => d.from) as number[]}::int[]) at, count(*)::int rooms
    from (${emptyRooms(villages, day)}) e group by 1, 2`.execute(read.replica);
  const sum = (of: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(of).reduce((all, row) => all + row.rooms, 0);
  return {
    rooms: sum(() => true),
    why: (Object.keys(EMPTY_WHY) as (keyof typeof EMPTY_WHY)[]).map((key) => ({
      key,
      rooms: sum((row) => row.why === key),
    })),
    days: EMPTY_DAYS.map(({ title }, i) => ({ title, rooms: sum((row) => row.at === i + 1) })),
  };
}

type Moves = { start: number; came: number; went: number; end: number; renewed: number };

/**
 * Let rooms on the eve of a period beside those on its last day, room by room, so that start and end meet exactly. Asked
 * as on the day itself: who has a room is the same, and what was owed then need not be reckoned.
 */
export function movedRooms(villages: readonly number[], period: Period, asOf: Day) {
  const [eve, last] = [addDays(period.from, -1), minDay(period.to, asOf)];
  const at = (day: string) =>
    sql`select room_id, contract_id from room_status_at(${day}::date, ${day}::date, ${ids(villages)}) where is_let`;
  const rooms = sql`
    select coalesce(b.room_id, a.room_id) room_id, coalesce(b.contract_id, a.contract_id) contract_id,
      a.room_id is not null was, b.room_id is not null "is", n.id is not null and a.room_id is not null renewed
    from (${at(eve)}) a full join (${at(last < eve ? eve : last)}) b on b.room_id = a.room_id
    left join contract n on n.id = b.contract_id and n.id <> a.contract_id and n.source = 'renewal'`;
  return { eve, last, rooms };
}

export async function movesOf(read: Read, villages: readonly number[], period: Period, asOf: Day) {
  const { eve, last, rooms } = movedRooms(villages, period, asOf);
  const { rows } = await sql<Moves>`
    select count(*) filter (where was)::int start, count(*) filter (where "is")::int "end",
      count(*) filter (where not was)::int came, count(*) filter (where not "is")::int went,
      count(*) filter (where renewed)::int renewed from (${rooms}) m`.execute(read.replica);
  return { from: eve, to: last, ...rows[0]! };
}
