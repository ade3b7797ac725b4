import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { yuan } from "../../../platform/kernel/fen.ts";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { type PriceUnit, type RoomKind, layoutText } from "../../listing/room/words.rules.ts";
import type { ChoiceKind } from "../choice/choice.rules.ts";
import { type Owner, ownersOf } from "../record/owners.queries.ts";
import { daysToPool, leadsWhere, visible } from "./lead-filter.queries.ts";
import type { LeadFilter, listLeads } from "./lead.contract.ts";
import { LAYOUTS, type LeadState } from "./lead.rules.ts";
import type { Share } from "./share.rules.ts";

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

type ListQuery = z.output<typeof listLeads.query>;
type Kind = "whole" | "room" | "bed" | "shop" | "parking" | "storage";
type Raw = {
  id: number;
  number: string;
  name: string;
  phone: string;
  level: "A" | "B" | "C";
  state: LeadState;
  villageIds: number[];
  villageNames: string;
  kind: Kind | null;
  layout: keyof typeof LAYOUTS | null;
  budgetFrom: number | null;
  budgetTo: number | null;
  moveInDay: string | null;
  source: string;
  sourceName: string;
  channelName: string;
  agentName: string;
  agentId: number | null;
  tags: string[];
  ownerId: number | null;
  ownerName: string;
  lastFollowAt: string | null;
  lastWords: string;
  nextFollowDay: string | null;
  daysToPool: number | null;
  createdAt: string;
  lostReason: string;
  signsAs: ChoiceKind;
  version: number;
};

const SORTS = {
  nextFollowDay: sql`l.next_follow_day`,
  createdAt: sql`l.created_at`,
  lastFollowAt: sql`l.last_follow_at`,
  moveInDay: sql`l.move_in_day`,
} as const;

const columns = (read: Read) => sql`l.id, l.number, l.name, l.phone, l.level, l.state, l.kind, l.layout,
  l.budget_from "budgetFrom", l.budget_to "budgetTo", l.move_in_day "moveInDay", l.source,
  coalesce((select d.name from dic_item d where d.enterprise_id = l.enterprise_id and d.kind = 'customer'
    and d.group_key = 'source' and d.code = l.source), l.source) "sourceName",
  l.channel_name "channelName", l.tags, coalesce((select a.name from agent a where a.id = l.agent_id), l.agent_name) "agentName",
  coalesce((select left(e.content, 100) from lead_event e where e.lead_id = l.id and e.kind <> 'system'
    order by e.id desc limit 1), '') "lastWords",
  l.agent_id "agentId", l.owner_id "ownerId", coalesce(o.real_name, '') "ownerName",
  l.last_follow_at "lastFollowAt", l.next_follow_day "nextFollowDay", ${daysToPool(read)}::int "daysToPool",
  l.created_at "createdAt", l.lost_reason "lostReason",
  case when l.company_id is not null then 'company' when l.merchant_id is not null then 'merchant' else 'renter' end "signsAs",
  l.version, mine.ids "villageIds", mine.names "villageNames"`;

/** Of its villages only those in scope are named. */
const beside = (read: Read) => sql`left join operator o on o.id = l.owner_id
  cross join lateral (select coalesce(array_agg(v.id order by v.id), '{}') ids,
      coalesce(string_agg(v.name, '、' order by v.id), '') names
    from village v where v.id = any(l.village_ids) and v.id = any(${read.who.villages as number[]}::bigint[])) mine`;

/** Budgets are round: two noughts would only push them out of sight. */
const round = (fen: number): string => yuan(fen).replace(/\.00$/, "");
const budgetText = (from: number | null, to: number | null): string => {
  if (from !== null && to !== null) return `${round(from)}~${round(to)} 元`;
  if (from !== null) return `${round(from)} 元起`;
  return to === null ? "" : `${round(to)} 元内`;
};

/** As screens show it: the phone whole only to whoever owns the lead. */
export const shown = (row: Raw, read: Read) => {
  const mine = row.ownerId !== null && row.ownerId === read.who.operatorId;
  const layout = row.layout === null ? "" : LAYOUTS[row.layout][0];
  return {
    ...row,
    mine,
    phone: mine ? row.phone : maskPhone(row.phone),
    wish: [row.villageNames, layout, budgetText(row.budgetFrom, row.budgetTo)].filter(Boolean).join(" · "),
  };
};

const orderOf = ({ sort, order }: ListQuery): RawBuilder<unknown> => {
  if (!sort) return sql`order by l.next_follow_day nulls last, l.id desc`;
  return sql`order by ${SORTS[sort]} ${sql.raw(order ?? (sort === "nextFollowDay" ? "asc" : "desc"))} nulls last, l.id desc`;
};

const count = async (read: Read, query: LeadFilter): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int n ${leadsWhere(read, query)}`.execute(read.tx)).rows[0]!.n;

export async function leadList(read: Read, query: ListQuery) {
  const [list, total] = await Promise.all([
    query.want === "totals" ? [] : page(read, query),
    query.want === "rows" ? null : count(read, query),
  ]);
  return { list, total };
}

async function page(read: Read, query: ListQuery) {
  const counted = query.also?.includes("matches")
    ? sql`case when l.state not in ('signed', 'lost') then (select count(*) ${matching(read)}) end::int`
    : sql`null::int`;
  const { rows } = await sql<Raw & { matches: number | null }>`
    with f as (select l.id, row_number() over (${orderOf(query)}) place ${leadsWhere(read, query)}
      ${orderOf(query)} ${pageEnd(query)})
    select ${columns(read)}, ${counted} matches from f join lead l on l.id = f.id ${beside(read)} order by f.place`.execute(
    read.tx,
  );
  return rows.map((row) => ({ ...shown(row, read), matches: row.matches }));
}

/** How many of each state a filter names, and all. */
export async function countsOf(read: Read, query: Omit<LeadFilter, "state">) {
  const { rows } = await sql<{ state: string; n: number }>`
    select l.state, count(*)::int n ${leadsWhere(read, query)} group by 1`.execute(read.tx);
  return {
    all: rows.reduce((sum, row) => sum + row.n, 0),
    ...Object.fromEntries(rows.map((row) => [row.state, row.n])),
  };
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
  const { rows } = await sql<
    Raw & {
      matches: number;
      gender: "male" | "female" | null;
      termMonths: number | null;
      people: number | null;
      remark: string;
      lostNote: string;
      creatorName: string;
      partyId: number | null;
      partyKind: ChoiceKind | null;
      partyName: string | null;
    }
  >`select ${columns(read)},
      case when l.state in ('signed', 'lost') then 0 else (select count(*) ${matching(read)}) end::int matches, l.gender, l.term_months "termMonths", l.people, l.remark, l.lost_note "lostNote",
      coalesce(c.real_name, '系统') "creatorName", known.id "partyId", known.kind "partyKind", known.name "partyName"
    from lead l ${beside(read)} left join operator c on c.id = l.created_by
    left join lateral (select p.id, p.kind, p.name from party p
      where p.id = coalesce(l.renter_id, l.company_id, l.merchant_id) and exists (select 1 from party_village w
      where w.party_id = p.id and w.village_id = any(${read.who.villages as number[]}::bigint[]))) known on true
    where l.id = ${id} and ${visible(read, read.who.villages)}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return shown(rows[0], read) as ReturnType<typeof shown> & (typeof rows)[0];
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
  const consultant = await read.tx
    .selectFrom("operator")
    .select(["realName", "phone"])
    .where("id", "=", lead.ownerId ?? read.who.operatorId)
    .executeTakeFirstOrThrow();
  const { bedrooms, halls, baths, ...room } = row;
  return {
    ...room,
    layout: layoutText({ bedrooms, halls, baths }),
    consultantName: consultant.realName,
    consultantPhone: consultant.phone ?? "",
  };
}
