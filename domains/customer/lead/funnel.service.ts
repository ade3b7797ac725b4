import { sql } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { leadFunnel } from "./acts.contract.ts";
import { leads, reached } from "./lead-list.queries.ts";
import { rateOf, STEPS, type Step } from "./lead.rules.ts";

type Query = z.output<typeof leadFunnel.query>;

/**
 * A lead counts at every step that it reached or went past: one that signed without a viewing still passed it, so
 * each bar is within the one before.
 */
export async function funnelOf(read: Read, { from, to, ...query }: Query) {
  const where = sql`from lead l where ${await leads.condition(read, { ...query, createdFrom: from, createdTo: to })}`;
  const days = (column: string) =>
    sql`avg(extract(epoch from ${sql.ref(column)} - l.created_at) / 86400) filter (where ${sql.ref(column)} is not null)`;
  const { rows } = await sql<Record<string, string | number | null>>`
    select count(*)::int created,
      count(*) filter (where ${reached("following")})::int "following",
      count(*) filter (where ${reached("viewed")})::int viewed,
      count(*) filter (where ${reached("reserved")})::int reserved,
      count(*) filter (where ${reached("signed")})::int signed,
      ${days("l.following_at")} "followingDays", ${days("l.viewed_at")} "viewedDays",
      ${days("l.reserved_at")} "reservedDays", ${days("l.signed_at")} "signedDays" ${where}`.execute(read.tx);
  const lost = await sql<{ reason: string; count: number }>`
    select l.lost_reason reason, count(*)::int count ${where} and l.state = 'lost'
    group by 1 order by 2 desc, 1`.execute(read.tx);
  const [counted] = rows;
  const at = (step: Step) => Number(counted![step]);
  const meanDays = (step: Step) => {
    const mean = counted![`${step}Days`] ?? null;
    return mean === null ? null : Math.max(0, Math.round(Number(mean) * 10) / 10);
  };
  return {
    steps: STEPS.map((step, i) => ({
      step,
      count: at(step),
      rate: i ? rateOf(at(step), at(STEPS[i - 1]!)) : null,
      whole: i ? rateOf(at(step), at("created")) : null,
      days: meanDays(step),
    })),
    lost: lost.rows,
  };
}

/** Of the leads registered in a period, by where they came from: how many, and how many of them signed. */
export async function funnelBySource(
  read: Read,
  { from, to, ...query }: Query,
): Promise<{ source: string; name: string; created: number; signed: number; rate: number | null }[]> {
  const where = sql`from lead l where ${await leads.condition(read, { ...query, createdFrom: from, createdTo: to })}`;
  const { rows } = await sql<{ source: string; name: string; created: number; signed: number }>`
    select f.source, coalesce(d.name, f.source) "name", f.created, f.signed
    from (select l.enterprise_id, l.source, count(*)::int created, count(*) filter (where ${reached("signed")})::int signed
      ${where} group by 1, 2) f
    left join dic_item d on d.enterprise_id = f.enterprise_id and d.kind = 'customer' and d.group_key = 'source'
      and d.code = f.source
    order by f.created desc, f.source`.execute(read.tx);
  return rows.map((row) => ({ ...row, rate: rateOf(row.signed, row.created) }));
}
