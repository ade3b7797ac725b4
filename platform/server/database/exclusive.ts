import type { Pool, PoolClient } from "pg";

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

/** Throws when anybody but this process uses the database. */
export async function checkAlone(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    // of another role's connections only that they are there may be seen; the server's own workers belong to none
    `select count(*) as others from pg_stat_activity where datname = current_database() and usesysid is not null
     and application_name is distinct from current_setting('application_name')`,
  );
  if (rows[0]!.others)
    throw new Error(`The database is in use (${rows[0]!.others} connections): stop the product first.`);
}
