import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { kindTitle } from "./kinds.rules.ts";
import {
  getOperation,
  getOperationV5,
  listOperations,
  listOperationsV5,
  operationExport,
  operationHours,
  type OperationQuery,
} from "./operation-log.contract.ts";
import { operationRow, operationRows, operations } from "./operation-log.queries.ts";

async function list(read: Read, { query }: { query: OperationQuery }) {
  const [rows, counted] = await Promise.all([
    query.want === "totals"
      ? []
      : operationRows(read, query)
          .limit(query.pageSize)
          .offset((query.pageNo - 1) * query.pageSize)
          .execute(),
    query.want === "rows"
      ? null
      : operations(read, query)
          .select((eb) => eb.fn.countAll<number>().as("n"))
          .executeTakeFirstOrThrow(),
  ]);
  return { list: rows.map((raw) => operationRow(raw)), total: counted?.n ?? null };
}

const TEN_MINUTES = 600_000;
const MOST_NEARBY = 50;
const isoAt = (ms: number) => new Date(ms).toISOString();

async function get(read: Read, { params }: { params: { id: number } }) {
  const { tx, who } = read;
  const line = await tx
    .selectFrom("operationLog")
    .selectAll()
    .where("id", "=", params.id)
    .$if(who.superType !== "0", (q) => q.where("enterpriseId", "=", who.enterpriseId))
    .executeTakeFirst();
  if (!line) throw notFound();
  const at = new Date(line.at).getTime();
  const range = { from: "2000-01-01", to: "2999-12-31" };
  const near = (which: object) => operationRows(read, { ...range, ...which } as OperationQuery);
  const [[self], nearby, business] = await Promise.all([
    near({}).where("l.id", "=", line.id).execute(),
    line.operatorId === null
      ? []
      : near({ operatorId: line.operatorId })
          .where("l.at", ">=", isoAt(at - TEN_MINUTES))
          .where("l.at", "<=", isoAt(at + TEN_MINUTES))
          .where("l.id", "<>", line.id)
          .limit(MOST_NEARBY)
          .execute(),
    tx
      .selectFrom("businessLog")
      .select(["id", "at", "kind", "number", "summary"])
      .where("requestId", "=", line.requestId)
      .where("at", ">=", isoAt(at - TEN_MINUTES))
      .where("at", "<=", isoAt(at + TEN_MINUTES))
      .orderBy("id")
      .limit(MOST_NEARBY)
      .execute(),
  ]);
  return {
    ...line,
    ...operationRow(self!),
    business: business.map((b) => ({ ...b, kind: kindTitle(b.kind) })),
    nearby: nearby.map((raw) => operationRow(raw)),
  };
}

export default [
  serveRead(listOperations, list),
  exportList(operationExport, { rows: operationRows, row: operationRow }),
  serveRead(listOperationsV5, list),
  serveRead(getOperation, get),
  serveRead(getOperationV5, get),
  serveRead(operationHours, async (read, { query }) => {
    const zone = read.settings.TIME_ZONE;
    const hour = sql<string>`to_char(date_trunc('hour', l.at at time zone ${zone}), 'YYYY-MM-DD HH24:00')`;
    const of = (outcome: string) => sql<number>`count(*) filter (where l.outcome = ${outcome})`;
    return operations(read, query)
      .select([hour.as("hour"), of("ok").as("ok"), of("refused").as("refused"), of("failed").as("failed")])
      .groupBy(sql`1`)
      .orderBy(sql`1`)
      .execute();
  }),
];
