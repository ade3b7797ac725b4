import crypto from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { reach, TEMPLATE, type Cluster } from "./cluster.ts";
import type { Database } from "./database.ts";
import { OWNER, WORKER } from "../postgres/postgres-roles.ts";
import type {} from "./cluster-setup.ts";

/** `url` is the product's own role's, `ownerUrl` that of the tables' owner. */
export type FreshDatabase = Database & { name: string; url: string; ownerUrl: string };

type Options = {
  poolSize?: number | undefined;
  /** A database to begin with, instead of the one without rows. */
  template?: string | undefined;
};

/**
 * A database of one's own with every migration and no rows. Call it at the top of a test file: it is dropped after
 * the file's tests.
 */
export async function freshDatabase(options: Options = {}): Promise<FreshDatabase> {
  const cluster = inject("cluster");
  const name = `test_${crypto.randomBytes(6).toString("hex")}`;
  const template = options.template ?? TEMPLATE;
  await administer(cluster, `create database ${name} template ${template} owner ${OWNER} strategy file_copy`);
  const database = await reach(cluster, name, options.poolSize);
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await database.close();
    await administer(cluster, `drop database ${name} with (force)`);
  };
  afterAll(close);
  const urlOf = (user: string) =>
    `postgres://${user}@/${name}?host=${encodeURIComponent(cluster.host)}&port=${cluster.port}`;
  return { ...database, name, url: urlOf(WORKER), ownerUrl: urlOf(OWNER), close };
}

/** A template that is filled, and left, once in a run of the tests by whoever asks first, and copied by all who ask. */
export async function filledTemplate(
  name: string,
  fill: (database: Database) => Promise<unknown>,
): Promise<string> {
  const cluster = inject("cluster");
  await administering(cluster, async (run) => {
    // test files run side by side: one fills it, the others wait
    await run(`select pg_advisory_lock(hashtext('${name}'))`);
    if (await run(`select from pg_database where datname = '${name}'`)) return;
    // under its own name only when it is whole
    const draft = `${name}_draft`;
    await run(`drop database if exists ${draft} with (force)`);
    await run(`create database ${draft} template ${TEMPLATE} owner ${OWNER} strategy file_copy`);
    await fill(await reach(cluster, draft));
    await run(`alter database ${draft} rename to ${name}`);
  });
  return name;
}

/** A statement gives the rows that it found or touched. */
async function administering<T>(
  cluster: Cluster,
  work: (run: (statement: string) => Promise<number>) => Promise<T>,
): Promise<T> {
  const admin = new pg.Client({ ...cluster, database: "postgres" });
  await admin.connect();
  try {
    return await work(async (statement) => (await admin.query(statement)).rowCount ?? 0);
  } finally {
    await admin.end();
  }
}

const administer = (cluster: Cluster, statement: string) => administering(cluster, (run) => run(statement));
