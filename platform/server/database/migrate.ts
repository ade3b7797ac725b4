import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Pool, PoolClient } from "pg";
import { ROOT } from "../process/settings.ts";

/**
 * What the database is made of: `tables/` (0001-platform.sql …, one file a domain), `migrations/` (what came after them)
 * and `routines/<domain>/` (functions, views and triggers).
 */
export const SCHEMA = path.join(ROOT, "db");

/** Held while migrating, so that of several servers that start at once one migrates and the others wait. */
const LOCK = 7_301_200;
/** Which files a database has had; the row `routines` says with which text of all of them. */
export const LEDGER =
  "create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())";
export const ROUTINES = "routines";
const NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;
/** The last migration of release 7.0, whose databases are taken over. */
const TAKEN_OVER = "0381-analyze.sql";

type Migration = { name: string; body: string; sha256: string };

/**
 * Brings the database up to the files of `dir`: tables and migrations in the order of their numbers, plain SQL, one
 * transaction each, forward only; then the routines, all of them when the text of one has changed. Answers the tables and
 * migrations that were applied now. Throws when an applied file has changed since, or when the database knows migrations
 * that the files do not (it was used by a newer release).
 */
export async function migrate(pool: Pool, dir: string = SCHEMA): Promise<string[]> {
  const migrations = readMigrations(dir);
  const client = await pool.connect();
  try {
    return await holdMigrations(client, async () => {
      await client.query(LEDGER);
      await takeOver(client, dir, migrations);
      const pending = await compare(client, migrations);
      for (const migration of pending) await apply(client, migration);
      await applyRoutines(client, dir);
      return pending.map(({ name }) => name);
    });
  } finally {
    client.release();
  }
}

/** Does some work while no server migrates this database. */
export async function holdMigrations<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("select pg_advisory_lock($1)", [LOCK]);
  try {
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock($1)", [LOCK]).catch(() => {});
  }
}

/** The tables, then the migrations, in the order in which they are applied. */
export function readMigrations(dir: string): Migration[] {
  const files = ["tables", "migrations"].flatMap((folder) => sqlIn(path.join(dir, folder)));
  const numbers = new Map<string, string>();
  return files.map((file) => {
    const name = path.basename(file);
    const number = NAME.exec(name)?.[1];
    if (!number) throw new Error(`${name} is not the name of a migration: it must look like 0042-bill.sql.`);
    const twin = numbers.get(number);
    if (twin) throw new Error(`${twin} and ${name} have the same number.`);
    numbers.set(number, name);
    const body = textOf(file);
    return { name, body, sha256: hashOf(body) };
  });
}

const sqlIn = (folder: string) =>
  (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => path.join(folder, name));

/** git may check files out with other line ends; that is no change. */
const textOf = (file: string) => fs.readFileSync(file, "utf8").replaceAll("\r\n", "\n");
const hashOf = (text: string) => crypto.createHash("sha256").update(text).digest("hex");

const isView = (file: string) => file.endsWith(".view.sql");

/** Domain by domain as the tables are; views last, since they call functions. */
function readRoutines(dir: string): { name: string; body: string }[] {
  const domains = sqlIn(path.join(dir, "tables")).map((file) => path.basename(file).slice(5, -4));
  const files = domains.flatMap((domain) => sqlIn(path.join(dir, ROUTINES, domain)));
  return [...files.filter((file) => !isView(file)), ...files.filter(isView)].map((file) => ({
    name: path.relative(dir, file),
    body: textOf(file),
  }));
}

const ledgerOf = async (client: PoolClient) =>
  (await client.query<{ name: string; sha256: string }>("select name, sha256 from schema_migration")).rows;

/** A database of release 7.0 had its tables from migrations that are in `tables/` now: it gets what is new there, once. */
async function takeOver(client: PoolClient, dir: string, migrations: Migration[]): Promise<void> {
  const known = new Set([ROUTINES, ...migrations.map(({ name }) => name)]);
  const applied = (await ledgerOf(client)).map(({ name }) => name);
  if (!applied.includes("0001-access.sql")) return;
  if (applied.includes(TAKEN_OVER) && applied.every((name) => name <= TAKEN_OVER || known.has(name))) {
    const tables = new Set(sqlIn(path.join(dir, "tables")).map((file) => path.basename(file)));
    await inOne(client, "from-0381.sql", textOf(path.join(dir, "from-0381.sql")), async () => {
      await client.query("delete from schema_migration");
      for (const migration of migrations) if (tables.has(migration.name)) await note(client, migration);
    });
  } else
    throw new Error(
      "The database was made by a release before 7.0. Start release 7.0 on it once, then this one.",
    );
}

async function compare(client: PoolClient, migrations: Migration[]): Promise<Migration[]> {
  const rows = (await ledgerOf(client)).filter(({ name }) => name !== ROUTINES);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const newer = rows.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (newer.length)
    throw new Error(
      `The database was used by a newer release: it has ${newer.toSorted().join(", ")}, which this one does not know. Start the newer release, or restore a back-up.`,
    );
  for (const { name, sha256 } of rows)
    if (known.get(name)?.sha256 !== sha256)
      throw new Error(
        `${name} was changed after it was applied. Put it back and write a new migration instead.`,
      );
  const applied = new Set(rows.map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

const apply = (client: PoolClient, migration: Migration) =>
  inOne(client, migration.name, migration.body, () => note(client, migration));

/** Applies the routines anew when a text of theirs has changed; views are dropped before, for their columns may differ. */
async function applyRoutines(client: PoolClient, dir: string): Promise<void> {
  const routines = readRoutines(dir);
  const sha256 = hashOf(routines.map(({ name, body }) => `${name}\n${body}`).join("\n"));
  const applied = (await ledgerOf(client)).find(({ name }) => name === ROUTINES);
  if (applied?.sha256 === sha256 || !routines.length) return;
  await client.query("begin; set local check_function_bodies = off");
  try {
    const { rows } = await client.query<{ view: string }>(
      "select format('%I.%I', schemaname, viewname) as view from pg_views where schemaname = 'public' and viewowner = current_user",
    );
    if (rows.length) await client.query(`drop view ${rows.map(({ view }) => view).join(", ")} cascade`);
    for (const { name, body } of routines) await run(client, name, body);
    // once everything is there, what they name is looked for
    await client.query("set local check_function_bodies = on");
    for (const { name, body } of routines) if (!isView(name)) await run(client, name, body);
    await client.query("delete from schema_migration where name = $1", [ROUTINES]);
    await note(client, { name: ROUTINES, sha256 });
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

const note = (client: PoolClient, { name, sha256 }: Omit<Migration, "body">) =>
  client.query("insert into schema_migration (name, sha256) values ($1, $2)", [name, sha256]);

/** One text and what belongs to it, in one transaction. */
async function inOne(client: PoolClient, name: string, body: string, then: () => Promise<unknown>) {
  await client.query("begin");
  try {
    await run(client, name, body);
    await then();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** Errors name the file and the line. */
async function run(client: PoolClient, name: string, body: string): Promise<void> {
  try {
    await client.query(body);
  } catch (error) {
    const { message, position } = error as Error & { position?: string };
    const line = position ? ` (line ${body.slice(0, Number(position)).split("\n").length})` : "";
    throw new Error(`${name}${line}: ${message}`, { cause: error });
  }
}
