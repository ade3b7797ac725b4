import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { dawn } from "../log/operation-log.queries.ts";
import { AUDIENCES, stateOf, type Audience, type State } from "./announcement.rules.ts";
import type { AnnouncementQuery } from "./announcement.contract.ts";

export const manages = ({ who }: Pick<Read, "who">): boolean => who.superType !== "";

/** Published, begun and not over. */
const standing = (now: string) =>
  sql<boolean>`(a.state = 'published' and a.publish_at <= ${now} and (a.expire_at is null or a.expire_at > ${now}))`;
const isState = (state: State, now: string) =>
  ({
    draft: sql<boolean>`a.state = 'draft'`,
    withdrawn: sql<boolean>`a.state = 'withdrawn'`,
    waiting: sql<boolean>`(a.state = 'published' and a.publish_at > ${now})`,
    expired: sql<boolean>`(a.state = 'published' and a.expire_at <= ${now})`,
    published: standing(now),
  })[state];

/** Announcements of the caller's company that were not deleted, with what the caller did with each. */
const base = ({ tx, who }: Read) =>
  tx
    .selectFrom("announcement as a")
    .innerJoin("operator as p", "p.id", "a.createdBy")
    .innerJoin("operator as o", (join) => join.on("o.id", "=", who.operatorId))
    .leftJoin("announcementRead as r", (join) =>
      join.onRef("r.announcementId", "=", "a.id").on("r.operatorId", "=", who.operatorId),
    )
    .where("a.enterpriseId", "=", who.enterpriseId)
    .where("a.deletedAt", "is", null);
export type Found = ReturnType<typeof base>;

/** What is addressed to the caller and stands now. */
export const addressedTo = (read: Read): Found =>
  base(read)
    .where(standing(read.now.toISOString()))
    .where(sql<boolean>`announcement_reaches(a, o)`);

export function announcements(read: Read, query: AnnouncementQuery): Found {
  const now = read.now.toISOString();
  const zone = read.settings.TIME_ZONE;
  const mine = query.mine === "1" || query.unconfirmed === "1" || !manages(read);
  return (mine ? addressedTo(read) : base(read))
    .$if(query.unconfirmed === "1", (q) =>
      q.where("a.mustConfirm", "=", true).where("r.confirmedAt", "is", null),
    )
    .$if(!!query.state?.length, (q) =>
      q.where((eb) => eb.or(query.state!.map((state) => isState(state, now)))),
    )
    .$if(!!query.from, (q) => q.where("a.publishAt", ">=", dawn(query.from!, zone)))
    .$if(!!query.to, (q) => q.where("a.publishAt", "<", dawn(addDays(query.to!, 1), zone)))
    .$if(!!query.keyword, (q) => q.where("a.title", "ilike", containing(query.keyword!)));
}

/** Whom it is for, its author apart, and how many of them did what. */
type Counts = { addressed: number; reads: number; confirms: number } | null;
const audienceOf = sql<Counts>`(
  select json_build_object('addressed', count(*), 'reads', count(x.read_at), 'confirms', count(x.confirmed_at))
  from operator t left join announcement_read x on x.operator_id = t.id and x.announcement_id = a.id
  where t.id <> a.created_by and announcement_reaches(a, t))`;

export const rowsOf = (found: Found, counted: boolean) =>
  found
    .select([
      "a.id",
      "a.title",
      "a.content",
      "a.audience",
      "a.villageIds",
      "a.departmentIds",
      "a.publishAt",
      "a.expireAt",
      "a.state",
      "a.pinned",
      "a.mustConfirm",
      "a.version",
      "a.createdBy",
      "p.realName as publisherName",
      "r.readAt",
      "r.confirmedAt",
    ])
    .select(
      sql<string>`coalesce((select string_agg(name, '、' order by id) from (
        select id, name from village where id = any(a.village_ids) and a.audience = 'villages'
        union all select id, name from department where id = any(a.department_ids) and a.audience = 'departments') n), '')`.as(
        "names",
      ),
    )
    .select((counted ? audienceOf : sql<Counts>`null`).as("audienceCounts"));

type Raw = Awaited<ReturnType<ReturnType<typeof rowsOf>["execute"]>>[number];
const iso = (at: string) => new Date(at).toISOString();

export function rowOf(raw: Raw, now: string) {
  const { addressed = null, reads = null, confirms = null } = raw.audienceCounts ?? {};
  const rate = (part: number | null) =>
    addressed === null || part === null ? null : part / Math.max(1, addressed);
  const publishAt = iso(raw.publishAt);
  const expireAt = raw.expireAt && iso(raw.expireAt);
  return {
    ...raw,
    publishAt,
    expireAt,
    audience: raw.audience as Audience,
    scope: raw.names || AUDIENCES[raw.audience as Audience][0],
    state: stateOf({ state: raw.state, publishAt, expireAt }, now),
    addressed,
    reads,
    confirms,
    readRate: rate(reads),
    confirmRate: raw.mustConfirm ? rate(confirms) : null,
    read: raw.readAt !== null,
    confirmed: raw.confirmedAt !== null,
  };
}

/** One that the caller may see: addressed to them, or of the company they run. Anything else does not exist. */
export async function seenAnnouncement(read: Read, id: number) {
  const found = manages(read) ? base(read) : addressedTo(read);
  const raw = await rowsOf(found.where("a.id", "=", id), manages(read)).executeTakeFirst();
  if (!raw) throw notFound();
  return rowOf(raw, read.now.toISOString());
}
