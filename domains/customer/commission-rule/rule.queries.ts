import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { among, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Base, ClawMode, Tier } from "./commission.rules.ts";
import { listRules } from "./rule.contract.ts";

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

/** "满 0 个月 30.00%；满 6 个月 50.00%" */
export const tierText = (tiers: readonly Tier[]): string =>
  tiers
    .map((t) => `满 ${t.fromMonths} 个月 ${t.fixed != null ? `${yuan(t.fixed)} 元` : `${t.percent}%`}`)
    .join("；");

const tiersOf = (tiers: readonly Tier[]) =>
  tiers.map((t) => ({ fromMonths: t.fromMonths, percent: t.percent ?? null, fixed: t.fixed ?? null }));
const shown = (row: Raw) => ({
  ...row,
  tierText: tierText(row.tiers),
  tiers: tiersOf(row.tiers),
});

/** Rules of the operator's enterprise. */
export const rules = listOf(listRules, {
  id: "r.id",
  from: sql`commission_rule r`,
  scope: (read) => sql`r.enterprise_id = ${read.who.enterpriseId}`,
  where: {
    keyword: phrase("r.name"),
    // chosen ones are named by their series
    ids: among("r.series_id"),
    current: (_, read) => sql`r.id = (select x.id from commission_rule x where x.series_id = r.series_id
      order by x.from_day <= ${read.today}::date desc, x.from_day desc limit 1)`,
  },
  sort: { fromDay: "r.from_day", name: "r.name" },
  order: "fromDay",
  columns: sql<Raw>`r.id, r.name, r.base, r.tiers, r.cap, r.pay_after_days "payAfterDays", r.claw_days "clawDays",
    r.claw_mode "clawMode", r.renewals, r.from_day "fromDay", r.to_day "toDay", r.series_id "seriesId", r.version,
    (select count(*) from agency a where a.rule_id = r.series_id)::int agencies,
    (select count(*) from agent a where a.rule_id = r.series_id)::int agents,
    (select count(*) from commission c where c.rule_id = r.id)::int used`,
  join: sql`join commission_rule r on r.id = page.id`,
  rows: (raws) => raws.map(shown),
});

export async function ruleDetail(read: Read, id: number) {
  const own = read.tx.selectFrom("commissionRule").where("enterpriseId", "=", read.who.enterpriseId);
  const seen = await own.select(["seriesId", "tiers"]).where("id", "=", id).executeTakeFirst();
  if (!seen) throw notFound();
  const [[row], versions] = await Promise.all([
    rules.rowsOf(read, [id]),
    own
      .select(["id", "fromDay", "toDay"])
      .where("seriesId", "=", seen.seriesId)
      .orderBy("fromDay", "desc")
      .execute(),
  ]);
  return { ...row!, tiers: tiersOf(seen.tiers as Tier[]), versions };
}
