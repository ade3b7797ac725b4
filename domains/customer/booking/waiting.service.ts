import { sql, type RawBuilder } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { reservationsWhere } from "../reservation/reservation.queries.ts";
import { viewingsWhere } from "../viewing/viewing.queries.ts";
import { leadsWhere } from "../lead/lead-filter.queries.ts";

export { reservationsWhere, viewingsWhere };
type Source = RawBuilder<unknown>;

/** `from lead l where …`: the own leads whose next word is due, as the list of 今日待跟进 opens them. */
export const dueLeads = (read: Read, villages: readonly number[]): Source =>
  leadsWhere(read, { tab: "mine", follow: "due", villageIds: [...villages] } as never);

/** `from reservation r where …`: those that begin or end today and still stand. */
export const reservationsToday = (read: Read, villages: readonly number[]): Source =>
  reservationsWhere(read, { today: "1", villageIds: [...villages] });

/** Those that lapsed while their money is still held. */
export const lapsedReservations = (read: Read, villages: readonly number[]): Source =>
  reservationsWhere(read, { state: ["lapsed"], kept: "1", villageIds: [...villages] });

/** `from viewing w where …`: the own ones of today that are still to come. */
export const viewingsToday = (read: Read, villages: readonly number[]): Source =>
  viewingsWhere(read, { today: "1", villageIds: [...villages] });

/** How many leads were registered on each of some days, as the list of them under the same days has. */
export async function registeredOn(
  read: Read,
  villages: readonly number[],
  days: readonly Day[],
): Promise<Map<Day, number>> {
  const counted = await Promise.all(
    days.map(async (day) => {
      const where = leadsWhere(read, {
        tab: "all",
        createdFrom: day,
        createdTo: day,
        villageIds: [...villages],
      } as never);
      const { rows } = await sql<{ count: number }>`select count(*)::int count ${where}`.execute(
        read.replica,
      );
      return [day, rows[0]!.count] as const;
    }),
  );
  return new Map(counted);
}
