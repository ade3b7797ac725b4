import { sql, type RawBuilder } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import type { listPushes } from "./push.contract.ts";
import type { Category, PushState } from "./push.rules.ts";

export const texts = (list: readonly string[]) => sql`${list as string[]}::text[]`;

export type PushFound = {
  id: number;
  number: string;
  title: string;
  category: Category;
  channels: Channel[];
  villageName: string;
  recipients: number;
  done: number;
  delivered: number;
  failed: number;
  skipped: number;
  parts: number;
  sendAt: string | null;
  state: PushState;
  creatorName: string;
  createdAt: string;
  version: number;
};

/** Of its stores only those in scope are named. */
export const pushColumns = (read: Read) => sql`t.id, t.number, t.title, t.category, t.channels, t.recipients,
  t.delivered + t.failed done, t.delivered, t.failed, t.skipped, t.parts, coalesce(t.started_at, t.send_at) "sendAt",
  t.state, o.real_name "creatorName", t.created_at "createdAt", t.version,
  (select coalesce(string_agg(v.name, '、' order by v.id), '') from village v
    where v.id = any(t.village_ids) and v.id = ${anyOf(read.who.villages)}) "villageName"`;
export const PUSH_FROM = sql`push_task t join operator o on o.id = t.created_by`;

function where(read: Read, q: z.output<typeof listPushes.query>): RawBuilder<unknown> {
  const day = sql`(coalesce(t.started_at, t.send_at, t.created_at) at time zone ${read.settings.TIME_ZONE})::date`;
  const all = [
    sql`t.village_ids && ${villagesOf(read.who, q.villageIds) as number[]}::bigint[]`,
    ...(q.category?.length ? [sql`t.category = any(${texts(q.category)})`] : []),
    ...(q.channel?.length ? [sql`t.channels && ${texts(q.channel)}`] : []),
    ...(q.state?.length ? [sql`t.state = any(${texts(q.state)})`] : []),
    ...(q.from ? [sql`${day} >= ${q.from}::date`] : []),
    ...(q.to ? [sql`${day} <= ${q.to}::date`] : []),
    ...(q.creatorId ? [sql`t.created_by = ${q.creatorId}`] : []),
    ...(q.keyword
      ? [sql`(t.number ilike ${containing(q.keyword)} or t.title ilike ${containing(q.keyword)})`]
      : []),
  ];
  return sql.join(all, sql` and `);
}

export async function pushList(read: Read, query: z.output<typeof listPushes.query>) {
  const filter = where(read, query);
  const by = query.sort === "sendAt" ? sql`coalesce(t.started_at, t.send_at)` : sql`t.id`;
  const order = sql.raw(query.order ?? "desc");
  const page = sql<PushFound>`select ${pushColumns(read)} from ${PUSH_FROM} where ${filter}
    order by ${by} ${order} nulls last, t.id desc ${pageEnd(query)}`;
  const sums = sql<{ total: number; recipients: number; parts: number }>`
    select count(*)::int total, coalesce(sum(t.recipients), 0)::int recipients, coalesce(sum(t.parts), 0)::int parts
    from push_task t where ${filter}`;
  const list = query.want === "totals" ? [] : (await page.execute(read.tx)).rows;
  if (query.want === "rows") return { list, total: null, sums: null };
  const { total, ...rest } = (await sums.execute(read.tx)).rows[0]!;
  return { list, total, sums: rest };
}
