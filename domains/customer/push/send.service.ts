import { alone } from "../../../platform/server/database/exclusive.ts";
import type { House } from "../../../platform/server/pipeline/pipeline.ts";
import { deliverOutbox, keeps } from "../../access/sms/deliver.service.ts";
import { count, finish } from "./end.service.ts";
import { hand, handed, within, type Handed } from "./hand-over.service.ts";

/** Sends what is in the outbox and writes down how it ended. */
async function deliverAll(house: House, rows: readonly Handed[]): Promise<void> {
  for (const row of rows) {
    const pause = keeps(house, row.channel)
      ? 0
      : 60_000 / (row.channel === "sms" ? house.settings.SMS_PER_MINUTE : house.settings.MAIL_PER_MINUTE);
    const began = Date.now();
    const end =
      row.outboxState === "queued"
        ? await deliverOutbox(house, row.outboxId)
        : { state: row.outboxState, error: row.error };
    if (!end) continue;
    await house.database.pool.query(
      `update push_recipient set state = $2, reason = $3, done_at = now() where id = $1 and state = 'handed'`,
      [row.id, end.state === "sent" ? "delivered" : "failed", end.error.slice(0, 300)],
    );
    const rest = pause - (Date.now() - began);
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }
}

/** Sends a task to its end, from wherever it stood; one server at a time, the lock falls with whoever held it. */
export async function sendTask(house: House, taskId: number): Promise<void> {
  await alone(house.database.pool, "push.send", taskId, () => sendAll(house, taskId));
}

async function sendAll(house: House, taskId: number): Promise<void> {
  for (;;) {
    const fresh = await hand(house, taskId);
    const rows = await handed(house, taskId);
    await deliverAll(house, rows);
    await within(house, (act) => count(act, taskId));
    if (!fresh && !rows.length) break;
  }
  await within(house, (act) => finish(act, taskId));
}
