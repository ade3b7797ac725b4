import { sql } from "kysely";
import type { z } from "zod";
import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import type { Base, ClawMode, Tier } from "./commission.rules.ts";
import type { listRules } from "./rule.contract.ts";

type Raw = {
  id: number;
  name: string;
  base: Base;
  tiers: Tier[];
  cap: number | null;
  payAfterDays: number;
  clawDays: number;
  clawMode: ClawMode;
  renewals: boolean;
  fromDay: string;
  toDay: string | null;
  seriesId: number;
  agencies: number;
  agents: number;
  used: number;
  version: number;
};

const COLUMNS = sql`r.id, r.name, r.base, r.tiers, r.cap, r.pay_after_days "payAfterDays", r.claw_days "clawDays",
  r.claw_mode "clawMode", r.renewals, r.from_day "fromDay", r.to_day "toDay", r.series_id "seriesId", r.version,
  (select count(*) from agency a where a.rule_id = r.series_id)::int agencies,
  (select count(*) from agent a where a.rule_id = r.series_id)::int agents,
  (select count(*) from commission c where c.rule_id = r.id)::int used`;

/** "满 0 个月 30.00%；满 6 个月 50.00%" */
export const tierText = (tiers: readonly Tier[]): string =>
  tiers
    .map((t) => `满 ${t.fromMonths} 个月 ${t.fixed != null ? `${yuan(t.fixed)} 元` : `${t.percent}%`}`)
    .join("；");

const shown = (row: Raw) => ({
  ...row,
  tierText: tierText(row.tiers),
  tiers: row.tiers.map((t) => ({
    fromMonths: t.fromMonths,
    percent: t.percent ?? null,
    fixed: t.fixed ?? null,
  })),
});

/** Rules of the operator's enterprise. */
export async function ruleList(read: Read, query: z.output<typeof listRules.query>) {
  const like = containing(query.keyword ?? "");
  const where = sql.join(
    [
      sql`r.enterprise_id = ${read.who.enterpriseId}`,
      ...(query.keyword ? [sql`r.name ilike ${like}`] : []),
      // chosen ones are named by their series
      ...(query.ids?.length ? [sql`r.series_id = any(${query.ids}::bigint[])`] : []),
      ...(query.current
        ? [
            sql`r.id = (select x.id from commission_rule x where x.series_id = r.series_id
              order by x.from_day <= ${read.today}::date desc, x.from_day desc limit 1)`,
          ]
        : []),
    ],
    sql` and `,
  );
  const by = query.sort === "name" ? sql`r.name` : sql`r.from_day`;
  const order = sql.raw(query.order ?? "desc");
  const rows = sql<Raw>`select ${COLUMNS} from commission_rule r where ${where} order by ${by} ${order}, r.id desc ${pageEnd(query)}`;
  const total = sql<{ n: number }>`select count(*)::int n from commission_rule r where ${where}`;
  return {
    list: query.want === "totals" ? [] : (await rows.execute(read.tx)).rows.map(shown),
    total: query.want === "rows" ? null : (await total.execute(read.tx)).rows[0]!.n,
  };
}

export async function ruleDetail(read: Read, id: number) {
  const { rows } = await sql<Raw>`
    select ${COLUMNS} from commission_rule r
    where r.id = ${id} and r.enterprise_id = ${read.who.enterpriseId}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  const versions = await read.tx
    .selectFrom("commissionRule")
    .select(["id", "fromDay", "toDay"])
    .where("seriesId", "=", rows[0].seriesId)
    .orderBy("fromDay", "desc")
    .execute();
  return { ...shown(rows[0]), versions };
}
