import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { cancel, removeDraft, retry, stop, submit, test } from "./acts.service.ts";
import { countsOf, plan } from "./approval.service.ts";
import {
  addPush,
  cancelPush,
  editPush,
  exportRecipients,
  getPush,
  optOut,
  previewPush,
  pushBuildings,
  pushPeople,
  removePush,
  retryPush,
  stopPush,
  submitPush,
  testPush,
} from "./push.contract.ts";
import { buildingsOf, peopleOf, recipients } from "./recipients.queries.ts";
import { pushes } from "./push.queries.ts";
import { OUT_OF_REACH, type PushState, SKIPS } from "./push.rules.ts";
import {
  type Task,
  checkedAudience,
  createTask,
  editTask,
  goesAt,
  noteTask,
  ownTask,
  seenTask,
  shownAt,
} from "./push.service.ts";
import { aRow } from "../../../platform/server/database/row.ts";

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
  serveRead(pushPeople, (read, { query }) => peopleOf(read, query)),
  serveRead(pushBuildings, (read, { query }) => buildingsOf(read, query.villageIds ?? [])),
  serveList(pushes),
  exportList(exportRecipients),

  serveRead(getPush, async (read, { params }) => {
    const task = await seenTask(read, params.id);
    const [[row], template] = await Promise.all([
      pushes.rowsOf(read, [task.id]),
      aRow(read, "messageTemplate", ["name"], { id: task.templateId }),
    ]);
    const { body, audience, templateId, startedAt, endedAt } = task;
    const at = task.status === "draft" ? task.sendAt : null;
    const templateName = template?.name ?? "";
    return {
      ...row!,
      body,
      audience,
      templateId,
      templateName,
      at,
      startedAt,
      endedAt,
      keptHere: keptHere(read),
    };
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
    const reached = new Set(planned.map((p) => p.receiver.id));
    const missed = audience.ids.filter((id) => !reached.has(id) && !audience.exclude.includes(id)).length;
    if (missed) skipped.set(OUT_OF_REACH, missed);
    const goes = await goesAt(read, category, at, audience.villageIds);
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

  serveList(recipients),

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
  serve(addPush, (act, { body }) => createTask(act, body)),
  serveDone(editPush, (act, { params, body }) => editTask(act, params.id, body)),
  serveDone(removePush, async (act, { params, query }) =>
    removeDraft(act, await ownTask(act, params.id, query.version)),
  ),
  serve(submitPush, moved(submit)),
  serve(cancelPush, moved(cancel)),
  serve(stopPush, moved(stop)),
  serve(retryPush, moved(retry)),
  serve(testPush, async (act, { body }) => ({ phone: maskPhone(await test(act, body)) })),
];
