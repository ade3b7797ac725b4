import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { confirm, previewConfirm } from "../../domains/contract/turnover/confirm.service.ts";
import { USUAL_RULE, type TurnoverRule } from "../../domains/contract/terms/terms.contract.ts";
import { breakEven } from "../../domains/contract/terms/turnover-share.rules.ts";
import { declare } from "../../domains/contract/turnover/statement.service.ts";
import { shopOf, type Shop } from "../../domains/contract/turnover/statement.queries.ts";
import { acting } from "../acting.ts";

/** Most shops pay the higher of base and share, every third a fixed rent. */
export const turnoverOf = (index: number, rent: number): TurnoverRule | null => {
  if (index % 3 === 2) return null;
  if (index % 3 === 0) return { ...USUAL_RULE, bands: [{ upTo: null, rate: "12" }] };
  const step = Math.round(rent / 10_000) * 100_000;
  return {
    ...USUAL_RULE,
    missing: "avg3",
    bands: [
      { upTo: step, rate: "8" },
      { upTo: step * 2, rate: "10" },
      { upTo: null, rate: "12" },
    ],
  };
};

/** How good a month was, of the turnover at which the share overtakes the base; the last one was the best. */
const COURSE = [0.72, 0.81, 0.77, 0.9, 0.86, 1.18];
const DECLARED_AFTER = 3;

async function live(store: Store, manager: number, shop: Shop, today: Day, waits: boolean): Promise<void> {
  const rule = shop.terms.turnover!;
  const months = shop.months.filter((m) => m.base > 0 && addDays(m.to, DECLARED_AFTER + 1) < today).slice(-6);
  for (const [i, month] of months.entries()) {
    const share = COURSE[COURSE.length - months.length + i]!;
    const gross = Math.round(((breakEven(rule, month.base) ?? month.base) * share) / 1000) * 1000;
    const clock = new Date(`${addDays(month.to, DECLARED_AFTER)}T10:30:00+08:00`);
    const figures = { gross, refunds: Math.round(gross / 5000) * 100, excluded: 0, note: "", submit: true };
    const id = await acting(store, manager, clock, (act) =>
      declare(act, { contractId: shop.id, monthNo: month.no, ...figures }),
    );
    if (waits && i === months.length - 1) continue;
    await acting(store, manager, clock, async (act) => {
      const { hash } = await previewConfirm(act, id, null);
      return confirm(act, id, { previewHash: hash, version: 1 });
    });
  }
}
type Store = Pick<Database, "pool" | "db">;

/** Half a year of what the shops turned over; the last one waits for its confirmation. */
export async function makeTurnover(store: Store, manager: number, today: Day): Promise<void> {
  const { rows } = await store.pool.query<{ id: number }>(
    `select id from contract where kind = 'merchant' and state = 'effective'
     and terms->'turnover'->>'rentKind' = 'higherOf' order by id limit 40`,
  );
  const shops = await acting(store, manager, new Date(`${today}T09:00:00+08:00`), async (act) => {
    const seen: Shop[] = [];
    for (const { id } of rows) seen.push(await shopOf(act, id));
    return seen;
  });
  for (const [i, shop] of shops.entries()) await live(store, manager, shop, today, i === shops.length - 1);
}
