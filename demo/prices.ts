import { whoActs } from "../domains/access/operator/scope.service.ts";
import { apply } from "../domains/listing/price-change/apply.service.ts";
import { changeSeen } from "../domains/listing/price-change/change.queries.ts";
import { computeFor } from "../domains/listing/price-change/compute.queries.ts";
import type { ChangePlan } from "../domains/listing/price-change/change.contract.ts";
import { addDraft } from "../domains/listing/price-change/save.service.ts";
import { addDays, addToMonth, firstOf, monthOf, type Day } from "../platform/kernel/day.ts";
import type { Database } from "../platform/server/database/database.ts";
import { actOf } from "../platform/server/pipeline/pipeline.ts";
import { houseAt } from "./acting.ts";

type Seed = {
  villageId: number;
  plannedOn: Day;
  effectiveDay: Day;
  value: number;
  applyTo: "list" | "both";
  reason: string;
  /** Still a draft, or carried out. */
  draft?: true;
};

/** Changes of prices as a leasing head makes them: one that counts, one that is to come, and one that is being planned. */
export async function makePriceChanges(
  { pool, db }: Pick<Database, "pool" | "db">,
  byId: number,
  today: Day,
): Promise<void> {
  const next = firstOf(addToMonth(monthOf(today), 1));
  const seeds: Seed[] = [
    {
      villageId: 2,
      plannedOn: addDays(today, -43),
      effectiveDay: addDays(today, -40),
      value: 2,
      applyTo: "both",
      reason: "周边同类公寓上调，同步调整",
    },
    {
      villageId: 3,
      plannedOn: addDays(today, -2),
      effectiveDay: next > today ? next : addDays(today, 7),
      value: 3.3,
      applyTo: "list",
      reason: "在租率持续走高，上调标价",
    },
    {
      villageId: 1,
      plannedOn: addDays(today, -1),
      effectiveDay: addDays(today, 20),
      value: -4,
      applyTo: "list",
      reason: "空置较久的房间促销",
      draft: true,
    },
  ];
  // functions come with the first start, which may be later than this
  const who = { ...(await whoActs(db, byId)), permits: new Set(["#601"]) };
  for (const seed of seeds) {
    const { rows } = await pool.query<{ id: number }>(
      "select id from building where village_id = $1 order by id limit 1",
      [seed.villageId],
    );
    if (!rows[0]) continue;
    const house = houseAt({ pool, db }, new Date(`${seed.plannedOn}T15:20:00+08:00`));
    await db.transaction().execute(async (tx) => {
      const act = actOf(house, tx, who, { requestId: "demo", ip: "", userAgent: "demo" });
      const plan: ChangePlan = {
        villageIds: [seed.villageId],
        buildingId: rows[0]!.id,
        kind: "whole",
        mode: "percent",
        value: seed.value,
        applyTo: seed.applyTo,
        round: "yuan",
        effectiveDay: seed.effectiveDay,
        skip: [],
        edits: [],
        asProduct: false,
      };
      const { hash, totals } = await computeFor(act, plan);
      if (totals.problems.length) return;
      const { id } = await addDraft(act, { ...plan, reason: seed.reason, hash, checked: false });
      if (seed.draft) return;
      const at = act.now.toISOString();
      await tx
        .updateTable("priceChange")
        .set({ state: "submitted", submittedBy: byId, submittedAt: at })
        .where("id", "=", id)
        .execute();
      await apply(act, await changeSeen(act, id, { lock: true }));
      // the managers have long heard of what counts already
      if (seed.effectiveDay <= today)
        await tx.updateTable("priceChange").set({ announcedAt: at }).where("id", "=", id).execute();
    });
  }
}
