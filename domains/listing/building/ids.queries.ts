import { sql } from "kysely";
import type { Read } from "../../../platform/server/act.ts";

/** Ids taken ahead, so that children can name their parents in the same batch. */
export async function newIds(
  read: Read,
  table: "building" | "unit" | "floor" | "apartment" | "room",
  count: number,
): Promise<number[]> {
  if (!count) return [];
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) id from generate_series(1, ${count})`.execute(
    read.tx,
  );
  return rows.map((r) => r.id);
}
