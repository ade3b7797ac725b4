import { sql, type RawBuilder, type SqlBool } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { FlowFilter, FlowTab } from "./flow.contract.ts";

/** Each tab but the first is served by an index of its own, so these read exactly as their predicates. */
export const TABS: Record<FlowTab, RawBuilder<SqlBool>> = {
  all: sql`true`,
  pending: sql`f.state = 'pending'`,
  rest: sql`f.unallocated > 0 and f.state = 'confirmed' and f.direction = 'in'`,
  reversed: sql`f.state = 'reversed'`,
};

/** Everything but the villages, over `flow f`. Days are the business's. */
export function conditionOf(filter: FlowFilter, hits: RawBuilder<SqlBool> | undefined): RawBuilder<SqlBool> {
  const all: RawBuilder<SqlBool>[] = [TABS[filter.tab ?? "all"]];
  const { paidFrom, paidTo } = filter;
  if (filter.direction) all.push(sql`f.direction = ${filter.direction}`);
  if (filter.channel?.length) all.push(sql`f.channel = any(${filter.channel}::text[])`);
  if (filter.accountIds?.length) all.push(sql`f.merchant_account_id = ${anyOf(filter.accountIds)}`);
  if (filter.state?.length) all.push(sql`f.state = any(${filter.state}::text[])`);
  if (filter.kind?.length) all.push(sql`f.kind = any(${filter.kind}::text[])`);
  if (filter.reconcile?.length) all.push(sql`f.reconcile_state = any(${filter.reconcile}::text[])`);
  if (filter.partyId) all.push(sql`f.party_id = ${filter.partyId}`);
  if (filter.contractId)
    all.push(sql`f.id in (select a.flow_id from allocation a join bill b on b.id = a.bill_id
      where b.contract_id = ${filter.contractId})`);
  // the session's time zone is the business's, so these are its midnights
  if (paidFrom) all.push(sql`f.paid_at >= ${paidFrom}::date::timestamptz`);
  if (paidTo) all.push(sql`f.paid_at < ${addDays(paidTo, 1)}::date::timestamptz`);
  if (filter.amountFrom !== undefined) all.push(sql`f.amount >= ${filter.amountFrom}`);
  if (filter.amountTo !== undefined) all.push(sql`f.amount <= ${filter.amountTo}`);
  if (filter.unallocated === "true") all.push(TABS.rest);
  if (hits) all.push(hits);
  return sql<SqlBool>`${sql.join(all, sql` and `)}`;
}

/** True when the rows of a filter may be few and far between in the order they are walked in. */
export const isPicky = (filter: FlowFilter, byAmount: boolean): boolean =>
  [
    filter.direction,
    filter.partyId,
    filter.contractId,
    filter.unallocated,
    filter.keyword,
    ...(byAmount ? [filter.paidFrom, filter.paidTo] : [filter.amountFrom, filter.amountTo]),
    filter.channel,
    filter.accountIds,
    filter.state,
    filter.kind,
    filter.reconcile,
  ].some((value) => (Array.isArray(value) ? value.length > 0 : value !== undefined));
