import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { PoolClient } from "pg";
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
  return String(value);
}

const CHUNK = 256 * 1024;
const columnOf = (key: string) => key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** A table that is being filled: rows go in as objects with the same keys, in the order of the first one. */
export type Filling<R extends object> = { add: (row: R) => Promise<void> | void; end: () => Promise<number> };

/** Fills a table by COPY on a connection of its own. Arrays are PostgreSQL arrays, other objects JSON; JSON arrays come as text. */
export function fill<R extends object>(client: PoolClient, table: string): Filling<R> {
  let keys: string[] | undefined;
  let stream: ReturnType<typeof copyFrom> | undefined;
  let buffer = "";
  let count = 0;
  const flush = async () => {
    const ready = stream!.write(buffer);
    buffer = "";
    if (!ready) await once(stream!, "drain");
  };
  return {
    add: (row) => {
      if (!keys) {
        keys = Object.keys(row);
        stream = client.query(copyFrom(`copy ${table} (${keys.map(columnOf).join(", ")}) from stdin`));
      }
      const values = row as Record<string, unknown>;
      let line = "";
      for (let i = 0; i < keys.length; i++) line += (i ? "\t" : "") + cell(values[keys[i]!]);
      buffer += `${line}\n`;
      count++;
      return buffer.length > CHUNK ? flush() : undefined;
    },
    end: async () => {
      if (!stream) return 0;
      stream.end(buffer);
      await finished(stream);
      return count;
    },
  };
}
