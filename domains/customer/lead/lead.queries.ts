import { type RawBuilder, sql } from "kysely";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { type PriceUnit, type RoomKind, layoutText } from "../../listing/room/words.rules.ts";
import type { ChoiceKind } from "../choice/choice.rules.ts";
import { type Owner, ownersOf } from "../record/owners.queries.ts";
import { MONTHLY_PRICE } from "../../listing/room/room.service.ts";
import { beside, leads, matching, visible } from "./lead-list.queries.ts";
import type { LAYOUTS, LeadState } from "./lead.rules.ts";
import type { Share } from "./share.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";

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
        coalesce(nullif(r.orientation, ''), a.orientation) orientation, p.list_price "listPrice", p.unit, ${MONTHLY_PRICE} monthly, r.place
      ${matching(read)}) m
    where l.id = ${id} order by m.monthly nulls last, m.place, m.id limit 100`.execute(read.tx);
  return rows.map(({ bedrooms, halls, baths, ...room }) => ({
    ...room,
    layout: layoutText({ bedrooms, halls, baths }),
  }));
}

/** The record when it may be seen. */
export const seenLead = (read: Read, id: number) => oneLead(read, id, visible(read, read.who.villages));

/** The same when it lies in scope, whoever owns it. */
export const leadInScope = (read: Read, id: number) =>
  oneLead(read, id, sql`l.village_ids && ${read.who.villages as number[]}::bigint[]`);

async function oneLead(read: Read, id: number, where: RawBuilder<unknown>) {
  const { rows } = await sql<{
    id: number;
    number: string;
    name: string;
    phone: string;
    enterpriseId: number;
    state: LeadState;
    source: string;
    ownerId: number | null;
    ownerName: string;
    villageIds: number[];
    agentId: number | null;
    agentName: string;
    partyId: number | null;
    partyKind: ChoiceKind | null;
    lostReason: string;
    createdAt: string;
    createdBy: number | null;
    version: number;
  }>`select l.id, l.number, l.name, l.phone, l.enterprise_id "enterpriseId", l.state, l.source, l.owner_id "ownerId",
      coalesce(o.real_name, '') "ownerName", l.village_ids "villageIds", l.agent_id "agentId", l.agent_name "agentName", l.lost_reason "lostReason",
      coalesce(l.renter_id, l.company_id, l.merchant_id) "partyId", case when l.renter_id is not null then 'renter'
        when l.company_id is not null then 'company' when l.merchant_id is not null then 'merchant' end "partyKind",
      l.created_at "createdAt", l.created_by "createdBy", l.version
    from lead l left join operator o on o.id = l.owner_id
    where l.id = ${id} and ${where}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return rows[0];
}
export type SeenLead = Awaited<ReturnType<typeof seenLead>>;

export async function leadDetail(read: Read, id: number) {
  const [row, { rows }] = await Promise.all([
    leads.one(read, id),
    sql<{
      matches: number;
      villageIds: number[];
      villageNames: string;
      kind: RoomKind | null;
      layout: keyof typeof LAYOUTS | null;
      budgetFrom: number | null;
      budgetTo: number | null;
      gender: "male" | "female" | null;
      termMonths: number | null;
      people: number | null;
      remark: string;
      lostNote: string;
      creatorName: string;
      partyId: number | null;
      partyKind: ChoiceKind | null;
      partyName: string | null;
    }>`
      select case when l.state in ('signed', 'lost') then 0 else (select count(*) ${matching(read)}) end::int matches,
        mine.ids "villageIds", mine.names "villageNames", l.kind, l.layout, l.budget_from "budgetFrom", l.budget_to "budgetTo",
        l.gender, l.term_months "termMonths", l.people, l.remark, l.lost_note "lostNote",
        coalesce(c.real_name, '系统') "creatorName", known.id "partyId", known.kind "partyKind", known.name "partyName"
      from lead l ${beside(read)} left join operator c on c.id = l.created_by
      left join lateral (select p.id, p.kind, p.name from party p
        where p.id = coalesce(l.renter_id, l.company_id, l.merchant_id) and exists (select 1 from party_village w
        where w.party_id = p.id and w.village_id = any(${read.who.villages as number[]}::bigint[]))) known on true
      where l.id = ${id}`.execute(read.tx),
  ]);
  return { ...row, ...rows[0]! };
}

export async function eventsOf(read: Read, id: number) {
  await seenLead(read, id);
  return read.tx
    .selectFrom("leadEvent as e")
    .leftJoin("operator as o", "o.id", "e.operatorId")
    .select(["e.id", "e.kind", "e.content", "e.nextFollowDay", "e.at", "o.realName"])
    .where("e.leadId", "=", id)
    .orderBy("e.id", "desc")
    .limit(500)
    .execute();
}

export async function ownerOf(read: Read, id: number): Promise<Owner> {
  const owner = (await ownersOf(read)).find((each) => each.id === id);
  if (!owner) throw invalid({ field: "ownerId", msg: "该员工不能负责客源" });
  return owner;
}

/** Channels that enquiries of the caller's villages came by. */
export async function channelsOf(read: Read): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct l.channel_name name from lead l
    where l.enterprise_id = ${read.who.enterpriseId} and l.channel_name <> ''
      and l.village_ids && ${read.who.villages as number[]}::bigint[]
    order by 1 limit 100`.execute(read.tx);
  return rows.map((row) => row.name);
}

type Row = Omit<Share, "layout" | "consultantName" | "consultantPhone"> & {
  bedrooms: number;
  halls: number;
  baths: number;
  pictures: number[];
};

/** A room of the lead's stores as a customer may see it; the consultant is whoever looks after the lead. */
export async function shareOf(read: Read, id: number, roomId: number) {
  const lead = await seenLead(read, id);
  const { rows } = await sql<Row>`
    select v.name "storeName", v.address, r.kind, a.bedrooms, a.halls, a.baths, r.area::text area,
      coalesce(nullif(r.orientation, ''), a.orientation) orientation, p.list_price "listPrice", p.unit,
      greatest(l.move_in_day, ${read.today}::date) "freeFrom",
      coalesce((select array_agg(i.file_id order by i.sort, i.id) from room_picture i where i.room_id = r.id),
        (select array_agg(i.file_id order by i.sort, i.id) from product_picture i where i.product_id = r.product_id), '{}') pictures
    from lead l join room r on r.village_id = any(l.village_ids) join apartment a on a.id = r.apartment_id
    join village v on v.id = r.village_id
    left join lateral (select q.list_price, q.unit from room_price q
      where q.room_id = r.id and q.effective_day <= greatest(l.move_in_day, ${read.today}::date)
      order by q.effective_day desc limit 1) p on true
    where l.id = ${id} and r.id = ${roomId} and r.village_id = any(${read.who.villages as number[]}::bigint[])`.execute(
    read.tx,
  );
  const [row] = rows;
  if (!row) throw notFound();
  const consultant = await theRow(read, "operator", ["realName", "phone"], {
    id: lead.ownerId ?? read.who.operatorId,
  });
  const { bedrooms, halls, baths, ...room } = row;
  return {
    ...room,
    layout: layoutText({ bedrooms, halls, baths }),
    consultantName: consultant.realName,
    consultantPhone: consultant.phone ?? "",
  };
}
