import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { followProducts } from "../room/product-price.service.ts";

/**
 * Rooms that followed their product until the change that is rolled back follow it again from the day on that their price is back,
 * where the product asks just that and nothing else was set for them.
 */
export async function followAgain(
  act: Act,
  { id, undoOf }: { id: number; undoOf: number | null },
): Promise<void> {
  if (undoOf === null) return;
  const { rows } = await sql<{ id: number }>`
    update room r set price_mode = 'follow', version = r.version + 1, updated_at = ${act.now.toISOString()}
    from price_change_line l, price_change_line u, product d
    where l.change_id = ${id} and not l.skipped and not l.edited and r.id = l.room_id and r.price_mode = 'own'
      and u.change_id = ${undoOf} and u.room_id = r.id and u.followed and not u.by_product and not u.skipped
      and d.id = r.product_id and d.price_unit = l.unit
      and (l.new_list, l.new_lowest) = (
        select x.list_price, x.lowest_price from product_price x
        where x.product_id = d.id and (x.village_id is null or x.village_id = r.village_id)
          and x.effective_day = (select max(y.effective_day) from product_price y
            where y.product_id = d.id and y.effective_day <= ${act.today})
        order by x.village_id nulls last limit 1)
      and exists (select from room_price p where p.room_id = r.id and p.source = 'batch' and p.source_id = ${id})
      and not exists (select from room_price p where p.room_id = r.id and p.effective_day > ${act.today})
    returning r.id`.execute(act.tx);
  await followProducts(
    act,
    rows.map((room) => room.id),
  );
}
