import os from "node:os";
import path from "node:path";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { DB } from "../../db/types.gen.ts";
import { columnValues } from "./column-values.ts";
import { PreparingClient } from "./prepared.ts";
import { startPostgres, type Postgres } from "./postgres.ts";
import type { Settings } from "./settings.ts";
import { workersOf } from "./workers.ts";

export type Database = {
  pool: pg.Pool;
  /** Where reports and exports read: the replica if there is one, else the same pool. Never write here. */
  replica: pg.Pool;
  db: Kysely<DB>;
  replicaDb: Kysely<DB>;
  /** Ends the connections, then the embedded server. */
  close(): Promise<void>;
};

export type DatabaseSettings = Pick<Settings, "DATA_DIR" | "POOL_SIZE" | "TIME_ZONE"> &
  Partial<Pick<Settings, "DATABASE_URL" | "DATABASE_REPLICA_URL">>;

/** The lowest server version that has all that the SQL uses. */
const OLDEST = 15;
const NAME = "sams";

/** Connects to DATABASE_URL, or starts the embedded server below DATA_DIR. Does not migrate. */
export async function openDatabase(
  settings: DatabaseSettings,
  log: (sentence: string) => void = () => {},
): Promise<Database> {
  const server = settings.DATABASE_URL ? undefined : await openEmbedded(settings, log);
  const main: pg.PoolConfig = server
    ? { host: server.host, port: server.port, user: server.user, database: NAME }
    : { connectionString: settings.DATABASE_URL };
  const replica = settings.DATABASE_REPLICA_URL;
  try {
    const database = await connect(main, replica ? { connectionString: replica } : undefined, settings, log);
    const close = async () => {
      await database.close();
      await server?.stop();
    };
    return { ...database, close };
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

/** Opens the pools on servers that run already. */
export async function connect(
  main: pg.PoolConfig,
  second: pg.PoolConfig | undefined,
  settings: Pick<Settings, "POOL_SIZE" | "TIME_ZONE">,
  log: (sentence: string) => void = () => {},
): Promise<Database> {
  const open = (config: pg.PoolConfig) => openPool({ max: settings.POOL_SIZE, ...config }, settings, log);
  const pool = open(main);
  const replica = second ? open(second) : pool;
  const end = async () => {
    await pool.end();
    if (replica !== pool) await replica.end();
  };
  try {
    for (const each of new Set([pool, replica])) await checkServer(each);
  } catch (error) {
    await end();
    throw error;
  }
  const db = typed(pool);
  return { pool, replica, db, replicaDb: replica === pool ? db : typed(replica), close: end };
}

function openPool(
  config: pg.PoolConfig,
  settings: Pick<Settings, "TIME_ZONE">,
  log: (sentence: string) => void,
): pg.Pool {
  const pool = new pg.Pool({
    Client: PreparingClient,
    types: columnValues,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // which process a connection belongs to, for whoever looks at the server, and for a restore that must be alone
    application_name: `sams ${os.hostname()} ${process.pid}`,
    ...config,
    // the day of `now()::date` and `current_date` is the day of the business, wherever the server stands
    onConnect: (client) =>
      client.query("select set_config('timezone', $1, false), set_config('datestyle', 'ISO, YMD', false)", [
        settings.TIME_ZONE,
      ]),
  });
  // without a listener a connection that breaks while idle would end the process
  pool.on("error", (error) => {
    if (!pool.ending) log(`A database connection broke: ${error.message}`);
  });
  return pool;
}

const typed = (pool: pg.Pool) =>
  new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    // stored JSON is data: its keys come back as they were written
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });

async function checkServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ version: string; encoding: string }>(
      "select current_setting('server_version') as version, current_setting('server_encoding') as encoding",
    )
    .catch((error: Error) => {
      throw new Error(`The database cannot be reached: ${error.message}.`, { cause: error });
    });
  const { version = "", encoding = "" } = rows[0] ?? {};
  if (Number.parseInt(version) < OLDEST)
    throw new Error(`The database is PostgreSQL ${version}; the product needs ${OLDEST} or newer.`);
  if (encoding !== "UTF8")
    throw new Error(`The database is encoded in ${encoding}; create it with encoding UTF8.`);
}

/** Starts the embedded server below DATA_DIR with an empty database, or finds both. */
export async function openEmbedded(
  settings: Pick<Settings, "DATA_DIR" | "POOL_SIZE"> & Partial<Pick<Settings, "WORKERS" | "MODE">>,
  log: (sentence: string) => void,
): Promise<Postgres> {
  const { WORKERS, MODE = "demo" } = settings;
  // one more for commands beside the server; the rest is for numbers, locks and the database's own
  const users = workersOf({ WORKERS, MODE }) + 1;
  const server = await startPostgres(path.join(settings.DATA_DIR, "postgres"), {
    flags: { ...tuning(), max_connections: String(settings.POOL_SIZE * users + 40) },
    log,
  });
  const client = new pg.Client({
    host: server.host,
    port: server.port,
    user: server.user,
    database: "postgres",
  });
  client.on("error", (error) => log(`A database connection broke: ${error.message}`));
  try {
    await client.connect();
    await client.query(`create database ${NAME}`).catch((error: pg.DatabaseError) => {
      // 42P04: it exists; 23505: another process is creating it at this moment
      if (error.code !== "42P04" && error.code !== "23505") throw error;
    });
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    await client.end();
  }
  return server;
}

/** Server settings for a machine that also runs the product itself. */
function tuning(): Record<string, string> {
  const memory = Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20;
  const megabytes = (share: number, min: number, max: number) =>
    `${Math.round(Math.min(max, Math.max(min, memory * share)))}MB`;
  return {
    shared_buffers: megabytes(0.15, 64, 2048),
    effective_cache_size: megabytes(0.4, 256, 16_384),
    maintenance_work_mem: megabytes(0.02, 64, 512),
    work_mem: megabytes(0.002, 8, 32),
    max_wal_size: "2GB",
    checkpoint_timeout: "15min",
    checkpoint_completion_target: "0.9",
    wal_compression: "on",
    random_page_cost: "1.1",
    effective_io_concurrency: "64",
    jit: "off",
    log_checkpoints: "off",
    log_timezone: "UTC",
  };
}
