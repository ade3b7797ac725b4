import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { serverIdentity } from "./postgres-binaries.ts";
import { chooseBinaries, type Chosen } from "./postgres-choice.ts";
import {
  createCluster,
  endOfLog,
  holders,
  holds,
  lockedBy,
  openFolder,
  removeStaleLocks,
  rotateLog,
  SERVER_ENV,
  isAlive,
} from "./postgres-folder.ts";

/** The process that answers for the server. A process id alone would not do: after a restart of a container it is a stranger's. */
type Owner = { pid: number; born: string };

/** When a process was started, in the system's own ticks; the same process id with another birth is another process. */
function born(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function read(file: string): Owner | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

const same = (a: Owner, b: Owner) => a.pid === b.pid && a.born === b.born;
const ourselves = (): Owner => ({ pid: process.pid, born: born(process.pid) });

const isOwner = (file: string): boolean => {
  const owner = read(file);
  return owner !== undefined && same(owner, ourselves());
};

/** Takes the server over unless a living process answers for it. */
function claim(file: string): void {
  const owner = read(file);
  if (owner && isAlive(owner.pid) && born(owner.pid) === owner.born) return;
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(ourselves()), { mode: 0o600 });
  fs.renameSync(draft, file);
}

const release = (file: string): void => fs.rmSync(file, { force: true });

export type PostgresOptions = {
  /** The database's superuser. */
  user?: string;
  /** As the setting POSTGRES_BIN; without it the package's programs. */
  bin?: string | undefined;
  /** Server settings, as in postgresql.conf. */
  flags?: Record<string, string>;
  /** Hears of restarts and failures; one sentence each. */
  log?: (sentence: string) => void;
};

export type Postgres = {
  /** The folder of the unix socket; there is no TCP port. */
  host: string;
  port: number;
  user: string;
  /** The server's process id now; another one after a restart. */
  readonly pid: number;
  /** How it came to run: made, started, or found running. */
  origin: "made" | "started" | "adopted";
  /** The programs that it is started with; one that was adopted may run on others of the same major version. */
  programs: Chosen;
  /** Stops the server if this process is the one that answers for it. */
  stop(): Promise<void>;
};

type Answer = "ready" | "busy" | "silent";
/** How long a process may hold the data directory without answering before we give up on it. */
const PATIENCE_MS = 30_000;
const WATCH_MS = 1_000;

/**
 * Runs a server of our own on a folder and keeps it running: starts it, adopts one that a killed process left behind,
 * and starts it again when it dies. Any number of processes may call this on one folder; one of them answers for the
 * server and stops it at its end, and if that one is killed another takes over.
 */
export async function startPostgres(dir: string, options: PostgresOptions = {}): Promise<Postgres> {
  const { user = "sams", bin, flags = {}, log = () => {} } = options;
  if (process.platform === "win32")
    throw new Error(
      "On Windows there is no embedded PostgreSQL: set DATABASE_URL to a server (15 or newer).",
    );
  const data = path.resolve(dir, "data");
  const identity = serverIdentity(data);
  const programs = chooseBinaries(data, identity, bin);
  const folder = openFolder(path.resolve(dir), identity);
  const place = { host: folder.socket, port: 5432, user };
  const made = createCluster(folder, programs, identity, user);

  const launch = (): ChildProcess => {
    rotateLog(folder.log);
    const out = fs.openSync(folder.log, "a", 0o600);
    const quoted = `"${folder.socket.replaceAll('"', '""')}"`;
    const settings = { listen_addresses: "", unix_socket_permissions: "0700", ...flags };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(programs.postgres, ["-D", folder.data, "-k", quoted, ...args], {
      ...identity,
      env: SERVER_ENV,
      cwd: folder.data,
      // a session of its own: Ctrl+C in our terminal must not stop it before we have let go of it
      detached: true,
      stdio: ["ignore", out, out],
    });
    fs.closeSync(out);
    child.unref();
    return child;
  };

  let child: ChildProcess | undefined;
  let pid = 0;
  let origin: Postgres["origin"] = "adopted";
  const bringUp = async () => {
    let failures = 0;
    let waitedSince = Date.now();
    for (;;) {
      const answer = await ask(place);
      if (answer === "ready") break;
      const running = child && child.exitCode === null && child.signalCode === null && child.pid;
      if (answer === "busy" || running) waitedSince = answer === "busy" ? Date.now() : waitedSince;
      else if (!holders(folder.data).length) {
        if (failures++ === 3)
          throw new Error(`PostgreSQL does not start on ${folder.data}:\n${endOfLog(folder.log)}`);
        removeStaleLocks(folder);
        child = launch();
        child.once("error", (error) => log(`PostgreSQL cannot be run: ${error.message}`));
        child.once("exit", () => void watch());
        origin = made ? "made" : "started";
        waitedSince = Date.now();
      }
      if (Date.now() - waitedSince > PATIENCE_MS)
        throw new Error(`PostgreSQL holds ${folder.data} but does not answer:\n${endOfLog(folder.log)}`);
      await sleep(15);
    }
    pid = lockedBy(folder.data);
    claim(folder.owner);
  };

  let stopping = false;
  let watching = true;
  const watch = async () => {
    if (watching || stopping) return;
    watching = true;
    try {
      if (!holds(pid, folder.data)) {
        log("PostgreSQL has died and is started again.");
        await bringUp();
      } else if (!isOwner(folder.owner)) claim(folder.owner);
    } catch (error) {
      log((error as Error).message);
    }
    watching = false;
  };

  await bringUp();
  watching = false;
  const timer = setInterval(() => void watch(), WATCH_MS).unref();
  const rotation = setInterval(() => rotateLog(folder.log), 3_600_000).unref();
  const atExit = () => {
    if (isOwner(folder.owner) && holds(pid, folder.data)) process.kill(pid, "SIGINT");
  };
  process.once("exit", atExit);

  return {
    ...place,
    origin,
    programs,
    get pid() {
      return pid;
    },
    async stop() {
      stopping = true;
      clearInterval(timer);
      clearInterval(rotation);
      process.off("exit", atExit);
      if (!isOwner(folder.owner)) return;
      await shutDown(pid, folder.data);
      release(folder.owner);
    },
  };
}

/** Fast shutdown: open transactions are rolled back, everything is written. Immediate only when that hangs. */
async function shutDown(pid: number, data: string): Promise<void> {
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    if (!holds(pid, data)) return;
    process.kill(pid, signal);
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(10))
      if (!holders(data).length) return;
  }
}

async function ask(place: { host: string; port: number; user: string }): Promise<Answer> {
  const client = new pg.Client({ ...place, database: "postgres", connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return "ready";
  } catch (error) {
    const { code } = error as { code?: string };
    // 53300: it answers, only every connection is taken
    if (code === "53300") return "ready";
    return code === "57P03" ? "busy" : "silent";
  } finally {
    await client.end().catch(() => {});
  }
}
