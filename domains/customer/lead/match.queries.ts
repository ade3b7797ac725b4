import { sql, type RawBuilder } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { visible } from "./lead-filter.queries.ts";
import { layoutText, type PriceUnit, type RoomKind } from "../../listing/room/words.rules.ts";

/** A price by the day or by area as rent of a month, as budgets are; a month has 365 ÷ 12 days. */
const MONTHLY = sql`(p.list_price * case p.unit when 'month' then 1 when 'day' then 365 / 12.0 else r.area * 365 / 12.0 end)`;

/**
 * Rooms that suit lead `l`: in one of its villages that is in scope, free on the wished day, of the wished kind and
 * size, and priced within the budget give or take a tenth. The count of the list and the tab are this one text.
 */
export const matching = (read: Read): RawBuilder<unknown> => {
  const day = sql`greatest(l.move_in_day, ${read.today}::date)`;
  return sql`from room r join apartment a on a.id = r.apartment_id join village g on g.id = r.village_id
    left join lateral (select q.list_price, q.unit from room_price q
      where q.room_id = r.id and q.effective_day <= ${day} order by q.effective_day desc limit 1) p on true
    where r.is_leaf and r.village_id = any(l.village_ids)
      and r.village_id = any(${read.who.villages as number[]}::bigint[]) and g.state <> 'closed'
      and r.first_day <= ${day} and not_retired(r.retired_day, ${day})
      and not exists (select 1 from occupancy_row o where o.room_id = r.id and o.period @> ${day})
      and not exists (select 1 from occupancy_row o join contract_brief c on c.id = o.contract_id
        where o.room_id = r.id and c.state = 'expired'
          and not exists (select 1 from room_leaving w where w.room_id = r.id and w.contract_id = c.id and not w.withdrawn))
      and (l.kind is null or r.kind = l.kind)
      and (l.layout is null or a.bedrooms = l.layout::int or (l.layout = '4' and a.bedrooms > 4))
      and (l.budget_from is null or ${MONTHLY} * 10 >= l.budget_from * 9)
      and (l.budget_to is null or ${MONTHLY} * 10 <= l.budget_to * 11)`;
};

/** How many rooms suit each of these leads, of those that may be seen and still look for one; at most the largest page. */
export async function matchCounts(
  read: Read,
  ids: readonly number[],
): Promise<{ id: number; rooms: number }[]> {
  const { rows } = await sql<{ id: number; rooms: number }>`
    select l.id, (select count(*)::int ${matching(read)}) rooms from lead l
    where l.id = any(${ids as number[]}::bigint[]) and ${visible(read, read.who.villages)}
      and l.state not in ('signed', 'lost') limit 200`.execute(read.tx);
  return rows;
}

/** The first hundred, the cheapest first. */
export async function matchesOf(read: Read, id: number) {
  const { rows } = await sql<{
    id: number;
    villageId: number;
    fullName: string;
    kind: RoomKind;
    bedrooms: number;
    halls: number;
    baths: number;
    area: string;
    orientation: string;
    listPrice: number | null;
    unit: PriceUnit | null;
  }>`select m.* from lead l cross join lateral (
      select r.id, r.village_id "villageId", r.full_name "fullName", r.kind, a.bedrooms, a.halls, a.baths, r.area::text area,
        coalesce(nullif(r.orientation, ''), a.orientation) orientation, p.list_price "listPrice", p.unit, ${MONTHLY} monthly, r.place
      ${matching(read)}) m
    where l.id = ${id} order by m.monthly nulls last, m.place, m.id limit 100`.execute(read.tx);
  return rows.map(({ bedrooms, halls, baths, ...room }) => ({
    ...room,
    layout: layoutText({ bedrooms, halls, baths }),
  }));
}
