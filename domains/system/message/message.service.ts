import { sql } from "kysely";
import type { Act } from "../../../platform/server/act.ts";
import { AT_ONCE, type MessageType } from "./message.rules.ts";

export type Told = {
  /** Operators; whoever is named twice is told once. */
  to: readonly number[];
  type: MessageType;
  /** 1-100 characters; longer ones are cut. */
  title: string;
  content?: string;
  /** The record it is about, named as in the business log (kinds.rules.ts). */
  bizType?: string;
  bizId?: number;
  villageId?: number | null;
  /** Label and value pairs shown beside the text. */
  facts?: readonly (readonly [string, string])[];
  /** Tells the same thing once, however often whoever tells it runs. */
  once?: string;
};

/** Tells operators something, in the transaction of what happened: rolled back with it, never told twice for one `once`. */
export async function tell(act: Act, told: Told): Promise<void> {
  const to = [...new Set(told.to)];
  if (!to.length) return;
  const message = await act.tx
    .insertInto("message")
    .values({
      type: told.type,
      title: told.title.slice(0, 100),
      content: (told.content ?? "").slice(0, 2000),
      bizType: told.bizType ?? "",
      bizId: told.bizId ?? null,
      villageId: told.villageId ?? null,
      facts: JSON.stringify(told.facts ?? []),
      onceKey: told.once ?? null,
      pushTime: act.now.toISOString(),
    })
    .onConflict((c) => c.column("onceKey").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!message) return;
  if (to.length <= AT_ONCE) await deliver(act, message.id, to);
  else await act.emit("message.told", { messageId: message.id, to });
}

/** Gives a message to its readers; who has it already keeps it as it is. */
export async function deliver(act: Act, messageId: number, to: readonly number[]): Promise<void> {
  await sql`
    insert into message_receipt (message_id, operator_id, type, push_time)
    select m.id, o.id, m.type, m.push_time from message m, operator o
    where m.id = ${messageId} and o.id = any(${to as number[]}::bigint[])
    on conflict do nothing`.execute(act.tx);
}
