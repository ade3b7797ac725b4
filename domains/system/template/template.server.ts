import { sql } from "kysely";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addTemplate, editTemplate, listTemplates, removeTemplate } from "./template.contract.ts";
import type { Channel, TemplateEvent } from "./template.rules.ts";

constraintSays("message_template_name", { field: "name", msg: "模板名称已存在" });

type Row = {
  id: number;
  name: string;
  event: TemplateEvent;
  channel: Channel;
  title: string;
  body: string;
  outsideId: string;
  state: "on" | "off";
  updaterName: string;
  updatedAt: string;
  version: number;
};

const noted = (act: Act, id: number, name: string, summary: string) =>
  act.note({ kind: "messageTemplate", recordId: id, number: name, action: "消息模板", summary });

export default [
  serveRead(listTemplates, async ({ tx, who }, { query }) => {
    const { ids, channel, event, state, keyword, sort = "updatedAt", order = "desc" } = query;
    const where = sql`where t.enterprise_id = ${who.enterpriseId}
      ${ids?.length ? sql`and t.id = ${anyOf(ids)}` : sql``}
      ${channel?.length ? sql`and t.channel = any(${channel as string[]}::text[])` : sql``}
      ${event?.length ? sql`and t.event = any(${event as string[]}::text[])` : sql``}
      ${state ? sql`and t.enabled = ${state === "on"}` : sql``}
      ${keyword ? sql`and (t.name ilike ${containing(keyword)} or t.body ilike ${containing(keyword)})` : sql``}`;
    const by = sort === "name" ? sql`t.name` : sql`t.updated_at`;
    const { rows } = await sql<Row>`
      select t.id, t.name, t.event, t.channel, t.title, t.body, t.outside_id "outsideId",
        case when t.enabled then 'on' else 'off' end state, coalesce(o.real_name, '') "updaterName",
        t.updated_at "updatedAt", t.version
      from message_template t left join operator o on o.id = t.updated_by ${where}
      order by ${by} ${sql.raw(order)}, t.id desc ${pageEnd(query)}`.execute(tx);
    const counted = await sql<{ total: number }>`
      select count(*)::int total from message_template t ${where}`.execute(tx);
    return { list: rows, total: counted.rows[0]!.total };
  }),

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
  const there = await act.tx
    .selectFrom("messageTemplate")
    .select("id")
    .where("id", "=", id)
    .where("enterpriseId", "=", act.who.enterpriseId)
    .executeTakeFirst();
  if (!there) throw notFound();
}
