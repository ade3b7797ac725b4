import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

/** The figures of one village on one day, as the roll-up keeps them. */
export type VillageCounts = {
  villageId: number;
  vacant: number;
  reserved: number;
  toMoveIn: number;
  occupied: number;
  expiring: number;
  holdingOver: number;
  leaving: number;
  rentable: number;
  dirty: number;
  maintenance: number;
  offline: number;
  selfUse: number;
  inStock: number;
  base: number;
  let: number;
  arrearsRooms: number;
  arrearsFen: number;
  letRentFen: number;
  listRentFen: number;
};

/** Columns of village_day after village and day, in its order. */
const COLUMNS = sql`vacant, reserved, to_move_in, occupied, expiring, holding_over, leaving, rentable, dirty, maintenance,
  offline, self_use, in_stock, base, let, arrears_rooms, arrears_fen, let_rent_fen, list_rent_fen`;

/** Counted anew from the timeline, for villages that have rooms on the day. */
const counted = (day: Day, today: Day, villages: readonly number[], more = sql``) => sql`
  with s as materialized (select * from room_status_at(${day}::date, ${today}::date, ${villages as number[]}::bigint[])),
  rents as (select village_id, sum(monthly_rent) fen from (select distinct s.village_id, s.contract_id, s.let_room_id, k.monthly_rent
      from s join contract_room_brief k on k.contract_id = s.contract_id and k.room_id = s.let_room_id where s.is_let) x group by 1),
  empty as (select s.village_id, r.product_id, count(*) n from s join room r on r.id = s.room_id
    where s.occupancy = 'vacant' and r.product_id is not null group by 1, 2)
  select s.village_id,
    count(*) filter (where occupancy = 'vacant') vacant, count(*) filter (where occupancy = 'reserved') reserved,
    count(*) filter (where occupancy = 'toMoveIn') to_move_in, count(*) filter (where occupancy = 'occupied') occupied,
    count(*) filter (where occupancy = 'expiring') expiring, count(*) filter (where occupancy = 'holdingOver') holding_over,
    count(*) filter (where occupancy = 'leaving') leaving,
    count(*) filter (where condition = 'rentable') rentable, count(*) filter (where condition = 'dirty') dirty,
    count(*) filter (where condition = 'maintenance') maintenance, count(*) filter (where condition = 'offline') offline,
    count(*) filter (where condition = 'selfUse') self_use, count(*) in_stock,
    count(*) filter (where is_base) base, count(*) filter (where is_let) as let,
    count(*) filter (where arrears) arrears_rooms, coalesce(sum(arrears_fen), 0)::bigint arrears_fen,
    coalesce(max(rents.fen), 0)::bigint let_rent_fen, coalesce(sum(p.list_price) filter (where is_base), 0)::bigint list_rent_fen ${more}
  from s left join rents on rents.village_id = s.village_id
  left join lateral (select list_price from room_price where room_id = s.room_id and effective_day <= ${day}::date
    order by effective_day desc limit 1) p on true
  group by s.village_id`;

export async function countsAt(read: Read, day: Day, villages: readonly number[]): Promise<VillageCounts[]> {
  if (!villages.length) return [];
  const { rows } = await counted(day, read.today, villages).execute(read.tx);
  return rows as VillageCounts[];
}

export type Today = { counts: VillageCounts; vacantOf: Record<string, number> };

/** Today's counts of stores, and how many of their empty rooms belong to each product: both out of one reading of all rooms. */
export async function countedToday(read: Read, villages: readonly number[]): Promise<Map<number, Today>> {
  const { rows } = await sql<VillageCounts & { vacantOf: Today["vacantOf"] }>`
    ${counted(
      read.today,
      read.today,
      villages,
      sql`, (select coalesce(jsonb_object_agg(e.product_id, e.n), '{}') from empty e
      where e.village_id = s.village_id) "vacantOf"`,
    )}`.execute(read.tx);
  return new Map(rows.map(({ vacantOf, ...counts }) => [counts.villageId, { counts, vacantOf }]));
}

/** What the roll-up has of a past day. Villages it has not come to are missing. */
export async function keptCounts(
  read: Read,
  day: Day,
  villages: readonly number[],
): Promise<VillageCounts[]> {
  const { rows } = await sql<VillageCounts>`
    select village_id, ${COLUMNS} from village_day where day = ${day}::date and village_id = ${anyOf(villages)}`.execute(
    read.tx,
  );
  return rows;
}

/** Writes the roll-up of a day, over what stands there. */
export async function rollUp(read: Read, day: Day, villages: readonly number[]): Promise<void> {
  await sql`
    insert into village_day (village_id, day, ${COLUMNS})
    select village_id, ${day}::date, ${COLUMNS} from (${counted(day, read.today, villages)}) c
    on conflict (village_id, day) do update set (${COLUMNS}) = row(excluded.vacant, excluded.reserved, excluded.to_move_in,
      excluded.occupied, excluded.expiring, excluded.holding_over, excluded.leaving, excluded.rentable, excluded.dirty,
      excluded.maintenance, excluded.offline, excluded.self_use, excluded.in_stock, excluded.base, excluded.let,
      excluded.arrears_rooms, excluded.arrears_fen, excluded.let_rent_fen, excluded.list_rent_fen)`.execute(
    read.tx,
  );
}
