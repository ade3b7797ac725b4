import { sql, type RawBuilder, type SqlBool } from "kysely";
import { firstOf, lastOf, type Day } from "../../../platform/kernel/day.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { BillFilter, BillTab } from "./bills.contract.ts";
import type { Hits } from "./keyword.queries.ts";
import { isLate } from "./overdue.service.ts";

type Condition = RawBuilder<SqlBool>;
const and = (conditions: readonly Condition[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

/** Written exactly as the partial indices are, so that a tab walks its own. */
const TABS: Record<BillTab, (today: Day) => Condition> = {
  open: () => sql`b.outstanding > 0 and b.issued_at is not null`,
  overdue: isLate,
  month: (today) => sql`b.due_date between ${firstOf(today)} and ${lastOf(today)} and b.voided_at is null`,
  plan: () => sql`b.issued_at is null and b.voided_at is null and b.outstanding > 0`,
  paid: () => sql`b.status = 'paid'`,
  void: () => sql`b.status = 'void'`,
  all: () => sql`true`,
};

const TAGS: Record<"approving" | "disputed" | "writtenOff" | "uninvoiced", () => Condition> = {
  approving: () => sql`exists (select from examine e where e.target_kind = 'bill' and e.target_id = b.id
    and e.state = 'approving')`,
  disputed: () => sql`b.disputed_from is not null and b.disputed_to is null`,
  writtenOff: () => sql`b.written_off > 0`,
  uninvoiced: () => sql`b.invoiced = 0 and b.direction = 'receivable'`,
};

/** Everything but the villages, over `bill b`. */
export function conditionOf(filter: BillFilter, tab: BillTab, today: Day, hits: Hits | undefined): Condition {
  const all: Condition[] = [TABS[tab](today)];
  const { dueFrom, dueTo, periodFrom, periodTo, amountFrom, amountTo } = filter;
  if (dueFrom) all.push(sql`b.due_date >= ${dueFrom}`);
  if (dueTo) all.push(sql`b.due_date <= ${dueTo}`);
  if (periodFrom) all.push(sql`b.period_end >= ${periodFrom}`);
  if (periodTo) all.push(sql`b.period_start <= ${periodTo}`);
  if (amountFrom !== undefined) all.push(sql`b.amount >= ${amountFrom}`);
  if (amountTo !== undefined) all.push(sql`b.amount <= ${amountTo}`);
  if (filter.status?.length) all.push(sql`b.status = any(${filter.status}::text[])`);
  if (filter.source?.length) all.push(sql`b.source = any(${filter.source}::text[])`);
  if (filter.direction) all.push(sql`b.direction = ${filter.direction}`);
  if (filter.partyId) all.push(sql`b.party_id = ${filter.partyId}`);
  if (filter.contractId) all.push(sql`b.contract_id = ${filter.contractId}`);
  if (filter.roomIds?.length) all.push(sql`b.room_id = ${anyOf(filter.roomIds)}`);
  if (filter.buildingIds?.length)
    // as an array, so that the bills are fetched by room and never read through for them
    all.push(sql`b.room_id = any(array(select r.id from room r join apartment a on a.id = r.apartment_id
      where a.building_id = ${anyOf(filter.buildingIds)}))`);
  if (filter.subjectIds?.length) all.push(sql`b.subject_ids && ${filter.subjectIds as number[]}::bigint[]`);
  if (filter.partyKind?.length)
    all.push(
      sql`exists (select from party p where p.id = b.party_id and p.kind = any(${filter.partyKind}::text[]))`,
    );
  for (const tag of filter.tag ?? []) all.push(TAGS[tag]());
  if (hits) all.push(hits.condition);
  return and(all);
}

/** True when the filter goes beyond what the walk in due order serves: its rows may be few and far between. */
export const isPicky = (filter: BillFilter): boolean =>
  [
    filter.partyId,
    filter.contractId,
    filter.amountFrom,
    filter.amountTo,
    filter.periodFrom,
    filter.periodTo,
    filter.direction,
    filter.keyword,
    filter.roomIds,
    filter.buildingIds,
    filter.subjectIds,
    filter.partyKind,
    filter.status,
    filter.source,
    filter.tag,
  ].some((value) => (Array.isArray(value) ? value.length > 0 : value !== undefined));
