import type { Pool } from "pg";

/**
 * Runs what one server at a time may do; undefined where another is at it. The right hangs on a connection of its own:
 * it is given back at the end, also after a failure, and falls with the process that held it.
 */
export async function alone<T>(
  pool: Pool,
  what: string,
  id: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const holder = await pool.connect();
  try {
    const { rows } = await holder.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtext($1), $2::int) mine",
      [what, id],
    );
    if (!rows[0]!.mine) return undefined;
    try {
      return await work();
    } finally {
      await holder.query("select pg_advisory_unlock(hashtext($1), $2::int)", [what, id]);
    }
  } finally {
    holder.release();
  }
}
