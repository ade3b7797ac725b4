import type { Pool } from "pg";
import { APART, SHARED } from "../mirror.ts";

/** The id of each record that is made here. */
const MADE = APART - 1;

/** What stands in a column by the category of its type; JSON and bytes last. */
const VALUES = `case typcategory when 'N' then '1' when 'S' then 'x' when 'D' then '2026-11-20' when 'B' then 'f' when 'A' then '{}'
  when 'R' then 'empty' else '{}' end`;

/**
 * One record of a store in every table that has none, whatever stands in it, and an act of every kind: for checks that ask
 * whose record it is before anything is read of it. Nothing of the second enterprise names them.
 */
export async function oneOfEach(pool: Pool, villageId: number, actKinds: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    const { rows } = await client.query<{ name: string; columns: string; values: string; checks: string[] }>(
      `select c.relname name, string_agg(format('%I', a.attname), ', ') columns,
         string_agg(case when a.attname = 'id' then '${MADE}' when a.attname = 'village_id' then $2::text when f.oid is null then quote_literal(${VALUES})
           else format('coalesce((select max(id) from %s where id < ${MADE}), ${MADE})', f.confrelid::regclass) end, ', ') "values",
         array(select format('alter table %s drop constraint %I', c.oid::regclass, k.conname) from pg_constraint k
           where k.conrelid = c.oid and k.contype = 'c') checks
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         join pg_type t on t.oid = a.atttypid
         left join pg_constraint f on f.contype = 'f' and f.conrelid = c.oid and f.conkey = array[a.attnum]
           and exists (select from pg_attribute i where i.attrelid = f.confrelid and i.attname = 'id')
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname !~ $1
         and (f.oid is not null or a.attname in ('id', 'village_id') or a.attnotnull and not a.atthasdef)
       group by c.oid having bool_or(a.attname = 'id' and a.atttypid = 'int8'::regtype)`,
      [SHARED.source, villageId],
    );
    for (const { name, columns, values, checks } of rows) {
      const { rowCount } = await client.query(`select from "${name}" limit 1`);
      if (rowCount) continue;
      for (const each of checks) await client.query(each);
      await client.query(`insert into "${name}" (${columns}) overriding system value values (${values})`);
    }
    for (const [i, kind] of actKinds.entries())
      await client.query(
        `update contract_act set kind = $1 where not exists (select from contract_act where kind = $1)
           and id = (select id from contract_act where id <= ${APART} order by id limit 1 offset $2)`,
        [kind, i],
      );
    await client.query("commit");
  } finally {
    client.release();
  }
}
