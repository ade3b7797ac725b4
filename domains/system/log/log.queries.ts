import { sql } from "kysely";
import { type Reply, allows } from "../../../platform/kernel/call.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import {
  type Sql,
  allOf,
  among,
  amongWords,
  fromDay,
  is,
  keyword,
  oneOf,
  phrase,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { type FilterOf, listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { kindNeeds, kindTitle } from "./kinds.rules.ts";
import { listBusiness, listOperations, listOperationsV5, recordHistory } from "./log.contract.ts";

/** Of the person's own enterprise unless they run the platform. */
const own = ({ who }: Read) =>
  who.superType === "0" ? sql<boolean>`true` : sql<boolean>`l.enterprise_id = ${who.enterpriseId}`;

type OperationRow = Omit<Reply<typeof listOperations>["list"][number], "target">;

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
    columns: sql<OperationRow>`l.id, l.at, l.operator_name "operatorName", l.summary, l.outcome, l.duration_ms "durationMs",
      l.ip, l.user_agent "userAgent", l.target_kind "targetKind", l.target_id "targetId",
      record_page(l.target_kind, l.target_id) opens,
      coalesce(nullif(concat_ws(' · ', p.name, f.name), ''), '—') "functionName"`,
    join: sql`join operation_log l on l.id = page.id
      left join function_node f on f.key = split_part(l.permit, ' ', 1) left join function_node p on p.key = f.parent_key`,
    rows: (rows: OperationRow[]) =>
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
  const line = await found.selectAll().where("l.id", "=", id).executeTakeFirstOrThrow(notFound);
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
  return { ...line, ...self!, business: business.map((b) => ({ ...b, kind: kindTitle(b.kind) })), nearby };
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

const LINES = sql`business_log l left join operator o on o.id = l.operator_id`;

/** Lines in scope: of one's villages, and those of no village by people of one's enterprise. */
const inScope = ({ who }: Read, villageIds: readonly number[] = []): Sql => {
  const own = who.superType === "0" ? [] : [is("o.enterprise_id")(who.enterpriseId)];
  return oneOf([
    among("l.village_id")(villagesOf(who, villageIds)),
    ...(villageIds.length ? [] : [allOf([sql`l.village_id is null`, ...own])]),
  ]);
};

type BusinessRow = {
  id: number;
  at: string;
  kind: string;
  recordId: number;
  opens: string | null;
  number: string;
  action: string;
  summary: string;
  operatorName: string;
  requestId: string;
  before: unknown;
  after: unknown;
  examineId: number | null;
  examineNo: string;
  villageName: string;
};
/** What a record was and became, without the lowest prices where they are not for the reader. */
const forReader = ({ who }: Read, value: unknown): unknown =>
  value === null || who.permits.has("#601")
    ? value
    : JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === "lowestPrice" ? undefined : part)));

const SHOWN = {
  id: "l.id",
  from: LINES,
  sort: { at: { by: "l.at", indexed: true } },
  order: "at",
  columns: sql<BusinessRow>`l.id, l.at, l.kind, l.record_id "recordId", record_page(l.kind, l.record_id) opens, l.number, l.action, l.summary,
    l.operator_name "operatorName", l.request_id "requestId", l.before, l.after, l.examine_id "examineId",
    coalesce(e.examine_no, '') "examineNo", coalesce(v.name, '') "villageName"`,
  join: sql`join business_log l on l.id = page.id left join village v on v.id = l.village_id
    left join examine_brief e on e.id = l.examine_id`,
  rows: (rows: BusinessRow[], read: Read) =>
    rows.map((row) => ({
      ...row,
      before: forReader(read, row.before),
      after: forReader(read, row.after),
      kindTitle: kindTitle(row.kind),
    })),
} as const;

export const business = listOf(listBusiness, {
  ...SHOWN,
  scope: (read, { villageIds, to = read.today, from = addDays(to, -6) }) =>
    allOf([inScope(read, villageIds), fromDay("l.at")(from), toDay("l.at")(to)]),
  where: {
    from: () => undefined,
    to: () => undefined,
    kind: is("l.kind"),
    action: is("l.action"),
    operatorId: is("l.operator_id"),
    number: is("l.number"),
    keyword: phrase("l.summary"),
  },
});

export const history = listOf(recordHistory, {
  ...SHOWN,
  scope: (read, { kind }) => {
    if (!allows(read.who.permits, kindNeeds(kind!))) throw forbidden();
    return inScope(read);
  },
  where: { kind: is("l.kind"), recordId: is("l.record_id") },
});

export async function businessLine(read: Read, id: number) {
  const { rows } = await sql`select from ${LINES} where l.id = ${id} and ${inScope(read)}`.execute(read.tx);
  if (!rows.length) throw notFound();
  return (await business.rowsOf(read, [id]))[0]!;
}
