import type { Pool } from "pg";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { FREE_TEXT } from "../../../platform/server/outside/sms.ts";
import { outboxFilled } from "./sms.contract.ts";

export type Outgoing = {
  channel: "sms" | "email";
  recipient: string;
  /** E-mail only. */
  subject?: string;
  body: string;
  /** Under which the SMS provider knows the text; without it the text is one of its own. */
  template?: string;
  params?: Record<string, string>;
  source: "push" | "test" | "notice" | "statement" | "rule";
  sourceId?: number;
  partyId?: number;
  villageId?: number;
  enterpriseId?: number;
  fileId?: number;
  /** Not before this moment. */
  dueAt?: Date;
  /** Put in once, however often whoever does it runs. */
  once?: string;
};

/** Puts messages into the outbox, in the transaction of what they are about; ids of those that were not there before. */
export async function enqueue(
  act: Pick<Act, "tx" | "now">,
  messages: readonly Outgoing[],
): Promise<number[]> {
  if (!messages.length) return [];
  const rows = await act.tx
    .insertInto("outbox")
    .values(
      messages.map((m) => ({
        channel: m.channel,
        recipient: m.recipient,
        template: m.template || FREE_TEXT,
        params: JSON.stringify(m.params ?? {}),
        subject: m.subject ?? "",
        body: m.body,
        source: m.source,
        sourceId: m.sourceId ?? null,
        partyId: m.partyId ?? null,
        villageId: m.villageId ?? null,
        enterpriseId: m.enterpriseId ?? null,
        fileId: m.fileId ?? null,
        dueAt: m.dueAt?.toISOString() ?? null,
        onceKey: m.once ?? null,
        createdAt: act.now.toISOString(),
      })),
    )
    .onConflict((oc) => oc.column("onceKey").doNothing())
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

/** The same, and lets the sender know; what is due later is found by the clock. */
export async function sendOut(act: Act, messages: readonly Outgoing[]): Promise<void> {
  const now = messages.filter((m) => !m.dueAt || m.dueAt <= act.now);
  for (const id of await enqueue(act, now)) await act.emit(outboxFilled, { id });
  await enqueue(
    act,
    messages.filter((m) => !now.includes(m)),
  );
}

/** Takes back what was being sent, as nothing has left the house: it is sent once more. */
export const putBack = (pool: Pool, outboxId: number) =>
  pool.query("update outbox set state = 'queued' where id = $1 and state = 'sending'", [outboxId]);
