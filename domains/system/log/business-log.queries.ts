import { sql } from "kysely";
import { allows } from "../../../platform/kernel/call.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import {
  allOf,
  among,
  fromDay,
  is,
  oneOf,
  phrase,
  toDay,
  type Sql,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { listBusiness, recordHistory } from "./business-log.contract.ts";
import { kindNeeds, kindTitle } from "./kinds.rules.ts";

const LINES = sql`business_log l left join operator o on o.id = l.operator_id`;

/** Lines in scope: of one's villages, and those of no village by people of one's enterprise. */
const inScope = ({ who }: Read, villageIds: readonly number[] = []): Sql => {
  const own = who.superType === "0" ? [] : [is("o.enterprise_id")(who.enterpriseId)];
  return oneOf([
    among("l.village_id")(villagesOf(who, villageIds)),
    ...(villageIds.length ? [] : [allOf([sql`l.village_id is null`, ...own])]),
  ]);
};

type Row = {
  id: number;
  at: string;
  kind: string;
  recordId: number;
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
const SHOWN = {
  id: "l.id",
  from: LINES,
  sort: { at: { by: "l.at", indexed: true } },
  order: "at",
  columns: sql<Row>`l.id, l.at, l.kind, l.record_id "recordId", l.number, l.action, l.summary,
    l.operator_name "operatorName", l.request_id "requestId", l.before, l.after, l.examine_id "examineId",
    coalesce(e.examine_no, '') "examineNo", coalesce(v.name, '') "villageName"`,
  join: sql`join business_log l on l.id = page.id left join village v on v.id = l.village_id
    left join examine_brief e on e.id = l.examine_id`,
  rows: (rows: Row[]) => rows.map((row) => ({ ...row, kindTitle: kindTitle(row.kind) })),
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
