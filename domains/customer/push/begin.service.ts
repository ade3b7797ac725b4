import type { Act } from "../../../platform/server/pipeline/act.ts";
import { countsOf, plan } from "./message.service.ts";
import { SKIPS } from "./push.rules.ts";
import { noteTask, setTask, type Task } from "./task.service.ts";
import { pushSending } from "./push.contract.ts";

const ROWS = 500;

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
  await act.emit(pushSending, { id: task.id });
}
