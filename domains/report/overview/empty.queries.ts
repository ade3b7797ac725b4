import { sql } from "kysely";
import { addDays, minDay, type Day, type Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { storeKeeperOf } from "../../listing/status/status.service.ts";
import type { CONDITIONS, OCCUPANCIES } from "../../listing/status/status.rules.ts";
import { EMPTY_DAYS, EMPTY_WHY } from "./overview.rules.ts";

const ids = (villages: readonly number[]) => sql`${villages as number[]}::bigint[]`;

/** A room that could be let and is not: why, and for how many days. */
export type EmptyRoom = {
  roomId: number;
  villageId: number;
  occupancy: keyof typeof OCCUPANCIES;
  condition: keyof typeof CONDITIONS;
  why: keyof typeof EMPTY_WHY;
  days: number;
};

/** Rooms of each store as the board of a day shows them, in the order of their places. */
const emptyOn = storeKeeperOf(async (read, villages, day: Day) => {
  const { rows } = await sql<EmptyRoom>`
    select e.room_id "roomId", e.village_id "villageId", occupancy, condition,
      case when condition = 'dirty' then 'dirty' when occupancy = 'vacant' then 'free' else 'promised' end why,
      greatest(0, ${day}::date - coalesce(vacant_since, ${day}::date)) days
    from room_status_at(${day}::date, ${day}::date, ${ids(villages)}) e join room r on r.id = e.room_id
    where is_base and not is_let order by r.place, r.id`.execute(read.tx);
  return Map.groupBy(rows, (row) => row.villageId);
});

/** Stores in their order, in each its rooms in theirs. */
const inOrder = <T>(stores: ReadonlyMap<number, readonly T[]>): T[] =>
  [...stores.keys()].toSorted((a, b) => a - b).flatMap((id) => stores.get(id)!);

export const emptyRooms = async (read: Read, villages: readonly number[], day: Day): Promise<EmptyRoom[]> =>
  inOrder(await emptyOn(read, villages, day));

/** Of the board of a day: rooms that count for the vacancy rate and are not let. */
export async function vacancyOf(read: Read, villages: readonly number[], day: Day) {
  const rows = await emptyRooms(read, villages, day);
  const many = (of: (row: EmptyRoom) => boolean) => rows.filter(of).length;
  const classOf = (row: EmptyRoom) => EMPTY_DAYS.findLastIndex(({ from }) => row.days >= from);
  return {
    rooms: rows.length,
    why: (Object.keys(EMPTY_WHY) as (keyof typeof EMPTY_WHY)[]).map((key) => ({
      key,
      rooms: many((row) => row.why === key),
    })),
    days: EMPTY_DAYS.map(({ title }, i) => ({ title, rooms: many((row) => classOf(row) === i) })),
  };
}

/** The days that a period is looked at on: its eve, and the last of it that has been lived through. */
export function endsOf(period: Period, asOf: Day): { eve: Day; last: Day } {
  const [eve, last] = [addDays(period.from, -1), minDay(period.to, asOf)];
  return { eve, last };
}

/** A room that is let on the eve of a period or at its end; `contractId` is the later one. */
export type MovedRoom = {
  roomId: number;
  villageId: number;
  contractId: number | null;
  was: boolean;
  is: boolean;
  renewed: boolean;
};

/**
 * Let rooms on one day beside those on another, room by room, so that start and end meet exactly. Asked as on the day
 * itself: who has a room is the same, and what was owed then need not be reckoned.
 */
const movesIn = storeKeeperOf(async (read, villages, span: `${Day}/${Day}`) => {
  const [eve, last] = span.split("/") as [Day, Day];
  const at = (day: Day) =>
    sql`select room_id, village_id, contract_id from room_status_at(${day}::date, ${day}::date, ${ids(villages)}) where is_let`;
  const { rows } = await sql<MovedRoom>`
    select r.id "roomId", coalesce(b.village_id, a.village_id) "villageId", coalesce(b.contract_id, a.contract_id) "contractId",
      a.room_id is not null was, b.room_id is not null "is", n.id is not null and a.room_id is not null renewed
    from (${at(eve)}) a full join (${at(last)}) b on b.room_id = a.room_id
    join room r on r.id = coalesce(b.room_id, a.room_id)
    left join contract n on n.id = b.contract_id and n.id <> a.contract_id and n.source = 'renewal'
    order by r.place, r.id`.execute(read.tx);
  return Map.groupBy(rows, (row) => row.villageId);
});

export async function movedRooms(read: Read, villages: readonly number[], period: Period, asOf: Day) {
  const { eve, last } = endsOf(period, asOf);
  return inOrder(await movesIn(read, villages, `${eve}/${last < eve ? eve : last}`));
}

export async function movesOf(read: Read, villages: readonly number[], period: Period, asOf: Day) {
  const rooms = await movedRooms(read, villages, period, asOf);
  const { eve, last } = endsOf(period, asOf);
  const many = (of: (room: MovedRoom) => boolean) => rooms.filter(of).length;
  return {
    from: eve,
    to: last,
    start: many((room) => room.was),
    came: many((room) => !room.was),
    went: many((room) => !room.is),
    end: many((room) => room.is),
    renewed: many((room) => room.renewed),
  };
}
