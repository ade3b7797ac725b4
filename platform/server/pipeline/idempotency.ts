import { createHash } from "node:crypto";
import { CompiledQuery, sql, type Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import { Refusal } from "../../kernel/refusal.ts";

export type FirstAnswer = { status: number; answer: unknown };

/** What is asked, without the preview it was asked from: a payment sent again after a fresh preview is the same one. */
function askedOf(request: unknown): unknown {
  if (request === null || typeof request !== "object" || Array.isArray(request)) return request;
  const { previewHash: _, ...asked } = request as Record<string, unknown>;
  return asked;
}

/**
 * Claims a key inside the transaction. A second call with the same key waits here, on the unique index, until the
 * first has committed or rolled back: then it gets the first answer, or does the work itself.
 */
export async function claimKey(
  tx: Kysely<DB>,
  key: { operatorId: number; key: string; call: string; request: unknown },
): Promise<FirstAnswer | undefined> {
  const hash = createHash("sha256")
    .update(JSON.stringify([key.call, askedOf(key.request)]))
    .digest();
  const taken = await tx.executeQuery(
    CompiledQuery.raw(
      `insert into idempotency_key (operator_id, key, call, request_hash) values ($1, $2, $3, $4)
       on conflict (operator_id, key) do nothing returning 1 fresh`,
      [key.operatorId, key.key, key.call, hash],
    ),
  );
  if (taken.rows.length) return undefined;
  const { rows } = await tx.executeQuery<{ requestHash: Buffer; status: number; answer: unknown }>(
    CompiledQuery.raw(
      `select request_hash "requestHash", status, answer from idempotency_key where operator_id = $1 and key = $2`,
      [key.operatorId, key.key],
    ),
  );
  const first = rows[0]!;
  if (!first.requestHash.equals(hash)) throw new Refusal("keyReused", "请求编号重复但内容不同", 422);
  return { status: first.status, answer: first.answer };
}

/** Keeps the answer beside the key; both are committed with the work. */
export async function keepAnswer(
  tx: Kysely<DB>,
  operatorId: number,
  key: string,
  answer: unknown,
): Promise<void> {
  await tx.executeQuery(
    CompiledQuery.raw(
      "update idempotency_key set status = 200, answer = $3 where operator_id = $1 and key = $2",
      [operatorId, key, JSON.stringify(answer ?? null)],
    ),
  );
}

/** Nothing was done under the key, although what was found out is kept: it can be asked again. */
export async function freeKey(tx: Kysely<DB>, operatorId: number, key: string): Promise<void> {
  await sql`delete from idempotency_key where operator_id = ${operatorId} and key = ${key}`.execute(tx);
}

const BATCH = 5_000;

/** Forgets keys claimed before a moment, in steps so that no lock is held long. */
export async function sweepKeys(tx: Kysely<DB>, before: string): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      delete from idempotency_key where ctid = any(array(
        select ctid from idempotency_key where created_at < ${before} limit ${BATCH})) returning 1`.execute(
      tx,
    );
    if (rows.length < BATCH) return;
  }
}
