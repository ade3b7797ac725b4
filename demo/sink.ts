import type { Pool, PoolClient } from "pg";
import { once } from "node:events";
import { from as copyFrom } from "pg-copy-streams";

const escape = (text: string) =>
  /[\\\t\n\r]/.test(text)
    ? text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")
    : text;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "\\N";
  if (typeof value === "string") return escape(value);
  if (typeof value === "boolean") return value ? "t" : "f";
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return escape(`{${value.map((v) => JSON.stringify(String(v))).join(",")}}`);
  if (typeof value === "object") return escape(JSON.stringify(value));
  return String(value as number | bigint);
}

/** A row as COPY reads it. Arrays are PostgreSQL arrays, other objects JSON; a JSON array comes as text. */
function line(keys: readonly string[], row: object): string {
  const values = row as Record<string, unknown>;
  let text = "";
  for (let i = 0; i < keys.length; i++) text += (i ? "\t" : "") + cell(values[keys[i]!]);
  return `${text}\n`;
}

const columnOf = (key: string) => key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

async function copy(
  client: PoolClient,
  table: string,
  keys: readonly string[],
  lines: string,
): Promise<void> {
  const stream = client.query(copyFrom(`copy ${table} (${keys.map(columnOf).join(", ")}) from stdin`));
  stream.end(lines);
  await once(stream, "finish");
}

const CHUNK = 2_000_000;
/** Chunks that may wait before the generator has to. */
const AHEAD = 6;

/**
 * Takes rows of many tables and sends them by COPY, a chunk of one table at a time, on two connections. Constraints and
 * triggers rest meanwhile: what the generator writes is proved afterwards, all at once.
 */
export async function openSink(pool: Pool) {
  const tables = new Map<string, { keys: string[]; lines: string }>();
  const waiting: { table: string; keys: string[]; lines: string }[] = [];
  const rows: Record<string, number> = {};
  let failed: unknown;
  const idle: PoolClient[] = [];
  for (let i = 0; i < 2; i++) {
    const client = await pool.connect();
    await client.query("set session_replication_role = replica; set synchronous_commit = off");
    idle.push(client);
  }
  const running = new Set<Promise<void>>();
  const pump = () => {
    for (
      let next = idle.length ? waiting.shift() : undefined;
      next;
      next = idle.length ? waiting.shift() : undefined
    ) {
      const client = idle.pop()!;
      const work = copy(client, next.table, next.keys, next.lines)
        .catch((error: unknown) => (failed ??= error))
        .then(() => {
          idle.push(client);
          running.delete(work);
          pump();
        });
      running.add(work);
    }
  };
  const send = (table: string) => {
    const { keys, lines } = tables.get(table)!;
    tables.get(table)!.lines = "";
    if (lines) waiting.push({ table, keys, lines });
    pump();
  };
  const settle = async (left: number) => {
    while (waiting.length + running.size > left) await Promise.race(running);
    if (failed) throw failed;
  };
  const release = (broken: boolean) => {
    for (const client of idle) client.release(broken);
  };
  return {
    rows,
    /** Await the answer: it waits when the database is slower than the generator. All rows of a table have the same keys. */
    add: async (table: string, row: object) => {
      rows[table] = (rows[table] ?? 0) + 1;
      let open = tables.get(table);
      if (!open) tables.set(table, (open = { keys: Object.keys(row), lines: "" }));
      open.lines += line(open.keys, row);
      if (open.lines.length < CHUNK) return;
      send(table);
      await settle(AHEAD);
    },
    end: async () => {
      for (const table of tables.keys()) send(table);
      await settle(0);
      for (const client of idle)
        await client.query("set session_replication_role = origin; set synchronous_commit = on");
      release(false);
    },
    /** Takes back every row that was sent, after a failure, and lets go of the connections. */
    abort: async () => {
      waiting.length = 0;
      await Promise.allSettled(running);
      // what cannot be taken back is named by the next run
      for (const table of tables.keys()) await idle[0]!.query(`delete from ${table}`).catch(() => undefined);
      release(true);
    },
  };
}
export type Sink = Awaited<ReturnType<typeof openSink>>;
