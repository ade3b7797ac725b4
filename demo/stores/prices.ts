import { whoActs } from "../../domains/access/operator/scope.service.ts";
import { apply } from "../../domains/listing/price-change/apply.service.ts";
import { changeSeen } from "../../domains/listing/price-change/change.queries.ts";
import { computeFor } from "../../domains/listing/price-change/compute.queries.ts";
import type { ChangePlan } from "../../domains/listing/price-change/change.contract.ts";
import { addDraft } from "../../domains/listing/price-change/save.service.ts";
import { addDays, addToMonth, firstOf, monthOf, type Day } from "../../platform/kernel/day.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { actOf } from "../../platform/server/pipeline/pipeline.ts";
import { houseAt, acting } from "../acting.ts";
import { proposeGiven } from "../../domains/listing/pricing/given.service.ts";
import { priceAt } from "../../domains/listing/room/room.service.ts";

type Place = Pick<Database, "pool" | "db">;

/** In one store, prices that move by a tenth or more need the head of the company. */
async function makeModule({ pool }: Place, enterpriseId: number, adminId: number): Promise<void> {
  await pool.query(
    `with made as (insert into module (enterprise_id, module_type, name, fallback_operator_id, created_by, updated_by)
       values ($1, 'priceChange', '调价审批', $2, $2, $2) returning id, module_type),
     placed as (insert into module_village (module_id, module_type, village_id)
       select id, module_type, 2 from made),
     lane as (insert into process (module_id, name, order_num, conditions, is_default)
       select id, '调幅10%以上', 1, '[{"field": "percent", "op": "gte", "value": 10}]', false from made returning id),
     rest as (insert into process (module_id, name, order_num, conditions, is_default)
       select id, '默认流程', 2, '[]', true from made)
     insert into node (process_id, order_num, name, by, operator_ids, mode, remind_hours)
     select id, 1, '企业管理员', 'operators', array[$2::bigint], 'any', 24 from lane`,
    [enterpriseId, adminId],
  );
}

/** A room that was done up and asks for more since yesterday, as its store's manager typed it. */
export async function makePriceApprovals(
  place: Place,
  enterpriseId: number,
  { admin, manager }: { admin: number; manager: number },
  today: Day,
): Promise<void> {
  await makeModule(place, enterpriseId, admin);
  const { rows } = await place.pool.query<{ id: number }>(
    `select r.id from room r join room_status_at($1, $1, array[2]::bigint[]) n on n.room_id = r.id
     where n.occupancy = 'vacant' and r.price_mode = 'own'
       and not exists (select from price_change_line l where l.room_id = r.id)
     order by r.id limit 1`,
    [today],
  );
  const roomId = rows[0]?.id;
  if (!roomId) return;
  const effectiveDay = addDays(today, 10);
  await acting(place, manager, new Date(`${addDays(today, -1)}T17:05:00+08:00`), async (act) => {
    const now = (await priceAt(act, [roomId], effectiveDay)).get(roomId);
    if (!now) return;
    const { unit, lowestPrice } = now;
    // in tens of yuan, an eighth more
    const listPrice = Math.ceil((now.listPrice * 1.125) / 1000) * 1000;
    await proposeGiven(
      act,
      { kind: "room", roomId, effectiveDay, listPrice, lowestPrice, unit },
      "重新粉刷并更换全部家具，按装修后价格出租",
    );
  });
}

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
