import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { connect, type Database } from "./database.ts";
import { OWNER, prepareRoles, WORKER } from "../postgres/postgres-roles.ts";
import { prepareSchema } from "./rights.ts";
import { startPostgres, type Postgres } from "../postgres/postgres.ts";

/** Where a throw-away cluster answers and its superuser; enough to connect from another process. */
export type Cluster = { host: string; port: number; user: string };
export const TEMPLATE = "template_sams";

/**
 * Starts a throw-away cluster with a migrated template database: in memory where the system offers it, and without any care for power
 * cuts. It is gone when `stop` is called or this process ends, however it ends.
 */
export async function startCluster(): Promise<Cluster & { stop(): Promise<void> }> {
  const memory = "/dev/shm";
  const dir = fs.mkdtempSync(path.join(fs.existsSync(memory) ? memory : os.tmpdir(), "sams-cluster-"));
  // the database's own user must be able to pass
  fs.chmodSync(dir, 0o755);
  const home = path.join(dir, "postgres");
  const careless = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };
  const roomy = { max_connections: "300", shared_buffers: "128MB", max_wal_size: "4GB", autovacuum: "off" };
  const mourner = cleanUpAfterDeath(dir, path.join(home, "data"));
  let server: Postgres | undefined;
  const stop = async () => {
    await server?.stop();
    mourner.kill();
    fs.rmSync(dir, { recursive: true, force: true });
  };
  try {
    server = await startPostgres(home, {
      bin: process.env.POSTGRES_BIN || "embedded",
      flags: { ...careless, ...roomy },
    });
    const place = { host: server.host, port: server.port, user: server.user };
    await makeTemplate(place);
    return { ...place, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makeTemplate(place: Cluster): Promise<void> {
  await prepareRoles(place, TEMPLATE);
  const database = await reach(place, TEMPLATE);
  try {
    await prepareSchema(database);
  } finally {
    await database.close();
  }
}

/** A database of the cluster, with the roles that the product has in its own. */
export const reach = (place: Cluster, database: string, poolSize = 8): Promise<Database> =>
  connect(
    { main: { ...place, user: WORKER, database }, owner: { ...place, user: OWNER, database } },
    { POOL_SIZE: poolSize, TIME_ZONE: "Asia/Shanghai" },
  );

/** A killed test run must not leave a server behind: a shell waits for our end of the pipe to close, whatever closes it. */
function cleanUpAfterDeath(dir: string, data: string) {
  const script = 'cat; kill -QUIT "$(head -n 1 "$2/postmaster.pid")"; sleep 1; rm -rf "$1"';
  const shell = spawn("/bin/sh", ["-c", script, "sh", dir, data], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return shell;
}
