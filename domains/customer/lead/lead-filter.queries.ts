import { sql, type RawBuilder } from "kysely";
import { beginning, containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { LeadFilter } from "./lead.contract.ts";
import { IDLE_DAYS, IDLING, LIVE, type Step } from "./lead.rules.ts";

const listed = (states: readonly string[]) => sql`any(${states as string[]}::text[])`;
const ids = (list: readonly number[]) => sql`${list as number[]}::bigint[]`;

export const LIVE_STATES = listed(LIVE);
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

function keyword(text: string): RawBuilder<unknown> {
  const found = [sql`l.name ilike ${containing(text)}`, sql`l.number ilike ${beginning(text)}`];
  if (/^[A-Za-z]+$/.test(text)) found.push(sql`l.pinyin like ${`${text.toLowerCase()}%`}`);
  if (/^\d{11,15}$/.test(text)) found.push(sql`l.phone = ${text}`);
  if (/^\d{4}$/.test(text)) found.push(sql`right(l.phone, 4) = ${text}`);
  return sql`(${sql.join(found, sql` or `)})`;
}

const within = (column: RawBuilder<unknown>, from: string | undefined, to: string | undefined) => [
  ...(from ? [sql`${column} >= ${from}::date`] : []),
  ...(to ? [sql`${column} <= ${to}::date`] : []),
];

/** A step is reached by whoever came to it or went past it. */
export const reached = (step: Step): RawBuilder<boolean> =>
  ({
    created: sql<boolean>`true`,
    following: sql<boolean>`coalesce(l.following_at, l.viewed_at, l.reserved_at, l.signed_at) is not null`,
    viewed: sql<boolean>`coalesce(l.viewed_at, l.reserved_at, l.signed_at) is not null`,
    reserved: sql<boolean>`coalesce(l.reserved_at, l.signed_at) is not null`,
    signed: sql<boolean>`l.signed_at is not null`,
  })[step];

/** `from lead l where …` of what a filter names. */
export function leadsWhere(read: Read, f: LeadFilter): RawBuilder<unknown> {
  const any = (column: RawBuilder<unknown>, list: readonly string[] | undefined) =>
    list?.length ? [sql`${column} = ${listed(list)}`] : [];
  const created = sql`(l.created_at at time zone ${read.settings.TIME_ZONE})::date`;
  const conditions = [
    visible(read, villagesOf(read.who, f.villageIds)),
    ...(f.tab === "mine" ? [sql`l.owner_id = ${read.who.operatorId}`] : []),
    ...(f.tab === "pool" ? [sql`l.owner_id is null and l.state = ${LIVE_STATES}`] : []),
    ...any(sql`l.state`, f.state),
    ...any(sql`l.level`, f.level),
    ...(f.source ? [sql`l.source = ${f.source}`] : []),
    ...(f.channel ? [sql`l.channel_name = ${f.channel}`] : []),
    ...(f.agentId ? [sql`l.agent_id = ${f.agentId}`] : []),
    ...(f.ownerId ? [sql`l.owner_id = ${f.ownerId}`] : []),
    ...(f.lostReason ? [sql`l.lost_reason = ${f.lostReason}`] : []),
    ...within(sql`l.next_follow_day`, f.nextFrom, f.nextTo),
    ...within(created, f.createdFrom, f.createdTo),
    ...within(sql`l.move_in_day`, f.moveInFrom, f.moveInTo),
    // a budget fits when the two ranges touch
    ...(f.budgetFrom !== undefined ? [sql`coalesce(l.budget_to, l.budget_from) >= ${f.budgetFrom}`] : []),
    ...(f.budgetTo !== undefined ? [sql`coalesce(l.budget_from, l.budget_to) <= ${f.budgetTo}`] : []),
    ...(f.reached ? [reached(f.reached)] : []),
    ...(f.follow ? [sql`l.next_follow_day <= ${read.today}::date and l.state = ${LIVE_STATES}`] : []),
    ...(f.keyword ? [keyword(f.keyword)] : []),
  ];
  return sql`from lead l where ${sql.join(conditions, sql` and `)}`;
}
