import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { timeInZone } from "../../kernel/day.ts";
import { newLock, writeLocked, type Lock } from "./backup-lock.ts";
import { checksum, writeManifest, type Manifest } from "./backup-manifest.ts";
import { waitingJobs } from "./backup-jobs.ts";
import { command } from "../process/command.ts";
import { openDatabase, type Database } from "../database/database.ts";
import { readNote } from "../secrets/key-note.ts";
import { ROUTINES } from "../database/migrate.ts";
import { keyFingerprint, keyPlace, readKeys } from "../secrets/secret.ts";
import { readSettings, ROOT, type Settings } from "../process/settings.ts";

/**
 * Writes everything that the product keeps into a new folder: each table as of one moment, the waiting jobs, and the
 * files. The product may go on working meanwhile. The folder appears when it is whole; its checksums are in it. With
 * BACKUP_PASSPHRASE all of it is encrypted.
 */
export async function backUp(
  // as the owner: the product's own role has its rights only once this release has been started
  database: Pick<Database, "owner">,
  settings: Settings,
  target: string,
): Promise<Manifest> {
  if (fs.existsSync(target)) throw new Error(`${target} is there already.`);
  const draft = `${target}.part`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(path.join(draft, "tables"), { recursive: true, mode: 0o700 });
  const madeAt = new Date().toISOString();
  const lock = newLock(draft, settings.BACKUP_PASSPHRASE);
  const to: Target = { folder: draft, lock };
  const client = await database.owner.connect();
  let data: Omit<Manifest, "format" | "release" | "madeAt" | "files" | "filesElsewhere">;
  try {
    await client.query("begin isolation level repeatable read read only");
    data = await copyData(client, to, settings);
  } finally {
    await client.query("rollback");
    client.release();
  }
  // after the data: a file is kept before its record is written, so every record has its file
  const local = settings.FILE_STORE === "local";
  const files = local ? await copyFiles(path.join(settings.DATA_DIR, "files"), to) : [];
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    version: string;
  };
  const manifest: Manifest = { format: 1, release: version, madeAt, ...data, files, filesElsewhere: !local };
  await writeManifest(lock, draft, manifest);
  fs.renameSync(draft, target);
  return manifest;
}

type Target = { folder: string; lock: Lock };

async function copyData(client: pg.PoolClient, to: Target, settings: Settings) {
  const read = async <T extends pg.QueryResultRow>(text: string) => (await client.query<T>(text)).rows;
  const migrations = await read<{ name: string; sha256: string }>(
    `select name, sha256 from schema_migration where name <> '${ROUTINES}' order by name`,
  );
  const found = await read<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
  );
  const tables: Manifest["tables"] = [];
  for (const { name, columns } of found) {
    const list = columns.map(pg.escapeIdentifier).join(", ");
    const file = `tables/${name}.copy.gz`;
    const source = `select ${list} from public.${pg.escapeIdentifier(name)}`;
    tables.push({ name, columns, ...(await copyQuery(client, source, to, file)) });
  }
  const sequences: Manifest["sequences"] = [];
  for (const { name } of await read<{ name: string }>(
    "select sequencename as name from pg_sequences where schemaname = 'public' order by 1",
  )) {
    const sequence = `public.${pg.escapeIdentifier(name)}`;
    const [state] = await read<{ last: number; called: boolean }>(
      `select last_value as last, is_called as called from ${sequence}`,
    );
    sequences.push({ name, ...state! });
  }
  const [there] = await read("select where to_regclass('public.key_note') is not null");
  const note = there && (await readNote(client));
  return {
    migrations,
    tables,
    sequences,
    jobs: await copyJobs(client, to),
    keyFingerprint: note?.fingerprint ?? ownFingerprint(settings),
    ...(note?.retiring && { oldKeyFingerprint: note.retiring }),
  };
}

/** Of the key at hand, for a database that an earlier release wrote; empty where there is no key yet. */
function ownFingerprint(settings: Settings): string {
  const { current } = readKeys(settings);
  return current ? keyFingerprint(current) : "";
}

async function copyQuery(client: pg.PoolClient, source: string, to: Target, file: string) {
  const at = path.join(to.folder, file);
  const rows = client.query(copyTo(`copy (${source}) to stdout`));
  const out = fs.createWriteStream(at, { mode: 0o600, flush: true });
  await pipeline(rows, createGzip({ level: 4 }), to.lock.writing(file), out);
  return { path: file, sha256: await checksum(at), rows: rows.rowCount };
}

/** The job queue's own tables change with its release, so what waits in it is kept as data: queue, payload and time. */
async function copyJobs(client: pg.PoolClient, { folder, lock }: Target): Promise<Manifest["jobs"]> {
  const file = "jobs.json";
  const jobs = await waitingJobs(client);
  await writeLocked(lock, folder, file, JSON.stringify(jobs));
  return { path: file, sha256: await checksum(path.join(folder, file)), count: jobs.length };
}

async function copyFiles(from: string, { folder, lock }: Target): Promise<Manifest["files"]> {
  if (!fs.existsSync(from)) return [];
  const files: Manifest["files"] = [];
  for (const entry of fs.readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith(".part")) continue;
    const source = path.join(entry.parentPath, entry.name);
    const name = path.join("files", path.relative(from, source));
    const at = path.join(folder, name);
    fs.mkdirSync(path.dirname(at), { recursive: true, mode: 0o700 });
    await pipeline(
      fs.createReadStream(source),
      lock.writing(name),
      fs.createWriteStream(at, { mode: 0o600 }),
    );
    files.push({ path: name, sha256: await checksum(at) });
  }
  return files;
}

await command(import.meta, async (args) => {
  const settings = readSettings(process.env);
  const stamp = timeInZone(new Date(), settings.TIME_ZONE).replaceAll(/[-:]/g, "").replace(" ", "-");
  const target = path.resolve(args[0] ?? path.join(settings.DATA_DIR, "backups", stamp));
  const database = await openDatabase(settings);
  try {
    const {
      tables,
      files,
      jobs,
      filesElsewhere,
      keyFingerprint: key,
    } = await backUp(database, settings, target);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    process.stdout.write(
      `Backed up to ${target}: ${rows} rows of ${tables.length} tables, ${jobs.count} waiting jobs, ${files.length} files.\n` +
        `${filesElsewhere ? "The files in the bucket are not in it.\n" : ""}` +
        `${settings.BACKUP_PASSPHRASE ? "It is encrypted with BACKUP_PASSPHRASE; keep that too." : "It is not encrypted: whoever reads the folder reads what is in it, but for what the secret key protects. BACKUP_PASSPHRASE encrypts it."}\n` +
        `The secret key (fingerprint ${key}), which it needs, is not in it either: keep ${keyPlace(settings)} in another place.\n`,
    );
  } finally {
    await database.close();
  }
});
