import type { Pool } from "pg";
import { CompiledQuery, type Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import type { Call } from "../../kernel/call.ts";
import { kept, secrecyOfName, secretsOf, type Secrets } from "../../kernel/fields/secrecy.ts";
import { storable } from "./storable.ts";

/** A certificate, a mobile or a bank-card number in the middle of a text. */
const NUMBERS = /(?<!\d)(?:\d{17}[\dXx]|1[3-9]\d{9}|62\d{14,17})(?!\d)/g;

const hidden = (number: string) => `${number.slice(0, 3)}****${number.slice(-4)}`;

/** No call takes anything nested deeper; what is sent may be nested as deep as it is long. */
const DEEPEST = 20;

/**
 * What may be kept of an input or a note: no key at all, numbers of a person masked, what is long or deep cut. What is
 * secret is said by the kinds of the fields; of a field that no schema knows, by its name.
 */
export function masked(value: unknown, secrets: Secrets = new Map(), key = "", depth = 0): unknown {
  const secrecy = secrets.get(key) ?? secrecyOfName(key);
  if (secrecy === "key") return kept(secrecy, value);
  if (secrecy && typeof value === "string") return storable(String(kept(secrecy, value)));
  if (typeof value === "string") {
    const text = value.length > 300 ? `${value.slice(0, 300)}…` : value;
    return storable(text).replace(NUMBERS, hidden);
  }
  if (depth === DEEPEST && typeof value === "object") return "…";
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => masked(item, secrets, key, depth + 1));
  if (value && typeof value === "object" && !Buffer.isBuffer(value))
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, 60)
        .map(([k, v]) => [storable(k), masked(v, secrets, k, depth + 1)]),
    );
  return value;
}

/** The path without what opens a door: a token in it is as secret as one in the body. */
export const loggedPath = (path: string, params: unknown): string =>
  Object.entries((params ?? {}) as Record<string, string>).reduce(
    (now, [key, value]) =>
      secrecyOfName(key) === "key" && value ? now.replace(encodeURIComponent(value), "***") : now,
    path,
  );

const inputOf = ({ call, input }: Outcome) => {
  const given = (input ?? {}) as Record<string, unknown>;
  const parts = ["params", "query", "body"] as const;
  return Object.fromEntries(
    parts
      .filter((part) => given[part] !== undefined)
      .map((part) => [part, masked(given[part], secretsOf(call[part]))]),
  );
};

export type Outcome = {
  call: Call;
  operatorId: number;
  enterpriseId: number;
  name: string;
  ip: string;
  userAgent: string;
  path: string;
  targetId: number | undefined;
  outcome: "ok" | "refused" | "failed";
  httpStatus: number;
  code: string;
  message: string;
  durationMs: number;
  input: unknown;
  requestId: string;
};

const permitOf = (call: Call) => (typeof call.needs === "string" ? call.needs : call.needs.join(" "));

const INSERT = `insert into operation_log
 (operator_id, enterprise_id, operator_name, ip, user_agent, permit, summary, method, path, target_kind, target_id,
  outcome, http_status, code, message, duration_ms, input, request_id)
 values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18)`;

const values = (o: Outcome) => [
  o.operatorId || null,
  o.enterpriseId || null,
  o.name,
  o.ip,
  storable(o.userAgent.slice(0, 300)),
  permitOf(o.call),
  o.call.summary,
  o.call.method,
  storable(o.path.slice(0, 300)),
  o.call.target ?? null,
  o.targetId ?? null,
  o.outcome,
  o.httpStatus,
  o.code,
  storable(o.message.slice(0, 300)),
  Math.round(o.durationMs),
  JSON.stringify(inputOf(o)),
  o.requestId,
];

/** In the call's own transaction: what was done and that it was done are committed together. */
export async function logWithin(tx: Kysely<DB>, outcome: Outcome): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(INSERT, values(outcome)));
}

/** After a rollback, or for a call that was refused before it began. */
export async function logApart(pool: Pool, outcome: Outcome): Promise<void> {
  await pool.query(INSERT, values(outcome));
}
