import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { lockOn, readLocked, type Lock } from "./backup-lock.ts";
import { readManifest, type Manifest } from "./backup-manifest.ts";
import { queueAnew, type WaitingJob } from "./backup-jobs.ts";
import { checkAlone } from "../database/exclusive.ts";
import { command } from "../process/command.ts";
import { openDatabase, type Database } from "../database/database.ts";
import { holdMigrations, LEDGER, readMigrations, ROUTINES, SCHEMA } from "../database/migrate.ts";
import { prepareSchema } from "../database/rights.ts";
import { writeNote } from "../secrets/key-note.ts";
import { keyFile, keyFingerprint, makeKey, readKeys } from "../secrets/secret.ts";
import { readSettings, type Settings } from "../process/settings.ts";

export type RestoreOptions = {
  /** Replaces whatever the database and the files hold now. */
  force?: boolean;
  /** Goes on although certificate numbers will stay unreadable. */
  withoutKey?: boolean;
  /** The folder of tables, migrations and routines; `db/` unless given. */
  schema?: string;
};

/**
 * Puts a back-up back, into this or a newer release: the schema comes from the migrations it was written with, then
 * the data, then what migrations came since. It happens wholly or not at all. Nothing else may use the database meanwhile.
 */
export async function restore(
  database: Pick<Database, "pool" | "owner">,
  settings: Settings,
  source: string,
  options: RestoreOptions = {},
): Promise<Manifest> {
  const lock = lockOn(source, settings.BACKUP_PASSPHRASE);
  const manifest = await readManifest(lock, source);
  const folder = options.schema ?? SCHEMA;
  const known = new Map(readMigrations(folder).map((migration) => [migration.name, migration]));
  for (const { name, sha256 } of manifest.migrations)
    if (known.get(name)?.sha256 !== sha256)
      throw new Error(
        `The back-up is of another release (${manifest.release}): ${name} is not among this one's migrations. Restore it with that release, then start a newer one on its data.`,
      );
  const keyIsLost = !hasKey(settings, manifest, options);
  const files = path.join(settings.DATA_DIR, "files");
  const client = await database.owner.connect();
  try {
    await checkAlone(client);
    if (!options.force) await checkEmpty(client, files);
    const freshFiles = manifest.filesElsewhere ? undefined : await copyAside(lock, manifest, source, files);
    const jobs = JSON.parse(await readLocked(lock, source, manifest.jobs.path)) as WaitingJob[];
    await queueAnew(database.owner, jobs, (queueJobs) =>
      holdMigrations(client, async () => {
        await client.query("begin");
        try {
          await client.query(
            "drop schema public cascade; create schema public; set local search_path to public",
          );
          await client.query(LEDGER);
          for (const { name } of manifest.migrations) await client.query(known.get(name)!.body);
          await fill(client, manifest, lock, source);
          // the routines come with the schema, as this release has them
          await client.query("delete from schema_migration where name = $1", [ROUTINES]);
          await client.query(END_SESSIONS);
          await queueJobs(client);
          await client.query("commit");
        } catch (error) {
          await client.query("rollback");
          throw error;
        }
      }),
    );
    if (freshFiles) putInPlace(freshFiles, files);
    await client.query("analyze");
  } finally {
    client.release();
  }
  await prepareSchema(database, folder);
  // as though nothing had been sealed before
  if (keyIsLost) await writeNote(database.owner, makeKey(settings));
  return manifest;
}

/** Throws where the key is missing, unless one goes on without it. */
function hasKey(settings: Settings, manifest: Manifest, { withoutKey }: RestoreOptions): boolean {
  const { current, old } = readKeys(settings);
  const known = new Set([current, ...old].map((key) => key && keyFingerprint(key)));
  const missing = [manifest.keyFingerprint, manifest.oldKeyFingerprint].find(
    (each) => each && !known.has(each),
  );
  if (withoutKey || !missing) return !missing;
  throw new Error(
    `The back-up was made under another secret key (fingerprint ${missing}). Put that key into ${keyFile(settings)} or SECRET_KEY, or say --without-key: certificate numbers then stay unreadable.`,
  );
}

async function checkEmpty(client: pg.PoolClient, files: string) {
  const { rows } = await client.query<{ tables: number }>(
    "select count(*) as tables from pg_tables where schemaname = 'public'",
  );
  // even a product that was started but never used has written its first rows
  if (rows[0]!.tables) throw new Error("The database is not empty: say --force to replace what it holds.");
  if (fs.existsSync(files) && fs.readdirSync(files).length)
    throw new Error(`${files} is not empty: say --force to replace what it holds.`);
}

/** Who was signed in then may have been shut out since; phones and links that hang on a session end with it. */
const END_SESSIONS =
  "update login_session set ended_at = now(), end_reason = 'restore' where ended_at is null";

async function fill(client: pg.PoolClient, manifest: Manifest, lock: Lock, source: string) {
  const read = async <T extends pg.QueryResultRow>(text: string) => (await client.query<T>(text)).rows;
  // Neither an order of tables nor the right to switch off the server's own triggers is needed this way, and at the end
  // every reference is proved anew.
  const references = await read<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`,
  );
  const names = manifest.tables.map(({ name }) => `public.${pg.escapeIdentifier(name)}`);
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${name}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  // migrations may have put first rows in
  await client.query(`truncate ${names.join(", ")}`);
  for (const [i, { columns, path: file, rows, name }] of manifest.tables.entries()) {
    const list = columns.map(pg.escapeIdentifier).join(", ");
    const into = client.query(copyFrom(`copy ${names[i]} (${list}) from stdin`));
    await pipeline(fs.createReadStream(path.join(source, file)), lock.reading(file), createGunzip(), into);
    if (into.rowCount !== rows) throw new Error(`${name} has ${rows} rows, ${into.rowCount} came back.`);
  }
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { name, last, called } of manifest.sequences)
    await client.query("select setval($1::regclass, $2, $3)", [
      `public.${pg.escapeIdentifier(name)}`,
      last,
      called,
    ]);
  const views = "select matviewname as name from pg_matviews where schemaname = 'public'";
  for (const { name } of await read<{ name: string }>(views))
    await client.query(`refresh materialized view public.${pg.escapeIdentifier(name)}`);
}

/** The long part of bringing files back, done before anything is replaced. */
async function copyAside(lock: Lock, manifest: Manifest, source: string, files: string): Promise<string> {
  const fresh = `${files}.restored`;
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { recursive: true, mode: 0o700 });
  for (const { path: name } of manifest.files) {
    const at = path.join(fresh, path.relative("files", name));
    if (path.relative(fresh, at).startsWith(".."))
      throw new Error(`The back-up names a file outside it: ${name}.`);
    fs.mkdirSync(path.dirname(at), { recursive: true, mode: 0o700 });
    const from = fs.createReadStream(path.join(source, name));
    await pipeline(from, lock.reading(name), fs.createWriteStream(at, { mode: 0o600 }));
  }
  return fresh;
}

function putInPlace(fresh: string, files: string) {
  fs.rmSync(files, { recursive: true, force: true });
  fs.renameSync(fresh, files);
}

await command(import.meta, async (args) => {
  const [source, ...flags] = args;
  const settings = readSettings(process.env);
  if (!source) throw new Error("Say which back-up: npm run restore -- <folder> [--force] [--without-key]");
  const database = await openDatabase(settings);
  try {
    const options = { force: flags.includes("--force"), withoutKey: flags.includes("--without-key") };
    const { madeAt, tables, files } = await restore(database, settings, path.resolve(source), options);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    process.stdout.write(
      `Restored the state of ${madeAt}: ${rows} rows, ${files.length} files. Everybody has to sign in again.\n`,
    );
  } finally {
    await database.close();
  }
});
