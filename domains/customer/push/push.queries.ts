import { sql } from "kysely";
import { amongWords, from, is, keyword, phrase, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { listPushes } from "./push.contract.ts";
import type { Category, PushState } from "./push.rules.ts";

export const texts = (list: readonly string[]) => sql`${list as string[]}::text[]`;

type PushFound = {
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

const dayOf = (read: Read) =>
  sql`(coalesce(t.started_at, t.send_at, t.created_at) at time zone ${read.settings.TIME_ZONE})::date`;

export const pushes = listOf(listPushes, {
  id: "t.id",
  from: sql`push_task t`,
  scope: (read, { villageIds }) =>
    sql`t.village_ids && ${villagesOf(read.who, villageIds) as number[]}::bigint[]`,
  where: {
    category: amongWords("t.category"),
    channel: (channels) => sql`t.channels && ${texts(channels)}`,
    state: amongWords("t.state"),
    from: (day, read) => from(dayOf(read))(day),
    to: (day, read) => to(dayOf(read))(day),
    creatorId: is("t.created_by"),
    keyword: keyword(phrase("t.number", "t.title")),
  },
  sort: {
    createdAt: { by: "t.id", indexed: true },
    sendAt: sql`coalesce(t.started_at, t.send_at)`,
  },
  order: "createdAt",
  // of its stores only those in scope are named
  columns: (read: Read) => sql<PushFound>`t.id, t.number, t.title, t.category, t.channels, t.recipients,
    t.delivered + t.failed done, t.delivered, t.failed, t.skipped, t.parts, coalesce(t.started_at, t.send_at) "sendAt",
    t.state, o.real_name "creatorName", t.created_at "createdAt", t.version,
    (select coalesce(string_agg(v.name, '、' order by v.id), '') from village v
      where v.id = any(t.village_ids) and v.id = ${anyOf(read.who.villages)}) "villageName"`,
  join: sql`join push_task t on t.id = page.id join operator o on o.id = t.created_by`,
  plannedAnew: true,
  sums: {
    select: sql`coalesce(sum(t.recipients), 0)::int recipients, coalesce(sum(t.parts), 0)::int parts`,
  },
});
