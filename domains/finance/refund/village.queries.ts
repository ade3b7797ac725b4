import { sql } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { refunds } from "./list.queries.ts";
import type { refundsByVillage } from "./refund.contract.ts";
import { TABS } from "./refund.rules.ts";

type Query = z.output<typeof refundsByVillage.query>;
type Figures = {
  applied: number;
  amount: number;
  approving: number;
  toPay: number;
  paying: number;
  failed: number;
  paidCount: number;
  paid: number;
  days: number | null;
  waiting: number | null;
};

const sumOf = (states: readonly string[]) =>
  sql`coalesce(sum(r.amount) filter (where r.state = any(${[...states]}::text[])), 0)::bigint`;
const SORTS = { toPay: sql`g."toPay"`, amount: sql`g.amount`, paid: sql`g.paid` } as const;
const SECONDS_A_DAY = 86_400;

/** Averages are over all the refunds a row stands for, never over rows. */
const figures = (read: Read) => sql`count(*)::int applied, coalesce(sum(r.amount), 0)::bigint amount,
  ${sumOf(TABS.approving.states)} approving, ${sumOf(TABS.toPay.states)} "toPay", ${sumOf(TABS.paying.states)} paying,
  ${sumOf(TABS.failed.states)} failed, (count(*) filter (where r.state = 'paid'))::int "paidCount",
  ${sumOf(TABS.paid.states)} paid,
  round(avg(extract(epoch from r.paid_at - r.created_at) / ${SECONDS_A_DAY}) filter (where r.state = 'paid'), 1)::float8 days,
  round(max(extract(epoch from ${read.now.toISOString()}::timestamptz - r.created_at) / ${SECONDS_A_DAY})
    filter (where r.state in ('applied', 'approving', 'toPay', 'paying', 'failed')), 1)::float8 waiting`;

export async function refundsOfVillages(read: Read, q: Query) {
  const [list, sums] = await Promise.all([
    q.want === "totals" ? [] : page(read, q),
    q.want === "rows" ? null : sumsOf(read, q),
  ]);
  if (!sums) return { list, total: null, sums: null };
  const { total, ...rest } = sums;
  return { list, total, sums: rest };
}

async function page(read: Read, q: Query) {
  const way = sql.raw(q.order ?? "desc");
  const { rows } = await sql<Figures & { id: number; villageName: string }>`
    select v.id, v.name "villageName", g.* from (
      select r.village_id, ${figures(read)} from refund r where ${await refunds.condition(read, q)} group by 1) g
    join village v on v.id = g.village_id
    order by ${SORTS[q.sort ?? "toPay"]} ${way}, v.id ${pageEnd(q)}`.execute(read.tx);
  return rows;
}

async function sumsOf(read: Read, q: Query) {
  const { rows } = await sql<Figures & { total: number }>`
    select count(distinct r.village_id)::int total, ${figures(read)}
    from refund r where ${await refunds.condition(read, q)}`.execute(read.tx);
  return rows[0]!;
}
