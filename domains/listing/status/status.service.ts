import { sql } from "kysely";
import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { type Condition, type Flag, type Occupancy, bitsOf, flagsOf } from "./status.rules.ts";

export type { VillageCounts } from "./overview.queries.ts";
export { storeKeeperOf, storeMarks } from "./overview.queries.ts";
export { countsOn, rollUp, vacantToday } from "./overview.queries.ts";

/** Status columns of a list that names rooms. */
export type RoomStatus = {
  roomId: number;
  occupancy: Occupancy;
  condition: Condition;
  flags: Flag[];
  /** Counts for the vacancy rate; is let. */
  base: boolean;
  let: boolean;
  contractId: number | null;
  partyId: number | null;
  tenant: string | null;
  /** End of the lease, hold or block. */
  until: Day | null;
  vacantSince: Day | null;
  /** Whole days without a tenant; null while somebody has the room. */
  vacantDays: number | null;
  nextFrom: Day | null;
  arrearsFen: number;
  turnoverId: number | null;
  blockId: number | null;
};

/** The status of these rooms (leaves in scope) at a day, today by default; rooms out of stock are missing. */
export async function statusColumns(
  read: Read,
  roomIds: readonly number[],
  day: Day = read.today,
): Promise<Map<number, RoomStatus>> {
  if (!roomIds.length) return new Map();
  type Row = Omit<RoomStatus, "flags" | "vacantDays"> & {
    arrears: boolean;
    signing: boolean;
    unsettled: boolean;
    approval: boolean;
  };
  const { rows } = await sql<Row>`
    select s.room_id "roomId", s.occupancy, s.condition, s.is_base base, s.is_let "let", s.contract_id "contractId", s.party_id "partyId",
      t.name tenant, s.until, s.vacant_since "vacantSince", s.next_from "nextFrom", s.arrears_fen "arrearsFen",
      s.turnover_id "turnoverId", s.block_id "blockId", s.arrears, s.signing, s.unsettled,
      s.room_id = any(array(select room_id from rooms_waiting(${day}, ${read.today}, ${read.who.villages as number[]}::bigint[]))) approval
    from room_status_of(${day}::date, ${read.today}::date,
      array(select distinct village_id from room where id = ${anyOf(roomIds)} and village_id = ${anyOf(read.who.villages)}),
      ${roomIds as number[]}::bigint[]) s left join party_brief t on t.id = s.party_id`.execute(read.tx);
  return new Map(
    rows.map(({ arrears, signing, unsettled, approval, ...row }) => [
      row.roomId,
      {
        ...row,
        flags: flagsOf(bitsOf({ arrears, signing, unsettled, approval })),
        vacantDays: row.vacantSince === null ? null : Math.max(0, daysBetween(row.vacantSince, day)),
      },
    ]),
  );
}
