import cluster from "node:cluster";
import os from "node:os";
import path from "node:path";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { DB } from "../../../db/types.gen.ts";
import { columnValues } from "./column-values.ts";
import { PreparingClient } from "./prepared.ts";
import { OLDEST } from "../postgres/postgres-choice.ts";
import { OWNER, prepareRoles, WORKER } from "../postgres/postgres-roles.ts";
import { startPostgres, type Postgres } from "../postgres/postgres.ts";
import type { Settings } from "../process/settings.ts";
import { workersOf } from "../process/workers.ts";

export type Database = {
  pool: pg.Pool;
  /** Where reports and exports read: the replica if there is one, else the same pool. Never write here. */
  replica: pg.Pool;
  db: Kysely<DB>;
  replicaDb: Kysely<DB>;
  /**
   * Connections of the role that owns the tables: for migrations, a restore and what fills an empty database. The
   * product works on `pool`, whose role may neither alter nor truncate; with one role for all it is the same.
   */
  owner: pg.Pool;
  /** Ends the connections, then the embedded server. */
  close(): Promise<void>;
};

type EmbeddedSettings = Pick<Settings, "DATA_DIR" | "POOL_SIZE"> &
  Partial<Pick<Settings, "WORKERS" | "MODE" | "POSTGRES_BIN" | "LOG_LEVEL">>;

export type DatabaseSettings = EmbeddedSettings &
  Pick<Settings, "TIME_ZONE"> &
  Partial<Pick<Settings, "DATABASE_URL" | "MIGRATE_DATABASE_URL" | "DATABASE_REPLICA_URL">>;

export type Places = {
  main: pg.PoolConfig;
  /** As the role that owns the tables, where that is another. */
  owner?: pg.PoolConfig | undefined;
  replica?: pg.PoolConfig | undefined;
};

/** The owner's work is done at a start, or while nothing else is. */
const OWNER_POOL = 4;
const NAME = "sams";

/** Connects to DATABASE_URL, or starts the embedded server below DATA_DIR. Does not migrate. */
export async function openDatabase(
  settings: DatabaseSettings,
  log: (sentence: string) => void = () => {},
): Promise<Database> {
  const server = settings.DATABASE_URL ? undefined : await openEmbedded(settings, log);
  const by = (url: string | undefined) => (url ? { connectionString: url } : undefined);
  const as = (user: string) => server && { host: server.host, port: server.port, user, database: NAME };
  const places: Places = {
    main: as(WORKER) ?? by(settings.DATABASE_URL)!,
    owner: as(OWNER) ?? by(settings.MIGRATE_DATABASE_URL),
    replica: by(settings.DATABASE_REPLICA_URL),
  };
  if (!places.owner)
    log(
      "DATABASE_URL names one role for everything: it may also alter and truncate. Give the owner of the tables as MIGRATE_DATABASE_URL and a plain role as DATABASE_URL.",
    );
  try {
    const database = await connect(places, settings, log);
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
  places: Places,
  settings: Pick<Settings, "POOL_SIZE" | "TIME_ZONE">,
  log: (sentence: string) => void = () => {},
): Promise<Database> {
  for (const place of [places.main, places.owner, places.replica]) if (place) await checkServer(place);
  const open = (config: pg.PoolConfig) => openPool({ max: settings.POOL_SIZE, ...config }, settings, log);
  const pool = open(places.main);
  const replica = places.replica ? open(places.replica) : pool;
  const owner = places.owner ? open({ ...places.owner, max: OWNER_POOL }) : pool;
  const close = async () => {
    for (const each of new Set([pool, replica, owner])) await each.end();
  };
  const db = typed(pool);
  return { pool, replica, owner, db, replicaDb: replica === pool ? db : typed(replica), close };
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
    // a new connection has to parse and plan everything anew: an act of a hundred statements takes twice as long on it
    idleTimeoutMillis: 600_000,
    // names the process in pg_stat_activity, for administrators and for a restore, which must be the only client
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

async function checkServer(place: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ connectionTimeoutMillis: 10_000, ...(place as pg.ClientConfig) });
  client.on("error", () => {});
  try {
    await client.connect().catch((error: Error) => {
      throw new Error(`The database cannot be reached: ${error.message}.`, { cause: error });
    });
    const { rows } = await client.query<{ version: string; encoding: string }>(
      "select current_setting('server_version') as version, current_setting('server_encoding') as encoding",
    );
    const { version = "", encoding = "" } = rows[0] ?? {};
    if (Number.parseInt(version) < OLDEST)
      throw new Error(`The database is PostgreSQL ${version}; the product needs ${OLDEST} or newer.`);
    if (encoding !== "UTF8")
      throw new Error(`The database is encoded in ${encoding}; create it with encoding UTF8.`);
  } finally {
    await client.end().catch(() => {});
  }
}

const CHATTY: ReadonlySet<string> = new Set(["trace", "debug", "info"]);

function whichServes({ origin, programs }: Postgres, dir: string): string {
  const { version, major, folder, passed } = programs;
  const which = origin === "adopted" ? `${major}, which ran already,` : `${version} in ${folder}`;
  return `PostgreSQL ${which} serves ${dir}${passed.length ? ` (not taken: ${passed.join("; ")})` : ""}.`;
}

/** Starts the embedded server below DATA_DIR with an empty database, or finds both. */
export async function openEmbedded(
  settings: EmbeddedSettings,
  log: (sentence: string) => void,
): Promise<Postgres> {
  const { WORKERS, MODE = "demo", LOG_LEVEL = "info" } = settings;
  // one more for commands beside the server; the rest is for numbers, locks and the database's own
  const users = workersOf({ WORKERS, MODE }) + 1;
  const production = MODE === "production";
  const dir = path.join(settings.DATA_DIR, "postgres");
  const server = await startPostgres(dir, {
    bin: settings.POSTGRES_BIN ?? (production ? "installed" : "embedded"),
    flags: { ...tuning(), max_connections: String(settings.POOL_SIZE * users + 40) },
    log,
  });
  // workers find the server that their supervisor has told of
  const told = production && cluster.isPrimary && LOG_LEVEL !== "silent";
  if (told && (server.origin === "made" || CHATTY.has(LOG_LEVEL))) log(whichServes(server, dir));
  try {
    await prepareRoles(server, NAME);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
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
    // an act touches a hundred pages for the first time since a checkpoint: packing them costs it a quarter of its time
    wal_compression: "off",
    random_page_cost: "1.1",
    effective_io_concurrency: "64",
    jit: "off",
    log_checkpoints: "off",
    log_timezone: "UTC",
  };
}
