import { sql } from "kysely";
import type { z } from "zod";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { roomPricing } from "../room/price.contract.ts";
import { APPROVAL, stateOn } from "./change.queries.ts";

/** A change that waits for approval or is being carried out. */
const WAITS = sql`(c.state = 'submitted' and (e.state = 'approving' or c.queued_at is not null))`;
/** The same, and those that are to come. */
const pending = (read: Read) =>
  sql`(${WAITS} or (c.state = 'scheduled' and c.effective_day > ${read.today}))`;

/** Of two prices for one room and day, the one that is waited for comes first. */
export async function refusePending(read: Read, roomId: number, day: Day, orLater = false): Promise<void> {
  const { rows } = await sql<{ number: string }>`
    select c.number from price_change_line l join price_change c on c.id = l.change_id ${APPROVAL}
    where l.room_id = ${roomId} and not l.skipped and ${pending(read)}
      and (c.effective_day = ${day}::date or (${orLater} and c.effective_day > ${day}::date))
    order by c.id limit 1`.execute(read.tx);
  if (rows[0])
    throw new Refusal("notAllowed", `房间已在调价单 ${rows[0].number} 中，请等它生效、取消或撤回后再改价`);
}

/** A product waits for one new price at a time. */
export async function refuseProductPending(read: Read, productId: number): Promise<void> {
  const { rows } = await sql<{ number: string }>`
    select c.number from price_change c ${APPROVAL}
    where c.product_id = ${productId} and ${WAITS} order by c.id limit 1`.execute(read.tx);
  if (rows[0])
    throw new Refusal("notAllowed", `产品已在调价单 ${rows[0].number} 中，请等它完成或撤回后再调价`);
}

/** How a room is priced, and the change that it waits for. */
export async function pricingOf(read: Read, roomId: number): Promise<z.input<typeof roomPricing.reply>> {
  const { rows } = await sql<z.input<typeof roomPricing.reply>>`
    select r.price_mode "priceMode",
      case when d.id is not null then json_build_object('id', d.id, 'name', d.name) end product,
      (select json_build_object('id', c.id, 'number', c.number, 'state', ${stateOn(read.today)},
          'effectiveDay', c.effective_day, 'newList', l.new_list)
        from price_change_line l join price_change c on c.id = l.change_id ${APPROVAL}
        where l.room_id = r.id and not l.skipped and ${pending(read)}
        order by c.effective_day, c.id limit 1) pending
    from room r left join product d on d.id = r.product_id where r.id = ${roomId}`.execute(read.tx);
  return rows[0]!;
}
