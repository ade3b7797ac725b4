import { sql, type RawBuilder } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { leads } from "../lead/lead-list.queries.ts";
import { reservations } from "../reservation/reservation.queries.ts";
import { viewings } from "../viewing/viewing.queries.ts";

type Source = Promise<RawBuilder<unknown>>;
type Villages = readonly number[];

/** `from viewing w where …` of what the list of viewings is asked for. */
export const viewingsWhere = async (...asked: Parameters<typeof viewings.condition>): Source =>
  sql`from viewing w where ${await viewings.condition(...asked)}`;
/** `from reservation r where …` of what the list of reservations is asked for. */
export const reservationsWhere = async (...asked: Parameters<typeof reservations.condition>): Source =>
  sql`from reservation r where ${await reservations.condition(...asked)}`;

/** `from lead l where …`: the own leads whose next word is due, as the list of 今日待跟进 opens them. */
export const dueLeads = async (read: Read, villages: Villages): Source =>
  sql`from lead l where ${await leads.condition(read, { tab: "mine", follow: "due", villageIds: [...villages] })}`;

/** Those that begin or end today and still stand. */
export const reservationsToday = (read: Read, villages: Villages): Source =>
  reservationsWhere(read, { today: "1", villageIds: [...villages] });

/** Those that lapsed while their money is still held. */
export const lapsedReservations = (read: Read, villages: Villages): Source =>
  reservationsWhere(read, { state: ["lapsed"], kept: "1", villageIds: [...villages] });

/** The own ones of today that are still to come. */
export const viewingsToday = (read: Read, villages: Villages): Source =>
  viewingsWhere(read, { today: "1", villageIds: [...villages] });

/** How many leads were registered on each of some days, as the list of them under the same days has. */
export async function registeredOn(
  read: Read,
  villages: Villages,
  days: readonly Day[],
): Promise<Map<Day, number>> {
  const counted = await Promise.all(
    days.map(async (day) => {
      const where = await leads.condition(read, {
        createdFrom: day,
        createdTo: day,
        villageIds: [...villages],
      });
      const { rows } = await sql<{
        count: number;
      }>`select count(*)::int count from lead l where ${where}`.execute(read.replica);
      return [day, rows[0]!.count] as const;
    }),
  );
  return new Map(counted);
}
