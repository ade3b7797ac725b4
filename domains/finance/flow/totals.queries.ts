import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { conditionOf, TABS } from "./filter.queries.ts";
import type { FlowFilter } from "./flow.contract.ts";
import { hitsOf } from "./keyword.queries.ts";

export type FlowTotals = {
  total: number;
  amountIn: number;
  amountOut: number;
  fee: number;
  unallocated: number;
};

/** Count and sums over the whole filter; waiting, rejected and reversed flows are counted but moved no money. */
export async function flowTotals(
  read: Read,
  filter: FlowFilter,
  villages: readonly number[],
): Promise<FlowTotals> {
  const { rows } = await sql<FlowTotals>`
    select count(*)::int total,
      coalesce(sum(f.amount) filter (where f.direction = 'in' and f.state = 'confirmed'), 0)::bigint "amountIn",
      coalesce(sum(f.amount) filter (where f.direction = 'out' and f.state = 'confirmed'), 0)::bigint "amountOut",
      coalesce(sum(f.fee) filter (where f.state in ('confirmed', 'reversed')), 0)::bigint fee,
      coalesce(sum(f.unallocated) filter (where f.direction = 'in' and f.state = 'confirmed'), 0)::bigint unallocated
    from flow f where f.village_id = any(${villages as number[]}::bigint[])
      and ${conditionOf(filter, await hitsOf(read, filter.keyword))}`.execute(read.tx);
  return rows[0]!;
}

/** How many flows wait for a second person, and how many have money that pays nothing yet. */
export async function flowsWaiting(
  read: Read,
  villages: readonly number[],
): Promise<{ pending: number; rest: number }> {
  const counted = (tab: "pending" | "rest") =>
    sql`(select count(*)::int from flow f where f.village_id = any(${villages as number[]}::bigint[]) and ${TABS[tab]})`;
  const { rows } = await sql<{ pending: number; rest: number }>`
    select ${counted("pending")} pending, ${counted("rest")} rest`.execute(read.tx);
  return rows[0]!;
}
