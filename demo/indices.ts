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

/**
 * Lets the plain indices of the large tables rest while millions of rows go in: building each once afterwards takes a
 * fraction of the time. Unique and exclusion constraints stay. Answers how to wake them.
 */
export async function resting(pool: Pool) {
  const { rows } = await pool.query<{ name: string; sql: string }>(
    `select i.indexname "name", i.indexdef "sql" from pg_indexes i
     join pg_class c on c.relname = i.indexname
     join pg_index x on x.indexrelid = c.oid
     left join pg_constraint k on k.conindid = c.oid
     where i.schemaname = 'public' and i.tablename = any($1) and k.oid is null and not x.indisunique`,
    [TABLES],
  );
  for (const { name } of rows) await pool.query(`drop index "${name}"`);
  return async (say: (sentence: string) => void) => {
    say(`building ${rows.length} indices`);
    const queue = [...rows];
    const work = async () => {
      const client = await pool.connect();
      await client.query("set maintenance_work_mem = '512MB'");
      for (let next = queue.shift(); next; next = queue.shift()) await client.query(next.sql);
      await client.query("reset maintenance_work_mem");
      client.release();
    };
    await Promise.all([work(), work()]);
  };
}
