import { sql } from "kysely";
import type { Act } from "../pipeline/act.ts";

/**
 * Ids of a table taken in advance, so that many rows that name each other are written in one statement each,
 * without a round trip in between.
 */
export async function nextIds(act: Pick<Act, "tx">, table: string, count: number): Promise<number[]> {
  if (!count) return [];
  const { rows } = await sql<{ ids: number[] }>`
    with place as materialized (select pg_get_serial_sequence(${table}, 'id')::regclass of)
    select array_agg(nextval(place.of)) ids from place, generate_series(1, ${count}::int)`.execute(act.tx);
  return rows[0]!.ids;
}
