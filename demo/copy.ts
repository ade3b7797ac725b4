import { once } from "node:events";
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
  return String(value as number | bigint);
}

/** A row as COPY reads it. Arrays are PostgreSQL arrays, other objects JSON; a JSON array comes as text. */
export function line(keys: readonly string[], row: object): string {
  const values = row as Record<string, unknown>;
  let text = "";
  for (let i = 0; i < keys.length; i++) text += (i ? "\t" : "") + cell(values[keys[i]!]);
  return `${text}\n`;
}

const columnOf = (key: string) => key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** Sends lines into a table. */
export async function copy(
  client: PoolClient,
  table: string,
  keys: readonly string[],
  lines: string,
): Promise<void> {
  const stream = client.query(copyFrom(`copy ${table} (${keys.map(columnOf).join(", ")}) from stdin`));
  stream.end(lines);
  await once(stream, "finish");
}
