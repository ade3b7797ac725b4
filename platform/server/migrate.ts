import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Pool, PoolClient } from "pg";
import { ROOT } from "./settings.ts";

export const MIGRATIONS = path.join(ROOT, "db/migrations");

/** Held while migrating, so that of several servers that start at once one migrates and the others wait. */
const LOCK = 7_301_200;
/** Which migrations a database has had. */
export const LEDGER =
  "create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())";
const NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

type Migration = { name: string; body: string; sha256: string };

/**
 * Brings the database up to the files of `dir`: plain SQL, in the order of their numbers, one transaction each, forward only.
 * Answers the names that were applied now. Throws when an applied file has changed since, or when the database knows
 * migrations that the files do not (it was used by a newer release).
 */
export async function migrate(pool: Pool, dir: string = MIGRATIONS): Promise<string[]> {
  const migrations = readMigrations(dir);
  const client = await pool.connect();
  try {
    return await holdMigrations(client, async () => {
      await client.query(LEDGER);
      const pending = await compare(client, migrations);
      for (const migration of pending) await apply(client, migration);
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

export function readMigrations(dir: string): Migration[] {
  const names = fs.existsSync(dir) ? fs.readdirSync(dir).filter((name) => name.endsWith(".sql")) : [];
  const numbers = new Map<string, string>();
  return names.toSorted().map((name) => {
    const number = NAME.exec(name)?.[1];
    if (!number) throw new Error(`${name} is not the name of a migration: it must look like 0042-bill.sql.`);
    const twin = numbers.get(number);
    if (twin) throw new Error(`${twin} and ${name} have the same number.`);
    numbers.set(number, name);
    // git may check files out with other line ends; that is no change
    const body = fs.readFileSync(path.join(dir, name), "utf8").replaceAll("\r\n", "\n");
    return { name, body, sha256: crypto.createHash("sha256").update(body).digest("hex") };
  });
}

async function compare(client: PoolClient, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    "select name, sha256 from schema_migration order by name",
  );
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const newer = rows.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (newer.length)
    throw new Error(
      `The database was used by a newer release: it has ${newer.join(", ")}, which this one does not know. Start the newer release, or restore a back-up.`,
    );
  for (const { name, sha256 } of rows)
    if (known.get(name)?.sha256 !== sha256)
      throw new Error(
        `${name} was changed after it was applied. Put it back and write a new migration instead.`,
      );
  const applied = new Set(rows.map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

async function apply(client: PoolClient, { name, body, sha256 }: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(body);
    await client.query("insert into schema_migration (name, sha256) values ($1, $2)", [name, sha256]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    const { message, position } = error as Error & { position?: string };
    const line = position ? ` (line ${body.slice(0, Number(position)).split("\n").length})` : "";
    throw new Error(`${name}${line}: ${message}`, { cause: error });
  }
}
