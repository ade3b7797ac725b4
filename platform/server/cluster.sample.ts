import crypto from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { TEMPLATE, type Cluster } from "./cluster.ts";
import { connect, type Database } from "./database.ts";
import type {} from "./cluster-setup.ts";

export type FreshDatabase = Database & { name: string; url: string };

/**
 * A database of one's own with every migration and no rows. Call it at the top of a test file: it is dropped after
 * the file's tests.
 */
export async function freshDatabase(options: { poolSize?: number } = {}): Promise<FreshDatabase> {
  const cluster = inject("cluster");
  const name = `test_${crypto.randomBytes(6).toString("hex")}`;
  await administer(cluster, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const settings = { POOL_SIZE: options.poolSize ?? 8, TIME_ZONE: "Asia/Shanghai" };
  const database = await connect({ ...cluster, database: name }, undefined, settings);
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await database.close();
    await administer(cluster, `drop database ${name} with (force)`);
  };
  afterAll(close);
  const url = `postgres://${cluster.user}@/${name}?host=${encodeURIComponent(cluster.host)}&port=${cluster.port}`;
  return { ...database, name, url, close };
}

async function administer(cluster: Cluster, statement: string): Promise<void> {
  const admin = new pg.Client({ ...cluster, database: "postgres" });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
