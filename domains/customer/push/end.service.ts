import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";
import { PUSH_STATES, type PushState } from "./push.rules.ts";
import { noteTask, setTask } from "./task.service.ts";

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
