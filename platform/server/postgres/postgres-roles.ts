import pg from "pg";

/** Who owns the tables, and whose connections the product works on. The server's superuser only makes these two. */
export const OWNER = "sams_owner";
export const WORKER = "sams_app";

/** Held while they are made, so that of several processes that start at once one does it. */
const LOCK = 7_301_202;

type Place = { host: string; port: number; user: string };

/**
 * Makes the two roles and a database of the first on the embedded server. What an earlier release made there as the
 * superuser becomes the owner's, all of it in one transaction.
 */
export async function prepareRoles(place: Place, database: string): Promise<void> {
  await asSuperuser(place, "postgres", async (client) => {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    for (const role of [OWNER, WORKER])
      if (!(await found(client, "select from pg_roles where rolname = $1", role)))
        await client.query(`create role ${role} login`);
    // the owner sees whose connections there are; a demo of millions of rows is written with its triggers at rest
    await client.query(`grant ${WORKER} to ${OWNER}`);
    await client.query(`grant set on parameter session_replication_role to ${OWNER}`);
    if (!(await found(client, "select from pg_database where datname = $1", database)))
      await client.query(`create database ${database} owner ${OWNER}`);
    else if (await found(client, OF_ANOTHER, database, OWNER))
      await client.query(`alter database ${database} owner to ${OWNER}`);
  });
  await asSuperuser(place, database, async (client) => {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    const { rows } = await client.query<{ statement: string }>(FOREIGN, [OWNER]);
    if (rows.length)
      await client.query(`begin; ${rows.map(({ statement }) => statement).join("; ")}; commit`);
    // other programs of the same version may come with another ICU, and the server would warn in every session; no index is ordered by it
    if (await found(client, OTHER_ICU)) await client.query(`alter collation "zh-x-icu" refresh version`);
  });
}

const OF_ANOTHER = "select from pg_database where datname = $1 and datdba <> $2::regrole";

const OTHER_ICU =
  "select from pg_collation where collname = 'zh-x-icu' and collversion <> pg_collation_actual_version(oid)";

/** Statements that give the owner whatever else lies in the database. Extensions keep what is theirs. */
const FOREIGN = `
  with place as (select oid, nspname, nspowner from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
  kept as (select classid, objid from pg_depend where deptype = 'e')
  select format('alter schema %I owner to %I', nspname, $1::text) as statement from place
    where nspowner not in ($1::regrole, 'pg_database_owner'::regrole)
  union all
  select format('alter %s %s owner to %I', case c.relkind when 'v' then 'view' when 'm' then 'materialized view'
      when 'S' then 'sequence' when 'c' then 'type' else 'table' end, c.oid::regclass, $1::text)
    from pg_class c where c.relnamespace in (select oid from place) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'c')
      and c.relowner <> $1::regrole and ('pg_class'::regclass::oid, c.oid) not in (select classid, objid from kept)
      -- a column's own sequence follows its table
      and not (c.relkind = 'S' and exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
  union all
  select format('alter routine %s owner to %I', p.oid::regprocedure, $1::text)
    from pg_proc p where p.pronamespace in (select oid from place) and p.proowner <> $1::regrole
      and ('pg_proc'::regclass::oid, p.oid) not in (select classid, objid from kept)
  union all
  select format('alter type %s owner to %I', t.oid::regtype, $1::text)
    from pg_type t where t.typnamespace in (select oid from place) and t.typtype in ('e', 'd') and t.typowner <> $1::regrole
      and ('pg_type'::regclass::oid, t.oid) not in (select classid, objid from kept)`;

async function found(client: pg.Client, text: string, ...values: string[]): Promise<boolean> {
  return Boolean((await client.query(text, values)).rowCount);
}

async function asSuperuser(place: Place, database: string, work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ ...place, database });
  // what breaks is told by the statement that was under way
  client.on("error", () => {});
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}
