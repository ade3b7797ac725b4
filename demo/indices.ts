import type { Pool } from "pg";

const TABLES = [
  "bill",
  "bill_line",
  "flow",
  "allocation",
  "journal_entry",
  "journal_line",
  "contract",
  "occupancy_row",
  "party",
  "renter",
  "business_log",
];

/** Where the indices that rest are written down, so that a run that was killed loses none of them. */
const NOTE = "demo_resting";

/**
 * Lets the plain indices of the large tables rest while millions of rows go in: building each once afterwards takes a
 * fraction of the time. Unique and exclusion constraints stay. `wake` builds them again.
 */
export async function resting(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query<{ name: string; sql: string }>(
      `select i.indexname "name", i.indexdef "sql" from pg_indexes i
       join pg_class c on c.relname = i.indexname
       join pg_index x on x.indexrelid = c.oid
       left join pg_constraint k on k.conindid = c.oid
       where i.schemaname = 'public' and i.tablename = any($1) and k.oid is null and not x.indisunique`,
      [TABLES],
    );
    await client.query(`create table ${NOTE} (name text primary key, sql text not null)`);
    for (const { name, sql } of rows) {
      await client.query(`insert into ${NOTE} values ($1, $2)`, [name, sql]);
      await client.query(`drop index "${name}"`);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

/** Builds every index that rests, also those of a run that was broken off; without any it does nothing. */
export async function wake(pool: Pool, say: (sentence: string) => void = () => {}): Promise<void> {
  const there = await pool.query("select to_regclass($1) is not null there", [NOTE]);
  if (!there.rows[0].there) return;
  const { rows } = await pool.query<{ name: string; sql: string }>(
    `select name, sql from ${NOTE} where to_regclass(quote_ident(name)) is null order by name`,
  );
  say(`building ${rows.length} indices`);
  const queue = [...rows];
  const work = async () => {
    const client = await pool.connect();
    try {
      await client.query("set maintenance_work_mem = '512MB'");
      for (let next = queue.shift(); next; next = queue.shift()) await client.query(next.sql);
      await client.query("reset maintenance_work_mem");
    } finally {
      client.release();
    }
  };
  await Promise.all([work(), work()]);
  await pool.query(`drop table ${NOTE}`);
}
