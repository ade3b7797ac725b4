import { sql } from "kysely";
import { addDays, minDay, type Day, type Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import { storeKeeperOf } from "../../listing/status/status.service.ts";
import { EMPTY_DAYS, EMPTY_WHY } from "./overview.rules.ts";

const ids = (villages: readonly number[]) => sql`${villages as number[]}::bigint[]`;

type Empty = { villageId: number; why: keyof typeof EMPTY_WHY; at: number; rooms: number };

const emptyOn = storeKeeperOf(async (read, villages, day: Day) => {
  const { rows } = await sql<Empty>`
    select village_id "villageId", case when condition = 'dirty' then 'dirty' when occupancy = 'vacant' then 'free' else 'promised' end why,
      width_bucket(greatest(0, ${day}::date - coalesce(vacant_since, ${day}::date)),
        ${EMPTY_DAYS.map((d) => d.from) as number[]}::int[]) at, count(*)::int rooms
    from room_status_at(${day}::date, ${day}::date, ${ids(villages)})
    where is_base and not is_let group by 1, 2, 3`.execute(read.tx);
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

/** Room by room, so that start and end meet exactly. */
const movesIn = storeKeeperOf(async (read, villages, span: `${Day}/${Day}`) => {
  const [eve, last] = span.split("/");
  // asked as on the day itself: who has a room is the same, and what was owed then need not be reckoned
  const at = (day: string) =>
    sql`select room_id, village_id, contract_id from room_status_at(${day}::date, ${day}::date, ${ids(villages)}) where is_let`;
  const { rows } = await sql<Moves & { villageId: number }>`
    with a as (${at(eve!)}), b as (${at(last!)})
    select coalesce(a.village_id, b.village_id) "villageId", count(a.room_id)::int start, count(b.room_id)::int "end",
      count(*) filter (where a.room_id is null)::int came, count(*) filter (where b.room_id is null)::int went,
      count(*) filter (where n.id is not null and a.room_id is not null)::int renewed
    from a full join b on b.room_id = a.room_id
    left join contract n on n.id = b.contract_id and n.id <> a.contract_id and n.source = 'renewal' group by 1`.execute(
    read.tx,
  );
  return new Map(rows.map(({ villageId, ...moves }) => [villageId, moves]));
});

export async function movesOf(read: Read, villages: readonly number[], period: Period, asOf: Day) {
  const [eve, last] = [addDays(period.from, -1), minDay(period.to, asOf)];
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
