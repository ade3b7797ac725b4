import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { removeAt } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { needsWhole, seesWhole } from "../../access/operator/scope.service.ts";
import { addSpecialDays, deleteSpecialDay, specialDays } from "./workday.contract.ts";
import { DAY_KIND, type DayKind } from "./workday.rules.ts";
import { nameDays } from "./workday.service.ts";

type Row = { id: number; day: string; kind: DayKind; name: string; who: string; version: number };

const noted = (act: Act, id: number, action: string, summary: string) =>
  act.note({ kind: "billingSetting", recordId: id, villageId: null, action, summary });

export default [
  serveRead(specialDays, async (read) => {
    const { enterpriseId } = read.who;
    const { rows } = await sql<Row>`
      select d.id, d.day, d.kind, d.name, coalesce(o.real_name, '系统') who, d.version
      from special_day d left join operator o on o.id = d.created_by
      where d.enterprise_id = ${enterpriseId} order by d.day desc limit 1000`.execute(read.tx);
    return { days: rows, editable: await seesWhole(read, enterpriseId) };
  }),

  serve(addSpecialDays, async (act, { body }) => {
    const { enterpriseId } = act.who;
    await needsWhole(act, enterpriseId);
    const count = await nameDays(act, enterpriseId, body);
    const { from, to, kind, name } = body;
    await noted(act, enterpriseId, "修改工作日历", `${from} ~ ${to} ${DAY_KIND[kind][0]} ${name}`.trim());
    return { count };
  }),

  serveDone(deleteSpecialDay, async (act, { params, query }) => {
    const { enterpriseId } = act.who;
    await needsWhole(act, enterpriseId);
    const row = await aRow(act, "specialDay", ["day", "kind"], { id: params.id, enterpriseId });
    if (!row) throw notFound();
    await removeAt(act, "specialDay", { id: params.id, enterpriseId, version: query.version });
    const text = DAY_KIND[row.kind as DayKind][0];
    await noted(act, enterpriseId, "修改工作日历", `${row.day} 不再${text}`);
  }),
];
