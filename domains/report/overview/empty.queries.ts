import { sql } from "kysely";
import { addDays, minDay, type Day, type Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import { storeKeeperOf } from "../../listing/status/status.service.ts";
import { EMPTY_DAYS, EMPTY_WHY } from "./overview.rules.ts";

const ids = (villages: readonly number[]) => sql`${villages as number[]}::bigint[]`;

/** Rooms that could be let and are not on a day: why, and for how many days. */
export const emptyRooms = (villages: readonly number[], day: Day) => sql`
  select room_id, village_id, occupancy, condition,
    case when condition = 'dirty' then 'dirty' when occupancy = 'vacant' then 'free' else 'promised' end why,
    greatest(0, ${day}::date - coalesce(vacant_since, ${day}::date)) days
  from room_status_at(${day}::date, ${day}::date, ${ids(villages)}) where is_base and not is_let`;

type Empty = { villageId: number; why: keyof typeof EMPTY_WHY; at: number; rooms: number };

const emptyOn = storeKeeperOf(async (read, villages, day: Day) => {
  const { rows } = await sql<Empty>`
    select village_id "villageId", why, width_bucket(days, ${EMPTY_DAYS.map((d) => d.from) as number[]}::int[]) at,
      count(*)::int rooms
    from (${emptyRooms(villages, day)}) e group by 1, 2, 3`.execute(read.tx);
  return Map.groupBy(rows, (row) => row.villageId);
});

/** Of the board of a day: rooms that count for the vacancy rate and are not let. */
export async function vacancyOf(read: Read, villages: readonly number[], day: Day) {
  const rows = [...(await emptyOn(read, villages, day)).values()].flat();
  const sum = (of: (row: Empty) => boolean) => rows.filter(of).reduce((all, row) => all + row.rooms, 0);
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

/** The days that a period is looked at on: its eve, and the last of it that has been lived through. */
export function endsOf(period: Period, asOf: Day): { eve: Day; last: Day } {
  const [eve, last] = [addDays(period.from, -1), minDay(period.to, asOf)];
  return { eve, last };
}

/**
 * Let rooms on one day beside those on another, room by room, so that start and end meet exactly. Asked as on the day
 * itself: who has a room is the same, and what was owed then need not be reckoned.
 */
export function movedRooms(villages: readonly number[], eve: Day, last: Day) {
  const at = (day: Day) =>
    sql`select room_id, village_id, contract_id from room_status_at(${day}::date, ${day}::date, ${ids(villages)}) where is_let`;
  return sql`
    select coalesce(b.room_id, a.room_id) room_id, coalesce(b.village_id, a.village_id) village_id,
      coalesce(b.contract_id, a.contract_id) contract_id, a.room_id is not null was, b.room_id is not null "is",
      n.id is not null and a.room_id is not null renewed
    from (${at(eve)}) a full join (${at(last < eve ? eve : last)}) b on b.room_id = a.room_id
    left join contract n on n.id = b.contract_id and n.id <> a.contract_id and n.source = 'renewal'`;
}

const movesIn = storeKeeperOf(async (read, villages, span: `${Day}/${Day}`) => {
  const [eve, last] = span.split("/");
  const { rows } = await sql<Moves & { villageId: number }>`
    select village_id "villageId", count(*) filter (where was)::int start, count(*) filter (where "is")::int "end",
      count(*) filter (where not was)::int came, count(*) filter (where not "is")::int went,
      count(*) filter (where renewed)::int renewed
    from (${movedRooms(villages, eve!, last!)}) m group by 1`.execute(read.tx);
  return new Map(rows.map(({ villageId, ...moves }) => [villageId, moves]));
});

export async function movesOf(read: Read, villages: readonly number[], period: Period, asOf: Day) {
  const { eve, last } = endsOf(period, asOf);
  const stores = [...(await movesIn(read, villages, `${eve}/${last < eve ? eve : last}`)).values()];
  const sum = (of: keyof Moves) => stores.reduce((all, moves) => all + moves[of], 0);
  return {
    from: eve,
    to: last,
    start: sum("start"),
    came: sum("came"),
    went: sum("went"),
    end: sum("end"),
    renewed: sum("renewed"),
  };
}
