import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/act.ts";
import { exportList } from "../../../platform/server/export.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { cancel, removeDraft, retry, stop, submit, test } from "./acts.service.ts";
import { countsOf, plan } from "./message.service.ts";
import {
  addPush,
  cancelPush,
  editPush,
  getPush,
  listPushes,
  listRecipients,
  optOut,
  previewPush,
  removePush,
  retryPush,
  stopPush,
  submitPush,
  testPush,
} from "./push.contract.ts";
import { exportSendLog, sendLog } from "./send-log.contract.ts";
import {
  PUSH_FROM,
  pushColumns,
  pushList,
  recipientList,
  sendLogList,
  type PushFound,
} from "./push.queries.ts";
import { SKIPS, type PushState } from "./push.rules.ts";
import {
  checkedAudience,
  createTask,
  editTask,
  goesAt,
  noteTask,
  ownTask,
  seenTask,
  shownAt,
  type Task,
} from "./push.service.ts";

const SAMPLE = 20;

/** Ways that no service is connected to. */
const keptHere = ({ settings }: Read): Channel[] => [
  ...(settings.SMS_DRIVER === "outbox" ? (["sms"] as const) : []),
  ...(settings.MAIL_DRIVER === "outbox" ? (["email"] as const) : []),
];

const moved =
  (move: (act: Act, task: Task) => Promise<PushState>) =>
  async (act: Act, { params, body }: { params: { id: number }; body: { version: number } }) => ({
    state: await move(act, await ownTask(act, params.id, body.version)),
  });

export default [
  serveRead(listPushes, (read, { query }) => pushList(read, query)),
  serveRead(sendLog, (read, { query }) => sendLogList(read, query)),
  exportList(exportSendLog),

  serveRead(getPush, async (read, { params }) => {
    const task = await seenTask(read, params.id);
    const { rows } = await sql<PushFound & { templateName: string }>`
      select ${pushColumns(read)}, coalesce(m.name, '') "templateName"
      from ${PUSH_FROM} left join message_template m on m.id = t.template_id where t.id = ${task.id}`.execute(
      read.tx,
    );
    const { body, audience, templateId, startedAt, endedAt } = task;
    const at = task.status === "draft" ? task.sendAt : null;
    return { ...rows[0]!, body, audience, templateId, at, startedAt, endedAt, keptHere: keptHere(read) };
  }),

  serveRead(previewPush, async (read, { body }) => {
    const {
      title: _,
      category = "notice",
      channels = ["sms"],
      body: text = "",
      at,
      templateId: __,
      ...audience
    } = body;
    const enterpriseId = await checkedAudience(read, audience);
    const planned = await plan(read, enterpriseId, audience, { category, channels, body: text });
    const skipped = new Map<string, number>();
    for (const p of planned) if (p.skip) skipped.set(SKIPS[p.skip], (skipped.get(SKIPS[p.skip]) ?? 0) + 1);
    const goes = goesAt(read, category, at);
    return {
      ...countsOf(planned),
      skipped: [...skipped].map(([reason, count]) => ({ reason, count })),
      sample: planned
        .filter((p) => !p.skip)
        .slice(0, SAMPLE)
        .map((p) => ({
          id: p.receiver.id,
          name: p.receiver.name,
          address: p.channel === "sms" ? maskPhone(p.address) : "",
          text: p.text,
        })),
      movedTo: goes.moved ? shownAt(read, goes.at) : null,
      keptHere: keptHere(read),
    };
  }),

  serve(addPush, (act, { body }) => createTask(act, body)),
  serve(editPush, async (act, { params, body }) => {
    await editTask(act, params.id, body);
    return null;
  }),
  serve(removePush, async (act, { params, query }) => {
    await removeDraft(act, await ownTask(act, params.id, query.version));
    return null;
  }),
  serve(submitPush, moved(submit)),
  serve(cancelPush, moved(cancel)),
  serve(stopPush, moved(stop)),
  serve(retryPush, moved(retry)),
  serve(testPush, async (act, { body }) => ({ phone: maskPhone(await test(act, body)) })),

  serveRead(listRecipients, async (read, { params, query }) => {
    await seenTask(read, params.id);
    return recipientList(read, params.id, query);
  }),

  serve(optOut, async (act, { params }) => {
    const row = await act.tx
      .selectFrom("pushRecipient as r")
      .innerJoin("pushTask as t", "t.id", "r.taskId")
      .innerJoin("party as p", "p.id", "r.partyId")
      .select([
        "t.id",
        "t.number",
        "t.villageIds",
        "t.enterpriseId",
        "r.villageId",
        "r.addressCipher",
        "p.name",
      ])
      .where("r.id", "=", params.id)
      .executeTakeFirst();
    if (!row?.addressCipher || !act.who.villages.includes(row.villageId)) throw notFound();
    await act.tx
      .insertInto("pushOptOut")
      .values({
        enterpriseId: row.enterpriseId,
        addressHash: act.cipher.hash(act.cipher.open(row.addressCipher)),
        at: act.now.toISOString(),
        operatorId: act.who.operatorId,
      })
      .onConflict((oc) => oc.doNothing())
      .execute();
    await noteTask(act, row, "登记退订", `${row.name}不再接收营销信息`);
    return null;
  }),
];
