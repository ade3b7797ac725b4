import type { Pool, PoolClient } from "pg";
import type { Database } from "./database.ts";
import { JOB_SCHEMA, prepareQueue } from "../jobs/jobs.ts";
import { holdMigrations, migrate, SCHEMA } from "./migrate.ts";

/** What only the owner writes. */
const READ_ONLY = ["schema_migration", "key_note"];

/**
 * Brings tables and queue up to this release as their owner, then gives the product's own role what it needs and no
 * more. Answers the migrations that were applied now.
 */
export async function prepareSchema(
  { owner, pool }: Pick<Database, "owner" | "pool">,
  dir: string = SCHEMA,
): Promise<string[]> {
  const applied = await migrate(owner, dir);
  await prepareQueue(owner);
  if (owner !== pool) await giveRights(owner, await roleOf(pool));
  return applied;
}

const roleOf = async (pool: Pool) =>
  (await pool.query<{ role: string }>("select current_user as role")).rows[0]!.role;

/**
 * The worker reads and writes rows; it does not alter, truncate or drop. Where a trigger refuses every change of a row it
 * has no right to one either. Only what differs is granted or revoked.
 */
async function giveRights(owner: Pool, worker: string): Promise<void> {
  const client = await owner.connect();
  try {
    await holdMigrations(client, async () => {
      const { rows } = await client.query<{ statement: string }>(DIFFERENT, [worker, JOB_SCHEMA, READ_ONLY]);
      for (const { statement } of rows) await client.query(statement);
      await giveComing(client, worker);
    });
  } finally {
    client.release();
  }
}

/** Statements for each table and sequence whose rights are not as they should be. Bits of a trigger: 16 update, 8 delete. */
const DIFFERENT = `
  with place as (select oid, nspname, nspacl from pg_namespace where nspname in ('public', $2)),
  refused as (select tgrelid as oid, bit_or(tgtype) as acts from pg_trigger
    where tgfoid = to_regproc('refuse_change') and tgqual is null and tgattr::text = '' and tgtype & 1 = 1 group by tgrelid),
  wanted as (
    select c.oid, case c.relkind when 'S' then 'sequence' else 'table' end as kind,
      case when c.relkind = 'S' then '{SELECT,USAGE}'
        when c.relkind not in ('r', 'p') or (p.nspname = 'public' and c.relname = any($3)) then '{SELECT}'
        else array_remove(array[case when coalesce(r.acts, 0) & 8 = 0 then 'DELETE' end, 'INSERT', 'SELECT',
          case when coalesce(r.acts, 0) & 16 = 0 then 'UPDATE' end], null) end as rights,
      array(select x.privilege_type from aclexplode(c.relacl) x where x.grantee = $1::regrole order by 1) as held
    from pg_class c join place p on p.oid = c.relnamespace left join refused r on r.oid = c.oid
    where c.relkind in ('r', 'p', 'v', 'm', 'S'))
  select format('grant usage on schema %I to %I', nspname, $1::text) as statement from place
    where not exists (select from aclexplode(nspacl) x where x.grantee = $1::regrole and x.privilege_type = 'USAGE')
  union all
  select format('revoke all on %s %s from %I; grant %s on %2$s to %3$I', kind, oid::regclass, $1::text, array_to_string(rights, ', '))
    from wanted where rights::text[] <> held`;

/** Tables that come between two starts are the worker's to read and write too. */
async function giveComing(client: PoolClient, worker: string): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_default_acl d, aclexplode(d.defaclacl) x
     where d.defaclnamespace = 'public'::regnamespace and d.defaclrole = current_user::regrole and x.grantee = $1::regrole`,
    [worker],
  );
  if (rowCount) return;
  const role = client.escapeIdentifier(worker);
  await client.query(
    `alter default privileges in schema public grant select, insert, update, delete on tables to ${role};
     alter default privileges in schema public grant select, usage on sequences to ${role}`,
  );
}
