import { sql } from "kysely";
import type { Act } from "../../../platform/server/act.ts";
import { actOf, type House } from "../../../platform/server/pipeline.ts";
import { nobody } from "../../../platform/server/act.ts";
import { deliverOutbox, keeps } from "../../access/sms/deliver.service.ts";
import { enqueue } from "../../access/sms/outbox.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { outsideId } from "./acts.service.ts";
import { countsOf, plan } from "./message.service.ts";
import { AT_A_TIME, PUSH_STATES, SKIPS, type PushState } from "./push.rules.ts";
import { noteTask, setTask, type Task } from "./push.service.ts";

const ROWS = 500;
/** After so long nobody is sending it any more. */
const STUCK = "2 minutes";
const UNKNOWN = "发送结果未知，请核对后重发";

/** Freezes the audience as rows: from now on it is known who gets what. */
export async function begin(act: Act, task: Task): Promise<void> {
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
  await act.emit("push.sending", { id: task.id });
}

type Handed = { id: number; outboxId: number; outboxState: string; error: string; channel: "sms" | "email" };

const within = <R>(house: House, work: (act: Act) => Promise<R>): Promise<R> =>
  house.database.db
    .transaction()
    .execute((tx) => work(actOf(house, tx, nobody, { requestId: "push", ip: "", userAgent: "" })));

/** Puts the next receivers into the outbox, each once; what is read inside the product is there at once. */
const hand = (house: House, taskId: number): Promise<number> =>
  within(house, async (act) => {
    const task = await act.tx
      .selectFrom("pushTask")
      .select(["id", "title", "templateId", "enterpriseId", "state"])
      .where("id", "=", taskId)
      .executeTakeFirst();
    if (task?.state !== "sending") return 0;
    const rows = await act.tx
      .selectFrom("pushRecipient")
      .selectAll()
      .where("taskId", "=", taskId)
      .where("state", "=", "queued")
      .orderBy("id")
      .limit(AT_A_TIME)
      .forUpdate()
      .skipLocked()
      .execute();
    const template = await outsideId(act, task.templateId);
    for (const row of rows) {
      const done = act.now.toISOString();
      if (row.channel === "inApp") {
        await setRecipient(act, row.id, { state: "delivered", doneAt: done });
        continue;
      }
      const once = `push.${row.id}.${row.tries}`;
      await enqueue(act, [
        {
          channel: row.channel as "sms" | "email",
          recipient: act.cipher.open(row.addressCipher!),
          subject: task.title,
          body: row.body,
          template,
          params: row.params as Record<string, string>,
          source: "push",
          sourceId: taskId,
          partyId: row.partyId,
          villageId: row.villageId,
          enterpriseId: task.enterpriseId,
          once,
        },
      ]);
      const put = await act.tx
        .selectFrom("outbox")
        .select("id")
        .where("onceKey", "=", once)
        .executeTakeFirstOrThrow();
      await setRecipient(act, row.id, { state: "handed", outboxId: put.id });
    }
    return rows.length;
  });

const setRecipient = (
  act: Pick<Act, "tx">,
  id: number,
  set: { state: string; doneAt?: string; outboxId?: number; reason?: string },
) => act.tx.updateTable("pushRecipient").set(set).where("id", "=", id).execute();

/** Those in the outbox whose end is not written down here yet. */
const handed = async (house: House, taskId: number): Promise<Handed[]> => {
  const { rows } = await house.database.pool.query<Handed & { stuck: boolean }>(
    `select r.id, r.channel, o.id "outboxId", o.state "outboxState", o.error,
       o.state = 'sending' and o.tried_at < now() - $2::interval stuck
     from push_recipient r join outbox o on o.id = r.outbox_id
     where r.task_id = $1 and r.state = 'handed' order by r.id limit $3`,
    [taskId, STUCK, AT_A_TIME],
  );
  const free: Handed[] = [];
  for (const row of rows) {
    if (row.outboxState !== "sending") free.push(row);
    // kept here: nothing left the house, so it is simply done again
    else if (keeps(house, row.channel)) free.push({ ...row, outboxState: await again(house, row.outboxId) });
    else if (row.stuck) free.push({ ...row, outboxState: "failed", error: UNKNOWN });
  }
  return free;
};

async function again(house: House, outboxId: number): Promise<string> {
  await house.database.pool.query("update outbox set state = 'queued' where id = $1 and state = 'sending'", [
    outboxId,
  ]);
  return "queued";
}

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
  const holder = await house.database.pool.connect();
  const lock = ["push.send", taskId];
  try {
    const { rows } = await holder.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtext($1), $2) mine",
      lock,
    );
    if (!rows[0]!.mine) return;
    await sendAll(house, taskId);
    await holder.query("select pg_advisory_unlock(hashtext($1), $2)", lock);
  } finally {
    // a lock that was not given back ends with its connection
    holder.release();
  }
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

const count = (act: Act, taskId: number) =>
  sql`update push_task t set delivered = n.delivered, failed = n.failed, skipped = n.skipped
    from (select count(*) filter (where state = 'delivered') delivered, count(*) filter (where state = 'failed') failed,
      count(*) filter (where state = 'skipped') skipped from push_recipient where task_id = ${taskId}) n
    where t.id = ${taskId}`.execute(act.tx);

/** Once nobody is left: how it ended, told to whoever sent it. */
async function finish(act: Act, taskId: number): Promise<void> {
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
