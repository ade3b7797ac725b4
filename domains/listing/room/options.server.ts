import { sql } from "kysely";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { part } from "../../../platform/server/lists/conditions.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { roomOptions } from "./options.contract.ts";
import { priceAt } from "./room.service.ts";
import { layoutText, type PriceUnit, type RoomKind, BLOCK_REASONS, wordOf } from "./words.rules.ts";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

type Row = {
  id: number;
  fullName: string;
  name: string;
  villageId: number;
  buildingName: string;
  unitName: string | null;
  floorName: string;
  floorNumber: number;
  apartmentId: number;
  kind: RoomKind;
  isLeaf: boolean;
  bedrooms: number;
  halls: number;
  baths: number;
  area: string;
  orientation: string;
  capacity: number;
  productId: number | null;
};

type Obstacle = {
  id: number;
  leaf: string;
  isLeaf: boolean;
  retired: Day | null;
  begins: Day | null;
  villageClosed: boolean;
  heldOver: string | null;
  reason: string | null;
  from: Day | null;
  to: Day | null;
  by: string | null;
};

/**
 * Why rooms cannot be taken from a day to a day (null = open end): the sentence by room id; rooms that are free are
 * missing. A whole flat is judged by every leaf below it. It only tells: the timeline's constraint decides.
 */
export async function whyTaken(
  read: Read,
  roomIds: readonly number[],
  from: Day,
  to: Day | null,
  { contractId = 0, partyId = 0 }: { contractId?: number | undefined; partyId?: number | undefined } = {},
): Promise<Map<number, string>> {
  const period = `[${from},${to ? addDays(to, 1) : ""})`;
  const { rows } = await sql<Obstacle>`
    with recursive below as (
      select r.id top, r.id, r.full_name, r.is_leaf, r.retired_day, r.first_day, r.village_id from room r where r.id = ${anyOf(roomIds)}
      union all
      select b.top, r.id, r.full_name, r.is_leaf, r.retired_day, r.first_day, r.village_id from room r join below b on r.parent_room_id = b.id),
    leaf as (select * from below where is_leaf),
    here as (select array(select distinct village_id from leaf) ids),
    -- what stands on the timelines in the period, the earliest of each room
    taken as (
      select distinct on (x.room_id) x.room_id, x.contract_id, x.block_id, x.reservation_id, lower(x.period) "from", upper(x.period) - 1 "to"
      from occupancy_row x, here
      where x.village_id = any (here.ids) and x.period && ${period}::daterange and x.room_id in (select id from leaf)
        and x.contract_id is distinct from ${contractId}
        ${
          partyId
            ? sql`and not exists (select from reservation_brief y
                where y.id = x.reservation_id and y.party_id = ${partyId} and y.state = 'held')`
            : sql``
        }
      order by x.room_id, lower(x.period)),
    over as (
      select distinct on (x.room_id) x.room_id, x.contract_no
      from room_held_over x join here on x.village_id = any (here.ids)
      where x.contract_id <> ${contractId} and x.room_id in (select id from leaf)
      order by x.room_id)
    select distinct on (l.top) l.top id, l.full_name leaf, l.id = l.top "isLeaf",
      case when l.retired_day < coalesce(upper(${period}::daterange), 'infinity') then l.retired_day end retired,
      case when l.first_day > ${from} then l.first_day end begins,
      v.state = 'closed' and v.closed_day < coalesce(upper(${period}::daterange), 'infinity') "villageClosed",
      h.contract_no "heldOver", k.reason, o.from, o.to, coalesce(c.contract_no, k.number, y.number) "by"
    from leaf l join village v on v.id = l.village_id
    left join over h on h.room_id = l.id
    left join taken o on o.room_id = l.id
    left join contract_brief c on c.id = o.contract_id left join room_block k on k.id = o.block_id
    left join reservation_brief y on y.id = o.reservation_id
    where v.state = 'closed' or l.first_day > ${from} or h.contract_no is not null or o.from is not null
      or l.retired_day < coalesce(upper(${period}::daterange), 'infinity')
    order by l.top, l.id`.execute(read.tx);
  const why = new Map<number, string>();
  for (const row of rows) {
    const sentence = sentenceOf(row);
    if (sentence) why.set(row.id, row.isLeaf ? sentence : `${row.leaf} ${sentence}`);
  }
  return why;
}

function sentenceOf(o: Obstacle): string | undefined {
  if (o.villageClosed) return "门店已停业";
  if (o.retired) return `已注销（${o.retired} 起）`;
  if (o.heldOver) return `${o.heldOver} 到期未退，请先登记退房`;
  if (o.begins) return `${o.begins} 起可出租`;
  if (!o.from) return undefined;
  const span = `${o.from} 至 ${o.to ?? "未定"}`;
  return o.reason ? `${span} ${wordOf(BLOCK_REASONS, o.reason)}中（${o.by}）` : `${span} 已被 ${o.by} 占用`;
}

/** So many rooms are judged to find those that are free. */
const MOST = 5000;

export default [
  serveRead(roomOptions, async (read, { query: q }) => {
    if (q.from && q.to && q.to < q.from) throw invalid({ field: "to", msg: "结束日不能早于开始日" });
    const from = q.from ?? read.today;
    const villages = villagesOf(read.who, q.villageId ? [q.villageId] : undefined);
    const { rows } = await sql<Row>`
      select r.id, r.full_name "fullName", r.name, r.village_id "villageId", b.name "buildingName", u.name "unitName",
        f.name "floorName", f.number "floorNumber", r.apartment_id "apartmentId", r.kind, r.is_leaf "isLeaf",
        a.bedrooms, a.halls, a.baths, r.area, coalesce(nullif(r.orientation, ''), a.orientation) orientation,
        r.capacity, r.product_id "productId"
      from room r join apartment a on a.id = r.apartment_id join building b on b.id = a.building_id
      left join unit u on u.id = a.unit_id join floor f on f.id = a.floor_id
      where r.village_id = ${anyOf(villages)}
        and not_retired(r.retired_day, ${from})
        ${q.ids?.length ? sql`and r.id = ${anyOf(q.ids)}` : sql``}
        ${q.buildingId ? sql`and a.building_id = ${q.buildingId}` : sql``}
        ${q.kind ? sql`and r.kind = ${q.kind}` : sql``}
        ${q.use ? sql`and (r.kind = 'shop') = ${q.use === "shop"} and r.kind not in ('parking', 'storage')` : sql``}
        ${q.keyword ? sql`and ${part("r.full_name", "r.pinyin")(q.keyword)}` : sql``}
      order by r.village_id, r.place, r.id limit ${q.onlyFree === "1" ? MOST : q.limit}`.execute(read.tx);
    const idsOf = (some: readonly Row[]) => some.map((r) => r.id);
    const why = await whyTaken(read, idsOf(rows), from, q.from ? (q.to ?? null) : from, q);
    const shown = q.onlyFree === "1" ? rows.filter((r) => !why.has(r.id)).slice(0, q.limit) : rows;
    const prices = await priceAt(read, idsOf(shown), from);
    const seesLowest = read.who.permits.has("#601");
    return shown.map(({ bedrooms, halls, baths, ...row }) => {
      const price = prices.get(row.id);
      return {
        ...row,
        layout: layoutText({ bedrooms, halls, baths }),
        listPrice: price?.listPrice ?? null,
        ...(seesLowest && { lowestPrice: price?.lowestPrice ?? null }),
        priceUnit: (price?.unit ?? null) as PriceUnit | null,
        free: !why.has(row.id),
        why: why.get(row.id) ?? null,
      };
    });
  }),
];
