import { nobody, type Act } from "../../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { keeps } from "../../access/sms/deliver.service.ts";
import { enqueue, putBack } from "../../access/sms/sms.service.ts";
import { outsideId } from "./acts.service.ts";
import { AT_A_TIME } from "./push.rules.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

/** After so long nobody is sending it any more. */
const STUCK = "2 minutes";
const UNKNOWN = "发送结果未知，请核对后重发";

export type Handed = {
  id: number;
  outboxId: number;
  outboxState: string;
  error: string;
  channel: "sms" | "email";
};

export const within = <R>(house: House, work: (act: Act) => Promise<R>): Promise<R> =>
  house.database.db
    .transaction()
    .execute((tx) => work(actOf(house, tx, nobody, { requestId: "push", ip: "", userAgent: "" })));

/** Puts the next receivers into the outbox, each once; what is read inside the product is there at once. */
export const hand = (house: House, taskId: number): Promise<number> =>
  within(house, async (act) => {
    const task = await aRow(act, "pushTask", ["id", "title", "templateId", "enterpriseId", "state"], {
      id: taskId,
    });
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
          partyId: row.partyId!,
          villageId: row.villageId,
          enterpriseId: task.enterpriseId,
          once,
        },
      ]);
      const put = await theRow(act, "outbox", ["id"], { onceKey: once });
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
export const handed = async (house: House, taskId: number): Promise<Handed[]> => {
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
    else if (keeps(house, row.channel)) {
      await putBack(house.database.pool, row.outboxId);
      free.push({ ...row, outboxState: "queued" });
    } else if (row.stuck) free.push({ ...row, outboxState: "failed", error: UNKNOWN });
  }
  return free;
};
