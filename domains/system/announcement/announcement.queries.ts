import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { allOf, fromDay, oneOf, phrase, toDay, type Sql } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { listAnnouncements } from "./announcement.contract.ts";
import { AUDIENCES, stateOf, type Audience, type State } from "./announcement.rules.ts";

export const manages = ({ who }: Pick<Read, "who">): boolean => who.superType !== "";

/** Published, begun and not over. */
const standing = (now: string) =>
  sql`(a.state = 'published' and a.publish_at <= ${now} and (a.expire_at is null or a.expire_at > ${now}))`;
const isState = (state: State, now: string): Sql =>
  ({
    draft: sql`a.state = 'draft'`,
    withdrawn: sql`a.state = 'withdrawn'`,
    waiting: sql`(a.state = 'published' and a.publish_at > ${now})`,
    expired: sql`(a.state = 'published' and a.expire_at <= ${now})`,
    published: standing(now),
  })[state];

/** Announcements, who acts, and what they did with each. */
const announced = ({
  who,
}: Pick<Read, "who">) => sql`announcement a join operator o on o.id = ${who.operatorId}
  left join announcement_read r on r.announcement_id = a.id and r.operator_id = ${who.operatorId}`;
/** Of the caller's company and not deleted. */
const ofCompany = ({ who }: Read) => sql`a.enterprise_id = ${who.enterpriseId} and a.deleted_at is null`;
/** Addressed to the caller, and standing now. */
const addressed = (read: Read) =>
  allOf([ofCompany(read), standing(read.now.toISOString()), sql`announcement_reaches(a, o)`]);

/** Whom it is for, its author apart, and how many of them did what. */
const audienceOf = sql`(
  select json_build_object('addressed', count(*), 'reads', count(x.read_at), 'confirms', count(x.confirmed_at))
  from operator t left join announcement_read x on x.operator_id = t.id and x.announcement_id = a.id
  where t.id <> a.created_by and announcement_reaches(a, t))`;

type Raw = {
  id: number;
  title: string;
  content: string;
  audience: Audience;
  villageIds: number[];
  departmentIds: number[];
  publishAt: string;
  expireAt: string | null;
  state: string;
  pinned: boolean;
  mustConfirm: boolean;
  version: number;
  createdBy: number;
  publisherName: string;
  readAt: string | null;
  confirmedAt: string | null;
  names: string;
  audienceCounts: { addressed: number; reads: number; confirms: number } | null;
};
const columns = (
  counted: boolean,
) => sql<Raw>`a.id, a.title, a.content, a.audience, a.village_ids "villageIds",
  a.department_ids "departmentIds", a.publish_at "publishAt", a.expire_at "expireAt", a.state, a.pinned,
  a.must_confirm "mustConfirm", a.version, a.created_by "createdBy", p.real_name "publisherName",
  r.read_at "readAt", r.confirmed_at "confirmedAt",
  coalesce((select string_agg(name, '、' order by id) from (
    select id, name from village where id = any(a.village_ids) and a.audience = 'villages'
    union all select id, name from department where id = any(a.department_ids) and a.audience = 'departments') n), '') names,
  ${counted ? audienceOf : sql`null`} "audienceCounts"`;
const PUBLISHER = sql`join operator p on p.id = a.created_by`;

const iso = (at: string) => new Date(at).toISOString();

function rowOf(raw: Raw, now: string) {
  const { addressed: all = null, reads = null, confirms = null } = raw.audienceCounts ?? {};
  const rate = (part: number | null) => (all === null || part === null ? null : part / Math.max(1, all));
  const publishAt = iso(raw.publishAt);
  const expireAt = raw.expireAt && iso(raw.expireAt);
  return {
    ...raw,
    publishAt,
    expireAt,
    scope: raw.names || AUDIENCES[raw.audience][0],
    state: stateOf({ state: raw.state, publishAt, expireAt }, now),
    addressed: all,
    reads,
    confirms,
    readRate: rate(reads),
    confirmRate: raw.mustConfirm ? rate(confirms) : null,
    read: raw.readAt !== null,
    confirmed: raw.confirmedAt !== null,
  };
}

export const announcements = listOf(listAnnouncements, {
  id: "a.id",
  from: announced,
  scope: (read, { mine, unconfirmed }) =>
    mine || unconfirmed || !manages(read) ? addressed(read) : ofCompany(read),
  where: {
    mine: () => undefined,
    unconfirmed: () => sql`a.must_confirm and r.confirmed_at is null`,
    state: (states, { now }) => oneOf(states.map((state) => isState(state, now.toISOString()))),
    from: fromDay("a.publish_at"),
    to: toDay("a.publish_at"),
    keyword: phrase("a.title"),
  },
  sort: { publishAt: { order: (way) => sql`a.pinned desc, a.publish_at ${way}, a.id ${way}`, way: "desc" } },
  order: "publishAt",
  columns: (read: Read, { mine }: { mine?: "1" | undefined }) => columns(manages(read) && !mine),
  join: (read) => sql`join (${announced(read)}) on a.id = page.id ${PUBLISHER}`,
  plannedAnew: true,
  rows: (rows: Raw[], { now }) => rows.map((raw) => rowOf(raw, now.toISOString())),
});

/** One that the caller may see: addressed to them, or of the company they run. Anything else does not exist. */
export async function seenAnnouncement(read: Read, id: number) {
  const { rows } = await sql<Raw>`select ${columns(manages(read))} from ${announced(read)} ${PUBLISHER}
    where a.id = ${id} and ${manages(read) ? ofCompany(read) : addressed(read)}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return rowOf(rows[0], read.now.toISOString());
}

/** Whether one is addressed to the caller and stands now. */
export async function reachesMe(read: Read, id: number): Promise<boolean> {
  const { rows } =
    await sql`select from ${announced(read)} where a.id = ${id} and ${addressed(read)}`.execute(read.tx);
  return rows.length > 0;
}
