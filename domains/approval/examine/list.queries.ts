import { sql, type RawBuilder } from "kysely";
import { forbidden } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { ExamineQuery, ExamineRow } from "./examine.contract.ts";
import { NODE_TEXT } from "./frozen.service.ts";
import { approvable } from "./registry.service.ts";
import { isLate, rejectedOfMine, waitsForMe } from "./waiting.service.ts";
import type { Box } from "./words.rules.ts";

type Found = Omit<ExamineRow, "typeName" | "page" | "factText"> & { keyFacts: [string, string][] };

const BOX: Record<Box, (read: Read) => RawBuilder<unknown>> = {
  mine: waitsForMe,
  sent: ({ who }) => sql`e.submitter_id = ${who.operatorId}`,
  returned: rejectedOfMine,
  done: ({
    who,
  }) => sql`e.id in (select s.examine_id from examine_step s where s.operator_id = ${who.operatorId}
    and s.state in ('approved', 'rejected', 'returned', 'transferred'))`,
  all: ({ who }) => {
    if (!who.permits.has("49.query")) throw forbidden();
    return sql`e.village_id = ${anyOf(who.villages)}`;
  },
};

function conditionOf(read: Read, query: ExamineQuery): RawBuilder<unknown> {
  const all = [BOX[query.box](read)];
  const zone = read.settings.TIME_ZONE;
  const day = sql`(e.submitted_at at time zone ${zone})::date`;
  if (query.villageIds?.length)
    all.push(sql`e.village_id = ${anyOf(villagesOf(read.who, query.villageIds))}`);
  if (query.types) all.push(sql`e.module_type = any(${query.types.split(",")}::text[])`);
  if (query.state?.length) all.push(sql`e.state = any(${query.state}::text[])`);
  if (query.submittedFrom) all.push(sql`${day} >= ${query.submittedFrom}`);
  if (query.submittedTo) all.push(sql`${day} <= ${query.submittedTo}`);
  if (query.amountFrom !== undefined) all.push(sql`e.amount >= ${query.amountFrom}`);
  if (query.amountTo !== undefined) all.push(sql`e.amount <= ${query.amountTo}`);
  if (query.keyword)
    all.push(sql`(e.examine_no ilike ${containing(query.keyword)} or e.title ilike ${containing(query.keyword)}
      or exists (select from operator o where o.id = e.submitter_id and o.real_name ilike ${containing(query.keyword)}))`);
  return sql.join(all, sql` and `);
}

/** Columns of a row over `examine e`, as the list and the record show them. */
export const rowColumns = (
  read: Read,
) => sql`e.id, e.examine_no "examineNo", e.module_type "moduleType", e.title,
  e.target_id "targetId", e.village_id "villageId", v.name "villageName", e.amount, e.key_facts "keyFacts",
  o.real_name submitter, e.submitted_at "submittedAt", ${NODE_TEXT} node, e.state, e.version,
  (select coalesce(string_agg(p.real_name, '、' order by s.id), '') from examine_step s join operator p on p.id = s.operator_id
    where s.examine_id = e.id and s.state = 'waiting') "waitingFor",
  case when e.state = 'approving' then
    floor(extract(epoch from ${read.now.toISOString()}::timestamptz - e.node_since) / 3600)::int end waited,
  ${isLate(read)} late, ${waitsForMe(read)} mine`;
export const ROW_FROM = sql`examine e join village v on v.id = e.village_id join operator o on o.id = e.submitter_id`;

/** What the registry knows of a row's type. */
export const typed = (moduleType: string) => ({
  typeName: approvable(moduleType)?.title ?? moduleType,
  page: approvable(moduleType)?.page ?? "",
});

export async function examineRows(read: Read, query: ExamineQuery): Promise<ExamineRow[]> {
  const column = query.sort === "amount" ? sql`e.amount` : sql`e.submitted_at`;
  // what waits longest stands first where it waits for the reader
  const down = query.order ? query.order === "desc" : query.box !== "mine";
  const { rows } = await sql<Found>`
    select ${rowColumns(read)} from ${ROW_FROM} where ${conditionOf(read, query)}
    order by ${column} ${down ? sql`desc` : sql`asc`} nulls last, e.id ${down ? sql`desc` : sql`asc`}
    limit ${query.pageSize} offset ${(query.pageNo - 1) * query.pageSize}`.execute(read.tx);
  return rows.map(({ keyFacts, ...row }) => ({
    ...row,
    ...typed(row.moduleType),
    factText: keyFacts
      .slice(0, 3)
      .map(([label, value]) => `${label} ${value}`)
      .join("，"),
  }));
}

export async function examineTotals(
  read: Read,
  query: ExamineQuery,
): Promise<{ total: number; amount: number }> {
  const { rows } = await sql<{ total: number; amount: number }>`
    select count(*)::int total, coalesce(sum(e.amount), 0)::bigint amount from examine e
    where ${conditionOf(read, query)}`.execute(read.tx);
  return rows[0]!;
}

export async function examineCounts(
  read: Read,
  villageIds: readonly number[] | undefined,
): Promise<{ mine: number; late: number; returned: number }> {
  const here = villageIds?.length
    ? sql`and e.village_id = ${anyOf(villagesOf(read.who, villageIds))}`
    : sql``;
  const { rows } = await sql<{ mine: number; late: number; returned: number }>`
    select (select count(*)::int from examine e where ${BOX.mine(read)} ${here}) mine,
      (select count(*)::int from examine e where ${BOX.mine(read)} and ${isLate(read)} ${here}) late,
      (select count(*)::int from examine e where ${rejectedOfMine(read)} ${here}) returned`.execute(read.tx);
  return rows[0]!;
}
