import { sql } from "kysely";
import { addDays, minDay, type Day, type Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import { EMPTY_DAYS, EMPTY_WHY } from "./overview.rules.ts";

const ids = (villages: readonly number[]) => sql`${villages as number[]}::bigint[]`;

/** Of the board of a day: rooms that count for the vacancy rate and are not let. */
export async function vacancyOf(read: Read, villages: readonly number[], day: Day) {
  const { rows } = await sql<{ why: keyof typeof EMPTY_WHY; at: number; rooms: number }>`
    select case when condition = 'dirty' then 'dirty' when occupancy = 'vacant' then 'free' else 'promised' end why,
      width_bucket(greatest(0, ${day}::date - coalesce(vacant_since, ${day}::date)),
        ${EMPTY_DAYS.map((d) => d.from) as number[]}::int[]) at, count(*)::int rooms
    from room_status_at(${day}::date, ${day}::date, ${ids(villages)})
    where is_base and not is_let group by 1, 2`.execute(read.replica);
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

/** Room by room, so that start and end meet exactly. */
export async function movesOf(read: Read, villages: readonly number[], period: Period, asOf: Day) {
  const [eve, last] = [addDays(period.from, -1), minDay(period.to, asOf)];
  // asked as on the day itself: who has a room is the same, and what was owed then need not be reckoned
  const at = (day: string) =>
    sql`select room_id, contract_id from room_status_at(${day}::date, ${day}::date, ${ids(villages)}) where is_let`;
  const { rows } = await sql<Moves>`
    with a as (${at(eve)}), b as (${at(last < eve ? eve : last)})
    select count(a.room_id)::int start, count(b.room_id)::int "end",
      count(*) filter (where a.room_id is null)::int came, count(*) filter (where b.room_id is null)::int went,
      count(*) filter (where n.id is not null and a.room_id is not null)::int renewed
    from a full join b on b.room_id = a.room_id
    left join contract n on n.id = b.contract_id and n.id <> a.contract_id and n.source = 'renewal'`.execute(
    read.replica,
  );
  return { from: eve, to: last, ...rows[0]! };
}
