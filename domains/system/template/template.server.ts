import { sql } from "kysely";
import type { z } from "zod";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { among, amongWords, is, isOn, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf, serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import {
  addTemplate,
  editTemplate,
  listTemplates,
  removeTemplate,
  type templateRow,
} from "./template.contract.ts";

constraintSays("message_template_name", { field: "name", msg: "模板名称已存在" });

const templates = listOf(listTemplates, {
  id: "t.id",
  from: sql`message_template t`,
  scope: ({ who }) => is("t.enterprise_id")(who.enterpriseId),
  where: {
    ids: among("t.id"),
    channel: amongWords("t.channel"),
    event: amongWords("t.event"),
    state: isOn("t.enabled"),
    keyword: phrase("t.name", "t.body"),
  },
  sort: { updatedAt: "t.updated_at", name: "t.name" },
  order: "updatedAt",
  columns: sql<z.input<typeof templateRow>>`t.id, t.name, t.event, t.channel, t.title, t.body,
    t.outside_id "outsideId", case when t.enabled then 'on' else 'off' end state,
    coalesce(o.real_name, '') "updaterName", t.updated_at "updatedAt", t.version`,
  join: sql`join message_template t on t.id = page.id left join operator o on o.id = t.updated_by`,
});

const noted = (act: Act, id: number, name: string, summary: string) =>
  act.note({ kind: "messageTemplate", recordId: id, number: name, action: "消息模板", summary });

export default [
  serveList(templates),

  serve(addTemplate, async (act, { body }) => {
    const { id } = await act.tx
      .insertInto("messageTemplate")
      .values({
        ...body,
        enterpriseId: act.who.enterpriseId,
        createdBy: act.who.operatorId,
        updatedBy: act.who.operatorId,
        updatedAt: act.now.toISOString(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await noted(act, id, body.name, `新增“${body.name}”`);
    return { id };
  }),

  serve(editTemplate, async (act, { params, body: { version, ...fields } }) => {
    await mine(act, params.id);
    await revise(act, "messageTemplate", { id: params.id, version }, { ...fields, ...stamp(act) });
    await noted(act, params.id, fields.name, `修改“${fields.name}”${fields.enabled ? "" : "，已停用"}`);
    return null;
  }),

  serve(removeTemplate, async (act, { params, query }) => {
    await mine(act, params.id);
    const row = await removeAt(act, "messageTemplate", { id: params.id, version: query.version });
    await noted(act, params.id, row.name, `删除“${row.name}”`);
    return null;
  }),
];

/** A template of the caller's enterprise; any other does not exist for them. */
async function mine(act: Act, id: number): Promise<void> {
  await act.tx
    .selectFrom("messageTemplate")
    .select("id")
    .where("id", "=", id)
    .where("enterpriseId", "=", act.who.enterpriseId)
    .executeTakeFirstOrThrow(notFound);
}
