import { sql, type RawBuilder } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { storeKeeper } from "../status/overview.queries.ts";
import { vacantToday } from "../status/status.service.ts";

type Figures = { productId: number; rooms: number; deals: number; rent: Fen };

/** Rooms that follow a product or were let of it within twelve months, store by store. */
const kept = storeKeeper<Figures[]>(async (read, villages) => {
  const { rows } = await sql<Figures & { villageId: number }>`
    select coalesce(r.village_id, d.village_id) "villageId", coalesce(r.product_id, d.product_id) "productId",
      coalesce(r.n, 0) rooms, coalesce(d.n, 0) deals, coalesce(d.rent, 0)::bigint rent
    from (select village_id, product_id, count(*) n from room
      where village_id = ${anyOf(villages)} and product_id is not null and not_retired(retired_day, ${read.today})
      group by 1, 2) r
    full join (select r.village_id, r.product_id, count(*) n, sum(k.monthly_rent) rent ${dealsIn(read, villages)}
      and r.product_id is not null group by 1, 2) d on d.village_id = r.village_id and d.product_id = r.product_id`.execute(
    read.tx,
  );
  return Map.groupBy(rows, (row) => row.villageId);
});

/** Rooms let in the twelve months up to today: what they were signed at. */
export const dealsIn = (read: Read, villages: readonly number[]): RawBuilder<unknown> => sql`
  from contract_room_brief k join contract_brief c on c.id = k.contract_id join room r on r.id = k.room_id
  where r.village_id = ${anyOf(villages)} and c.signed_on <= ${read.today}
    and c.signed_on > (${read.today}::date - interval '12 months')
    and c.state not in ('draft', 'approving', 'signing', 'voided')`;

type Shown = { id: number; rooms: number; vacant: number; average: Fen | null };

/** What the list says of products, over these stores: rooms, empty ones, average rent signed. */
export async function productFigures(read: Read, villages: readonly number[]): Promise<Shown[]> {
  const [stores, vacant] = await Promise.all([kept(read, villages), vacantToday(read, villages)]);
  const of = new Map<number, { rooms: number; deals: number; rent: Fen }>();
  for (const { productId, rooms, deals, rent } of [...stores.values()].flat()) {
    const sums = of.get(productId) ?? { rooms: 0, deals: 0, rent: 0 };
    of.set(productId, { rooms: sums.rooms + rooms, deals: sums.deals + deals, rent: sums.rent + rent });
  }
  return [...of].map(([id, { rooms, deals, rent }]) => ({
    id,
    rooms,
    vacant: vacant.get(id) ?? 0,
    average: deals ? Math.round(rent / deals) : null,
  }));
}

/** The same joined to `product d`. */
export const joinFigures = async (read: Read, villages: readonly number[]): Promise<RawBuilder<unknown>> =>
  sql`left join json_to_recordset(${JSON.stringify(await productFigures(read, villages))}::json)
    as n(id bigint, rooms bigint, vacant bigint) on n.id = d.id`;
