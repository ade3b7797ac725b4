import { addDays, type Day } from "../../platform/kernel/day.ts";
import { seedIndicators } from "../../domains/report/budget-indicator/budget-indicator.service.ts";
import { indicatorsOf } from "../../domains/report/budget-indicator/indicators.queries.ts";
import { MONTHS } from "../../domains/report/budget-indicator/value.rules.ts";
import { submit } from "../../domains/report/budget/approval.service.ts";
import { addDrafts, renew } from "../../domains/report/budget/budget.service.ts";
import { writeCells } from "../../domains/report/budget/cells.service.ts";
import { cellsOf, versionsOf } from "../../domains/report/budget/plan.queries.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { acting } from "../acting.ts";

/** What stands in a budget where the year before says nothing: occupancy in hundredths of a percent, else fen. */
const USUAL: Record<string, number> = { occupancy: 9500, rentIncome: 20_000_000, operatingCost: 1_500_000 };

/**
 * This year's budgets of the first stores: as the year before came out and a little more, one of them planned anew since
 * and one still a draft.
 */
export async function makeBudgets(
  place: Pick<Database, "pool" | "db">,
  chief: number,
  today: Day,
): Promise<void> {
  await acting(place, chief, new Date(`${addDays(today, -60)}T09:30:00+08:00`), async (act) => {
    await seedIndicators(act, act.who.enterpriseId);
    const year = Number(today.slice(0, 4));
    const { rows } = await place.pool.query<{ id: number }>(
      "select id from village where enterprise_id = $1 order by id limit 4",
      [act.who.enterpriseId],
    );
    const stores = rows.map((row) => row.id);
    if (!stores.length) return;
    const indicators = await indicatorsOf(act);
    const name = `${year} 年预算`;
    const ids = await addDrafts(act, { villageIds: stores, year, from: "actual", percent: 8, name });
    for (const [i, id] of ids.entries()) {
      const filled = new Map((await cellsOf(act, [id])).map((c) => [`${c.indicatorId} ${c.month}`, c.value]));
      const cells = Object.entries(USUAL).flatMap(([code, value]) => {
        const { id: indicatorId } = indicators.find((one) => one.code === code)!;
        return MONTHS.flatMap((month) =>
          filled.get(`${indicatorId} ${month}`)
            ? []
            : [{ indicatorId, month, value, version: filled.has(`${indicatorId} ${month}`) ? 1 : 0 }],
        );
      });
      if (cells.length) await writeCells(act, id, cells);
      if (i < ids.length - 1 || i === 0) await submit(act, id, 1);
    }
    const { id } = await renew(act, ids[0]!, {
      name: `${name}（下半年调整）`,
      reason: "下半年新增房源，上调租金收入",
    });
    const rent = indicators.find((one) => one.code === "rentIncome")!.id;
    const later = (await cellsOf(act, [id])).filter((c) => c.indicatorId === rent && c.month > 6);
    await writeCells(
      act,
      id,
      later.map(({ indicatorId, month, value, version }) => ({
        indicatorId,
        month,
        value: Math.round(value * 1.05),
        version,
      })),
    );
    const [draft] = (await versionsOf(act, [stores[0]!], year)).filter((v) => v.state === "draft");
    if (stores.length > 1) await submit(act, draft!.id, draft!.version);
  });
}
