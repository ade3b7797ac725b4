import { sql, type RawBuilder } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import {
  amongWords,
  from,
  fromDay,
  initials,
  is,
  keyword,
  number,
  phone,
  phrase,
  to,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { MONTHLY_PRICE } from "../../listing/room/room.service.ts";
import type { ChoiceKind } from "../choice/choice.rules.ts";
import { listLeads } from "./lead.contract.ts";
import { IDLE_DAYS, IDLING, LAYOUTS, LIVE, type LeadState, type Step } from "./lead.rules.ts";

const listed = (states: readonly string[]) => sql`any(${states as string[]}::text[])`;
const ids = (list: readonly number[]) => sql`${list as number[]}::bigint[]`;

const LIVE_STATES = listed(LIVE);
export const IDLING_STATES = listed(IDLING);

/** A lead is in scope when one of its villages is; whoever lacks authority 1502 sees the own ones and the pool. */
export const visible = (read: Read, villages: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`l.village_ids && ${ids(villages)} and ${
    read.who.permits.has("#1502")
      ? sql`true`
      : sql`(l.owner_id = ${read.who.operatorId} or (l.owner_id is null and l.state = ${LIVE_STATES}))`
  }`;

/** The strictest of its villages decides after how many days without a word a lead falls into the pool. */
const idleDays = sql`(select min(coalesce(s.lead_idle_days, ${sql.lit(IDLE_DAYS)})) from unnest(l.village_ids) u(id)
  left join village_setting s on s.village_id = u.id)`;

/** Days until the pool takes it, 0 and less: this night. Null for what cannot fall. */
export const daysToPool = (read: Read): RawBuilder<number | null> => sql`case
  when l.owner_id is not null and l.state = ${IDLING_STATES} then
    ${idleDays} - (${read.today}::date - (greatest(l.last_follow_at, l.owned_at, l.created_at) at time zone ${read.settings.TIME_ZONE})::date)
  end`;

/** A step is reached by whoever came to it or went past it. */
export const reached = (step: Step): RawBuilder<boolean> =>
  ({
    created: sql<boolean>`true`,
    following: sql<boolean>`coalesce(l.following_at, l.viewed_at, l.reserved_at, l.signed_at) is not null`,
    viewed: sql<boolean>`coalesce(l.viewed_at, l.reserved_at, l.signed_at) is not null`,
    reserved: sql<boolean>`coalesce(l.reserved_at, l.signed_at) is not null`,
    signed: sql<boolean>`l.signed_at is not null`,
  })[step];

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
      and not exists (select 1 from room_held_over h where h.room_id = r.id)
      and (l.kind is null or r.kind = l.kind)
      and (l.layout is null or a.bedrooms = l.layout::int or (l.layout = '4' and a.bedrooms > 4))
      and (l.budget_from is null or ${MONTHLY_PRICE} * 10 >= l.budget_from * 9)
      and (l.budget_to is null or ${MONTHLY_PRICE} * 10 <= l.budget_to * 11)`;
};

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
  matches: number | null;
};

const columns = (
  read: Read,
  also: readonly string[] | undefined,
) => sql<Raw>`l.id, l.number, l.name, l.phone, l.level, l.state, l.kind, l.layout,
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
  l.version, mine.ids "villageIds", mine.names "villageNames",
  ${also?.includes("matches") ? sql`case when l.state not in ('signed', 'lost') then (select count(*) ${matching(read)}) end::int` : sql`null::int`} matches`;

/** Of its villages only those in scope are named. */
export const beside = (read: Read) => sql`left join operator o on o.id = l.owner_id
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
const shown = (row: Raw, read: Read) => {
  const mine = row.ownerId !== null && row.ownerId === read.who.operatorId;
  const layout = row.layout === null ? "" : LAYOUTS[row.layout][0];
  return {
    ...row,
    mine,
    phone: mine ? row.phone : maskPhone(row.phone),
    wish: [row.villageNames, layout, budgetText(row.budgetFrom, row.budgetTo)].filter(Boolean).join(" · "),
  };
};

/** Who looks after it decides who sees it; its villages are those that the caller may see. */
export const leads = listOf(listLeads, {
  id: "l.id",
  from: sql`lead l`,
  scope: (read, filter) => visible(read, villagesOf(read.who, filter.villageIds)),
  where: {
    tab: (tab, read) =>
      ({
        all: undefined,
        mine: sql`l.owner_id = ${read.who.operatorId}`,
        pool: sql`l.owner_id is null and l.state = ${LIVE_STATES}`,
      })[tab],
    state: amongWords("l.state"),
    level: amongWords("l.level"),
    source: is("l.source"),
    channel: is("l.channel_name"),
    agentId: is("l.agent_id"),
    ownerId: is("l.owner_id"),
    lostReason: is("l.lost_reason"),
    nextFrom: from("l.next_follow_day"),
    nextTo: to("l.next_follow_day"),
    createdFrom: fromDay("l.created_at"),
    createdTo: toDay("l.created_at"),
    moveInFrom: from("l.move_in_day"),
    moveInTo: to("l.move_in_day"),
    // a budget fits when the two ranges touch
    budgetFrom: from(sql`coalesce(l.budget_to, l.budget_from)`),
    budgetTo: to(sql`coalesce(l.budget_from, l.budget_to)`),
    reached,
    follow: (_, read) => sql`l.next_follow_day <= ${read.today}::date and l.state = ${LIVE_STATES}`,
    keyword: keyword(phrase("l.name"), number("l.number"), initials("l.pinyin"), phone("l.phone", 15)),
  },
  sort: {
    nextFollowDay: { by: "l.next_follow_day", way: "asc" },
    createdAt: "l.created_at",
    lastFollowAt: "l.last_follow_at",
    moveInDay: "l.move_in_day",
  },
  order: "nextFollowDay",
  columns: (read, asked) => columns(read, asked.also),
  join: (read) => sql`join lead l on l.id = page.id ${beside(read)}`,
  rows: (raws: Raw[], read) => raws.map((row) => shown(row, read)),
});
