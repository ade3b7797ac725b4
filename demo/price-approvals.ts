import { proposeGiven } from "../domains/listing/pricing/given.service.ts";
import { priceAt } from "../domains/listing/room/room.service.ts";
import { addDays, type Day } from "../platform/kernel/day.ts";
import type { Database } from "../platform/server/database/database.ts";
import { acting } from "./acting.ts";

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
