import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Channel } from "../channel/channel.queries.ts";
import type { Facts, Leaf } from "../channel/listing.rules.ts";

type Row = Omit<Facts, "leaves" | "contact" | "village" | "own"> & {
  isLeaf: boolean;
  parentRoomId: number | null;
  villageName: string;
  address: string;
  villageOpen: boolean;
  lng: string | null;
  lat: string | null;
  phone: string;
  contactName: string;
  occupancy: Leaf["occupancy"] | null;
  condition: Leaf["condition"] | null;
  until: Day | null;
  nextFrom: Day | null;
  name: string;
  ownTitle: string | null;
  ownDescription: string | null;
  ownPictures: number[] | null;
  listingHold: string | null;
};

/**
 * What a channel would show of the rooms of some flats, or of all its stores: as they stand today, read in one
 * statement. Rooms of a flat are looked at together, because a whole flat is free when all of its rooms are.
 */
export async function factsOf(
  act: Read,
  channel: Channel,
  villageId: number,
  apartmentIds?: readonly number[],
): Promise<Facts[]> {
  const only = (apartmentIds ?? null) as number[] | null;
  const { rows } = await sql<Row>`
    select r.id "roomId", r.village_id "villageId", r.full_name "fullName", r.name, r.kind, r.product_id "productId",
      r.is_leaf "isLeaf", r.parent_room_id "parentRoomId", v.name "villageName", v.address, v.state = 'open' "villageOpen",
      v.lng::text lng, v.lat::text lat, f.name floor, a.bedrooms, a.halls, a.baths, r.area::text area,
      coalesce(nullif(r.orientation, ''), a.orientation) orientation, r.facilities, r.description,
      coalesce((select array_agg(i.file_id order by i.sort, i.id) from room_picture i where i.room_id = r.id),
        (select array_agg(i.file_id order by i.sort, i.id) from product_picture i where i.product_id = r.product_id), '{}') pictures,
      p.list_price price, p.unit, coalesce(d.pay_plans, '[]') "payPlans",
      case when ${channel.phone} = 'manager' then coalesce(o.phone, v.phone) else v.phone end phone,
      case when ${channel.phone} = 'manager' then coalesce(o.real_name, v.name) else v.name end "contactName",
      case when r.publish_hold then r.hold_reason else '' end hold, l.hold_reason "listingHold",
      l.title "ownTitle", l.description "ownDescription", l.pictures "ownPictures",
      n.occupancy, n.condition, n.until, n.next_from "nextFrom"
    from room r join apartment a on a.id = r.apartment_id join village v on v.id = r.village_id
    join floor f on f.id = a.floor_id left join operator o on o.id = v.manager_id
    left join product d on d.id = r.product_id
    left join lateral (select list_price, unit from room_price x where x.room_id = r.id and x.effective_day <= ${act.today}
      order by x.effective_day desc limit 1) p on true
    left join listing l on l.room_id = r.id and l.channel_id = ${channel.id}
    left join room_status_at(${act.today}, ${act.today}, array[${villageId}::bigint],
      case when ${only}::bigint[] is null then null
        else array(select id from room where apartment_id = any(${only}::bigint[])) end) n on n.room_id = r.id
    where r.village_id = ${villageId} and (${only}::bigint[] is null or r.apartment_id = any(${only}::bigint[]))
      and r.first_day <= ${act.today} and not_retired(r.retired_day, ${act.today})
    order by r.id`.execute(act.tx);
  const below = Map.groupBy(rows, (row) => row.parentRoomId);
  return rows.map((row) => factOf(row, leavesOf(row, below)));
}

function leavesOf(row: Row, below: ReadonlyMap<number | null, Row[]>): Leaf[] {
  if (!row.isLeaf) return (below.get(row.roomId) ?? []).flatMap((child) => leavesOf(child, below));
  const { name, occupancy, condition, until, nextFrom } = row;
  return occupancy && condition ? [{ name, occupancy, condition, until, nextFrom }] : [];
}

function factOf(row: Row, leaves: Leaf[]): Facts {
  const { villageName, address, villageOpen, lng, lat, phone, contactName } = row;
  return {
    ...row,
    village: {
      name: villageName,
      address,
      open: villageOpen,
      lng: lng === null ? null : Number(lng),
      lat: lat === null ? null : Number(lat),
    },
    contact: { name: contactName, phone },
    hold: row.hold || row.listingHold || "",
    leaves,
    own: { title: row.ownTitle, description: row.ownDescription, pictures: row.ownPictures },
  };
}

/** Flats whose rooms changed since a channel looked last; a change that commits late is looked at again for a while. */
export async function changedFlats(
  act: Act,
  { villageIds, seenSeq }: Channel,
): Promise<{ seq: number; flats: Map<number, number[]> }> {
  const { rows } = await sql<{ villageId: number; apartmentId: number; seq: number }>`
    select r.village_id "villageId", r.apartment_id "apartmentId", max(c.seq) seq
    from room_change c join room r on r.id = c.room_id
    where c.village_id = any(${villageIds}::bigint[])
      and (c.seq > ${seenSeq} or c.at > now() - interval '5 minutes')
    group by 1, 2 order by 1, 2`.execute(act.tx);
  const flats = new Map<number, number[]>();
  for (const { villageId, apartmentId } of rows)
    flats.set(villageId, [...(flats.get(villageId) ?? []), apartmentId]);
  return { seq: rows.reduce((most, row) => Math.max(most, row.seq), seenSeq), flats };
}
