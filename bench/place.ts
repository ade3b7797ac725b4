import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { generate } from "../demo/generate.ts";
import type { DemoOptions } from "../demo/company.ts";
import { STANDARD } from "../demo/standard.ts";
import { dayInZone } from "../platform/kernel/day.ts";
import { openDatabase, type Database } from "../platform/server/database/database.ts";
import { openCipher } from "../platform/server/secrets/key-note.ts";
import { prepareSchema } from "../platform/server/database/rights.ts";
import { readSettings, ROOT, type Settings } from "../platform/server/process/settings.ts";
import { hashOf, newToken } from "../platform/server/pipeline/session.ts";

export type Size = { name: string; options: Partial<DemoOptions> };
/** 2,000 rooms with a bill for every fee of every month, and 100,000 rooms of an ordinary company. */
export const SMALL: Size = {
  name: "200k",
  options: { rooms: 2000, years: 4.3, grouping: "fee", cycles: [[1, 1]] },
};
export const LARGE: Size = { name: "1.5m", options: { rooms: 100_000 } };

/** A filled database below data/bench, and the real server over it in a process of its own. */
export type Place = {
  database: Database;
  settings: Settings;
  base: string;
  /** The embedded server's socket folder, for pgbench. */
  host: string;
  token: (account: string) => Promise<string>;
  /** The server process in megabytes: at most since its start, and now. */
  megabytes: () => Promise<{ peak: number; now: number }>;
  close: () => Promise<void>;
};

const PORT = 8390;

export async function openPlace(size: Size): Promise<Place> {
  const dir = path.join(ROOT, "data/bench", size.name);
  // the same programs everywhere, so that figures can be compared
  const settings = readSettings({
    DATA_DIR: dir,
    POSTGRES_BIN: process.env.POSTGRES_BIN || "embedded",
  });
  const database = await openDatabase(settings);
  await prepareSchema(database);
  const { rows } = await database.pool.query("select 1 from enterprise limit 1");
  if (!rows.length) {
    const today = dayInZone(new Date(), settings.TIME_ZONE);
    const options = { ...STANDARD, ...size.options, today };
    const cipher = await openCipher(database.owner, settings);
    const made = await generate(database, cipher, options, (s) => process.stderr.write(`${s}\n`));
    process.stderr.write(`${size.name}: ${JSON.stringify(made.rows)} in ${made.seconds.toFixed(0)} s\n`);
  }
  const server = spawn(process.execPath, [path.join(ROOT, "server.ts")], {
    env: {
      ...process.env,
      MODE: "demo",
      DATA_DIR: dir,
      PORT: String(PORT),
      LOG_LEVEL: "warn",
      RATE_LIMIT: "0",
      // one process, so that its memory and its share of the machine can be told
      WORKERS: "0",
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const base = `http://127.0.0.1:${PORT}`;
  await ready(base, server);
  return {
    database,
    settings,
    base,
    host: database.pool.options.host!,
    token: (account) => tokenOf(database, account),
    megabytes: async () => {
      const status = await readFile(`/proc/${server.pid}/status`, "utf8");
      const of = (name: string) =>
        Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024);
      return { peak: of("VmHWM"), now: of("VmRSS") };
    },
    close: async () => {
      server.kill("SIGTERM");
      await once(server, "exit");
      await database.close();
    },
  };
}

async function ready(base: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (server.exitCode !== null) throw new Error("the server ended");
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the server did not get ready");
}

/** A session of a demo person, without the log-in. */
async function tokenOf({ db }: Database, account: string): Promise<string> {
  const { id } = await db
    .selectFrom("operator")
    .select("id")
    .where("account", "=", account)
    .executeTakeFirstOrThrow();
  const token = newToken();
  const expiresAt = new Date(Date.now() + 86_400_000);
  await db
    .insertInto("loginSession")
    .values({ operatorId: id, tokenHash: hashOf(token), expiresAt })
    .execute();
  return token;
}
