import type { Pool, PoolClient } from "pg";
import { fill, type Filling } from "./copy.ts";

/**
 * Fills many tables side by side, each by COPY on a connection of its own. Constraints and triggers rest while it
 * fills: everything is proved afterwards, all at once, by `prove.ts`.
 */
export async function openSink(pool: Pool) {
  const open = new Map<string, { client: PoolClient; filling: Filling<object> }>();
  const start = async (table: string) => {
    const client = await pool.connect();
    await client.query("set session_replication_role = replica; set synchronous_commit = off");
    const filling = fill<object>(client, table);
    open.set(table, { client, filling });
    return filling;
  };
  const rows: Record<string, number> = {};
  return {
    rows,
    /** Await the answer: it waits when the database is slower than the generator. */
    add: async (table: string, row: object) => {
      rows[table] = (rows[table] ?? 0) + 1;
      await (open.get(table)?.filling ?? (await start(table))).add(row);
    },
    end: async () => {
      for (const { client, filling } of open.values()) {
        await filling.end();
        await client.query("set session_replication_role = origin; set synchronous_commit = on");
        client.release();
      }
    },
  };
}
export type Sink = Awaited<ReturnType<typeof openSink>>;
