import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { type Day, type Period, addDays, minDay } from "../../../platform/kernel/day.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { storeKeeperOf } from "../../listing/status/status.service.ts";
import type { CONDITIONS, OCCUPANCIES } from "../../listing/status/status.rules.ts";
import { ended } from "../indicator/sources.queries.ts";
import { EMPTY_DAYS, EMPTY_WHY, type EndPart, type MovePart } from "./overview.rules.ts";
import type { overviewEmpty, overviewEnding, overviewMoved } from "./overview.contract.ts";

type Villages = readonly number[];
type Paged = { pageNo: number; pageSize: number; order?: "asc" | "desc" | undefined };
type RowOf<C extends { reply: z.ZodType }> = z.output<C["reply"]> extends { list: (infer R)[] } ? R : never;

const MOVED: Record<MovePart, (room: MovedRoom) => boolean> = {
  start: (room) => room.was,
  came: (room) => !room.was,
  went: (room) => !room.is,
  end: (room) => room.is,
  renewed: (room) => room.renewed,
};
const ENDING: Record<EndPart, RawBuilder<unknown>> = {
  all: sql`true`,
  renewed: sql`renewed`,
  open: sql`not renewed`,
};

/** Names of tenants as the board shows them. */
const nameFor = (read: Read, name: RawBuilder<unknown>) =>
  read.who.permits.has("16.query") ? name : sql`left(${name}, 1) || '*'`;
const way = ({ order }: Paged, otherwise: "asc" | "desc") => sql.raw(order ?? otherwise);

async function paged<R>(read: Read, rows: RawBuilder<unknown>, order: RawBuilder<unknown>, page: Paged) {
  const [list, counted] = await Promise.all([
    sql<R>`select * from (${rows}) x order by ${order}, id ${pageEnd(page)}`.execute(read.replica),
    sql<{ total: number }>`select count(*)::int total from (${rows}) x`.execute(read.replica),
  ]);
  return { list: list.rows, total: counted.rows[0]!.total };
}

const pageOf = <T>(all: readonly T[], { pageNo, pageSize }: Paged) => ({
  some: all.slice((pageNo - 1) * pageSize, pageNo * pageSize),
  total: all.length,
});

export async function movedOf(
  read: Read,
  villages: Villages,
  period: Period,
  { asOf, part, page }: { asOf: Day; part: MovePart; page: Paged },
) {
  const rooms = (await movedRooms(read, villages, period, asOf)).filter(MOVED[part]);
  const { some, total } = pageOf(page.order === "desc" ? rooms.toReversed() : rooms, page);
  const { rows } = await sql<RowOf<typeof overviewMoved>>`
    select r.id, r.full_name "fullName", v.name "villageName", c.id "contractId", c.contract_no "contractNo", c.kind,
      ${nameFor(read, sql`c.party_name`)} "partyName", c.start_date "startDate", c.end_date "endDate", c.current_rent rent
    from unnest(${some.map((m) => m.roomId)}::bigint[], ${some.map((m) => m.contractId)}::bigint[])
      with ordinality m(room_id, contract_id, n) join room r on r.id = m.room_id
    join village v on v.id = r.village_id left join contract c on c.id = m.contract_id order by m.n`.execute(
    read.replica,
  );
  return { list: rows, total };
}

export async function emptyOf(
  read: Read,
  villages: Villages,
  day: Day,
  {
    why,
    daysFrom = 0,
    daysTo = Infinity,
    sort,
    ...page
  }: Paged & Pick<z.output<typeof overviewEmpty.query>, "why" | "daysFrom" | "daysTo" | "sort">,
) {
  const found = (await emptyRooms(read, villages, day)).filter(
    (room) => room.days >= daysFrom && room.days <= daysTo && (!why || room.why === why),
  );
  const byPlace = () => (page.order === "desc" ? found.toReversed() : found);
  const first = page.order === "asc" ? 1 : -1;
  // a few hundred numbers of days are put in order, not thousands of rooms
  const byDays = () => {
    const rooms = Map.groupBy(found, (room) => room.days);
    return [...rooms.keys()].toSorted((a, b) => first * (a - b)).flatMap((days) => rooms.get(days)!);
  };
  const { some, total } = pageOf(sort === "fullName" ? byPlace() : byDays(), page);
  const { rows } = await sql<RowOf<typeof overviewEmpty>>`
    select r.id, r.full_name "fullName", v.name "villageName", e.occupancy, e.condition, e.days,
      (select p.list_price from room_price p where p.room_id = r.id and p.effective_day <= ${day}::date
        order by p.effective_day desc limit 1) "listPrice"
    from jsonb_to_recordset(${JSON.stringify(some.map((room, n) => ({ ...room, n })))}::jsonb)
      e("roomId" bigint, occupancy text, condition text, days int, n int)
    join room r on r.id = e."roomId" join village v on v.id = r.village_id order by e.n`.execute(
    read.replica,
  );
  return { list: rows, total };
}

export const endingOf = (
  read: Read,
  villages: Villages,
  period: Period,
  { asOf, part, page }: { asOf: Day; part: EndPart; page: Paged },
) =>
  paged<RowOf<typeof overviewEnding>>(
    read,
    sql`select c.id, c.contract_no "contractNo", c.kind, v.name "villageName", c.room_names "roomNames",
        ${nameFor(read, sql`c.party_name`)} "partyName", c.end_date "endDate", c.current_rent rent, e.renewed
      from (${ended(villages, period, asOf)}) e join contract c on c.id = e.id join village v on v.id = c.village_id
      where ${ENDING[part]}`,
    sql`"endDate" ${way(page, "asc")}`,
    page,
  );

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
