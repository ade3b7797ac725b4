import { sql } from "kysely";
import { theRow } from "../../../platform/server/database/row.ts";
import { alone } from "../../../platform/server/database/exclusive.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { House } from "../../../platform/server/pipeline/pipeline.ts";
import { deliverOutbox, keeps } from "../../access/sms/deliver.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { type Handed, hand, handed, within } from "./hand-over.service.ts";
import { countsOf, plan, tooLargeFor } from "./approval.service.ts";
import { pushSending } from "./push.contract.ts";
import { type Category, PUSH_STATES, type PushState, SKIPS } from "./push.rules.ts";
import { type Task, awakeAt, noteTask, quietOf, setTask } from "./push.service.ts";

/** Writes down how many there are of each end. */
export const count = (act: Act, taskId: number) =>
  sql`update push_task t set delivered = n.delivered, failed = n.failed, skipped = n.skipped
    from (select count(*) filter (where state = 'delivered') delivered, count(*) filter (where state = 'failed') failed,
      count(*) filter (where state = 'skipped') skipped from push_recipient where task_id = ${taskId}) n
    where t.id = ${taskId}`.execute(act.tx);

/** Once nobody is left: how it ended, told to whoever sent it. */
export async function finish(act: Act, taskId: number): Promise<void> {
  const task = await act.tx
    .selectFrom("pushTask")
    .selectAll()
    .where("id", "=", taskId)
    .where("state", "=", "sending")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("pushRecipient")
            .select("id")
            .where("taskId", "=", taskId)
            .where("state", "in", ["queued", "handed"]),
        ),
      ),
    )
    .forUpdate()
    .executeTakeFirst();
  if (!task) return;
  const state: PushState = task.failed ? "partly" : "sent";
  await setTask(act, task, { state, endedAt: act.now.toISOString() });
  const summary = `推送“${task.title}”${PUSH_STATES[state][0]}：送达 ${task.delivered}，失败 ${task.failed}，跳过 ${task.skipped}`;
  await noteTask(act, task, PUSH_STATES[state][0], summary);
  await tell(act, {
    to: [task.createdBy],
    type: 8,
    title: `推送${PUSH_STATES[state][0]}：${task.title}`,
    content: summary,
    bizType: "pushTask",
    bizId: task.id,
    once: `push.${task.id}.${task.version}`,
  });
}

/** Sends what is in the outbox, while nobody is disturbed, and writes down how it ended. */
async function deliverAll(house: House, rows: readonly Handed[], quiet: () => boolean): Promise<void> {
  for (const row of rows) {
    if (row.outboxState === "queued" && quiet()) continue;
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

/**
 * Sends a task to its end, from wherever it stood; one server at a time, the lock falls with whoever held it. What quiet
 * hours overtake waits: the clock takes the task up again.
 */
export async function sendTask(house: House, taskId: number): Promise<void> {
  await alone(house.database.pool, "push.send", taskId, () => sendAll(house, taskId));
}

/** Whether a task would disturb somebody in one of its stores at the moment of asking. */
async function disturbing(house: House, act: Act, taskId: number): Promise<() => boolean> {
  const task = await theRow(act, "pushTask", ["category", "villageIds"], { id: taskId });
  const stores = await quietOf(act, task.villageIds);
  return () => {
    const now = house.clock();
    return awakeAt(task.category as Category, now, stores, house.settings.TIME_ZONE) > now;
  };
}

async function sendAll(house: House, taskId: number): Promise<void> {
  const quiet = await within(house, (act) => disturbing(house, act, taskId));
  for (;;) {
    const fresh = quiet() ? 0 : await hand(house, taskId);
    const rows = await handed(house, taskId);
    await deliverAll(house, rows, quiet);
    await within(house, (act) => count(act, taskId));
    if (quiet() || (!fresh && !rows.length)) break;
  }
  await within(house, (act) => finish(act, taskId));
}

const ROWS = 500;

/** Since it was submitted its audience grew beyond what is sent at once: nobody gets it, and whoever made it hears why. */
async function cancelGrown(act: Act, task: Task, why: string): Promise<void> {
  await setTask(act, task, { state: "cancelled" });
  await noteTask(act, task, "取消", why);
  await tell(act, {
    to: [task.createdBy],
    type: 8,
    title: `推送已取消：${task.title}`,
    content: why,
    bizType: "pushTask",
    bizId: task.id,
  });
}

/** Freezes the audience as rows: from now on it is known who gets what. */
export async function begin(act: Act, task: Task): Promise<void> {
  const tooLarge = await tooLargeFor(act, task.audience);
  if (tooLarge) return cancelGrown(act, task, tooLarge.message);
  const planned = await plan(act, task.enterpriseId, task.audience, task);
  for (let i = 0; i < planned.length; i += ROWS)
    await act.tx
      .insertInto("pushRecipient")
      .values(
        planned.slice(i, i + ROWS).map((p) => ({
          taskId: task.id,
          partyId: p.receiver.id,
          channel: p.channel,
          villageId: p.receiver.villageId,
          addressCipher: p.address ? act.cipher.seal(p.address) : null,
          params: JSON.stringify(p.values),
          body: p.text.slice(0, 2000),
          parts: p.parts,
          state: p.skip ? "skipped" : "queued",
          reason: p.skip ? SKIPS[p.skip] : "",
        })),
      )
      .onConflict((oc) => oc.constraint("push_recipient_once").doNothing())
      .execute();
  const { people, parts } = countsOf(planned);
  await setTask(act, task, {
    state: "sending",
    startedAt: act.now.toISOString(),
    recipients: people,
    parts,
    skipped: planned.filter((p) => p.skip).length,
  });
  await noteTask(act, task, "开始发送", `推送“${task.title}”开始发送，${people} 人，短信 ${parts} 条`);
  await act.emit(pushSending, { id: task.id });
}
