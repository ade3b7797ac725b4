import { sql } from "kysely";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import {
  amongWords,
  fromDay,
  is,
  keyword,
  phrase,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf, type FilterOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { kindTitle } from "./kinds.rules.ts";
import { listOperations, listOperationsV5 } from "./operation-log.contract.ts";

/** Of the person's own enterprise unless they run the platform. */
const own = ({ who }: Read) =>
  who.superType === "0" ? sql<boolean>`true` : sql<boolean>`l.enterprise_id = ${who.enterpriseId}`;

type Row = Omit<Reply<typeof listOperations>["list"][number], "target">;

const listed = (call: typeof listOperations) =>
  listOf(call, {
    id: "l.id",
    from: sql`operation_log l`,
    scope: (read, query) => {
      const { to = read.today, from = addDays(to < read.today ? to : read.today, -6) } = query;
      return sql`${fromDay("l.at")(from)} and ${toDay("l.at")(to)} and ${own(read)}`;
    },
    where: {
      from: () => undefined,
      to: () => undefined,
      operatorId: is("l.operator_id"),
      permissionId: (id) => sql`l.permit ~ ${`(^| |#)${id}($|[. ])`}`,
      method: amongWords("l.method"),
      outcome: amongWords("l.outcome"),
      targetKind: is("l.target_kind"),
      targetId: is("l.target_id"),
      ip: is("l.ip"),
      keyword: keyword(is("l.request_id"), phrase("l.path", "l.summary", "l.operator_name")),
    },
    sort: { at: { by: "l.at", indexed: true }, durationMs: { by: "l.duration_ms", indexed: true } },
    order: "at",
    // with the name of what was needed: 权限管理 · 编辑
    columns: sql<Row>`l.id, l.at, l.operator_name "operatorName", l.summary, l.outcome, l.duration_ms "durationMs",
      l.ip, l.user_agent "userAgent", l.target_kind "targetKind", l.target_id "targetId",
      coalesce(nullif(concat_ws(' · ', p.name, f.name), ''), '—') "functionName"`,
    join: sql`join operation_log l on l.id = page.id
      left join function_node f on f.key = split_part(l.permit, ' ', 1) left join function_node p on p.key = f.parent_key`,
    rows: (rows: Row[]) =>
      rows.map((row) => ({
        ...row,
        target: row.targetKind ? `${kindTitle(row.targetKind)}${row.targetId ? ` ${row.targetId}` : ""}` : "",
      })),
  });
export const operations = listed(listOperations);
export const operationsV5 = listed(listOperationsV5);

const TEN_MINUTES = 600_000;
const MOST_NEARBY = 50;
const isoAt = (ms: number) => new Date(ms).toISOString();

/** One line, what the same request did to records, and what the same person did around it. */
export async function operationDetail(read: Read, id: number) {
  const found = read.tx.selectFrom("operationLog as l").where(own(read));
  const line = await found.selectAll().where("l.id", "=", id).executeTakeFirst();
  if (!line) throw notFound();
  const at = new Date(line.at).getTime();
  const [since, until] = [isoAt(at - TEN_MINUTES), isoAt(at + TEN_MINUTES)];
  const near = await found
    .select("l.id")
    .where("l.operatorId", "=", line.operatorId)
    .where("l.at", ">=", since)
    .where("l.at", "<=", until)
    .where("l.id", "<>", id)
    .orderBy("l.at", "desc")
    .orderBy("l.id", "desc")
    .limit(MOST_NEARBY)
    .execute();
  const [[self], nearby, business] = await Promise.all([
    operations.rowsOf(read, [id]),
    operations.rowsOf(
      read,
      near.map((n) => n.id),
    ),
    read.tx
      .selectFrom("businessLog")
      .select(["id", "at", "kind", "number", "summary"])
      .where("requestId", "=", line.requestId)
      .where("at", ">=", since)
      .where("at", "<=", until)
      .orderBy("id")
      .limit(MOST_NEARBY)
      .execute(),
  ]);
  return {
    ...line,
    ...self!,
    business: business.map((b) => ({ ...b, kind: kindTitle(b.kind) })),
    nearby,
  };
}

/** Calls and refusals by hour. */
export async function hoursOf(read: Read, filter: FilterOf<typeof listOperations>) {
  const { rows } = await sql<{ hour: string; ok: number; refused: number; failed: number }>`
    select to_char(date_trunc('hour', l.at), 'YYYY-MM-DD HH24:00') "hour",
      count(*) filter (where l.outcome = 'ok') ok, count(*) filter (where l.outcome = 'refused') refused,
      count(*) filter (where l.outcome = 'failed') failed
    from operation_log l where ${await operations.condition(read, filter)} group by 1 order by 1`.execute(
    read.tx,
  );
  return rows;
}
