import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import type { Call, Sent } from "../platform/kernel/call.ts";
import { openHouse } from "../platform/server/process/house.ts";
import type { Place } from "./place.ts";

export type Statement = { text: string; values: unknown[] };

/** The statements that a call sends to the database, caught while it is answered once. Session and bookkeeping are left out. */
export async function statementsOf<C extends Call>(
  place: Place,
  token: string,
  call: C,
  sent: Sent<C>,
): Promise<Statement[]> {
  const { query = {} } = sent as { query?: Record<string, unknown> };
  const house = await openHouse(
    { ...place.settings, LOG_LEVEL: "silent" },
    {
      database: place.database,
      work: false,
    },
  );
  const caught: Statement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, values] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    if (typeof first === "string") caught.push({ text: first, values: values ?? [] });
    else if (first && "text" in first)
      caught.push({ text: first.text, values: first.values ?? values ?? [] });
    return (original as (...a: unknown[]) => unknown).apply(this, args);
  } as typeof original;
  try {
    const url = `${call.path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString()}`;
    await house.app.inject({ method: call.method, url, headers: { authorization: token } });
  } finally {
    pg.Client.prototype.query = original;
    await house.app.close();
  }
  return caught.filter(
    (s) =>
      /^\s*(\/\*.*?\*\/\s*)?(with|select)/i.test(s.text) &&
      !/login_session|pg_catalog|set_config/.test(s.text),
  );
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value))
    return `'{${value.map((v) => (typeof v === "number" ? v : JSON.stringify(String(v)))).join(",")}}'`;
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** The same statements through pgbench: transactions (all statements once) a second on `clients` connections. */
export function pgbench(
  place: Place,
  statements: readonly Statement[],
  clients: number,
  seconds: number,
): number {
  const dir = mkdtempSync(path.join(os.tmpdir(), "bench-"));
  try {
    const script = path.join(dir, "list.sql");
    const text = statements.map(
      (s) =>
        `${s.text.replace(/\$(\d+)/g, (_, n) => literal(s.values[Number(n) - 1])).replaceAll("\n", " ")};`,
    );
    writeFileSync(script, `${text.join("\n")}\n`);
    const args = [
      "-h",
      place.host,
      "-U",
      "sams",
      "-n",
      "-M",
      "prepared",
      "-c",
      String(clients),
      "-j",
      "2",
      "-T",
      String(seconds),
      "-f",
      script,
      "sams",
    ];
    const { stdout, stderr, status } = spawnSync("pgbench", args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`pgbench: ${stderr}`);
    return Number(/tps = ([\d.]+)/.exec(stdout)![1]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** pgbench comes with a PostgreSQL client or server package of the system. */
export function hasPgbench(): boolean {
  try {
    execFileSync("pgbench", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
