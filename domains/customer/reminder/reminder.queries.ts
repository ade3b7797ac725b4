import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { seesWhole } from "../../access/operator/scope.service.ts";
import { texts } from "../push/push.queries.ts";
import type { listReminders, ReminderRow } from "./reminder.contract.ts";
import { seenRules } from "./rule.service.ts";

type Found = Omit<ReminderRow, "mine"> & { villageIds: number[] };

/** Of its stores only those in scope are named. */
export const villageNames = ({
  who,
}: Pick<Read, "who">) => sql`case when r.village_ids = '{}' then '全部门店' else
  (select coalesce(string_agg(v.name, '、' order by v.id), '') from village v
    where v.id = any(r.village_ids) and v.id = ${anyOf(who.villages)}) end`;
export const channelsOf = sql`array(select w.channel from reminder_way w where w.rule_id = r.id order by w.channel)`;

const columns = (
  read: Read,
) => sql`r.id, r.name, r.event, r.offsets, r.send_at "sendAt", ${channelsOf} channels,
  r.receivers, ${villageNames(read)} "villageNames", r.monthly_cap "monthlyCap",
  case when r.enabled then 'on' else 'off' end state, r.ran_on "ranOn", coalesce(o.real_name, '') "updaterName",
  r.updated_at "updatedAt", r.village_ids "villageIds", r.version`;
const FROM = sql`reminder_rule r left join operator o on o.id = r.updated_by`;

async function rowsOf(read: Read, rest: RawBuilder<unknown>): Promise<ReminderRow[]> {
  const { rows } = await sql<Found>`select ${columns(read)} from ${FROM} where ${rest}`.execute(read.tx);
  const whole = await seesWhole(read, read.who.enterpriseId);
  const { villages } = read.who;
  return rows.map(({ villageIds, ...row }) => ({
    ...row,
    mine: villageIds.length ? villageIds.every((village) => villages.includes(village)) : whole,
  }));
}

export async function reminderList(read: Read, query: z.output<typeof listReminders.query>) {
  const { ids, villageIds, event, channel, state, keyword } = query;
  const filter = sql`${seenRules(read)}
    ${ids?.length ? sql`and r.id = ${anyOf(ids)}` : sql``}
    ${villageIds?.length ? sql`and (r.village_ids = '{}' or r.village_ids && ${villagesOf(read.who, villageIds) as number[]}::bigint[])` : sql``}
    ${event?.length ? sql`and r.event = any(${texts(event)})` : sql``}
    ${channel?.length ? sql`and ${channelsOf} && ${texts(channel)}` : sql``}
    ${state ? sql`and r.enabled = ${state === "on"}` : sql``}
    ${keyword ? sql`and r.name ilike ${containing(keyword)}` : sql``}`;
  const by = query.sort === "name" ? sql`r.name` : sql`r.updated_at`;
  const order = sql.raw(query.order ?? "desc");
  const list =
    query.want === "totals"
      ? []
      : await rowsOf(read, sql`${filter} order by ${by} ${order}, r.id desc ${pageEnd(query)}`);
  if (query.want === "rows") return { list, total: null };
  const counted = await sql<{ total: number }>`
    select count(*)::int total from reminder_rule r where ${filter}`.execute(read.tx);
  return { list, total: counted.rows[0]!.total };
}

/** One rule as lists show it. */
export const reminderRow = async (read: Read, id: number): Promise<ReminderRow> =>
  (await rowsOf(read, sql`r.id = ${id}`))[0]!;

export async function roleNames(read: Read, ids: readonly number[]): Promise<string> {
  const rows = await read.tx
    .selectFrom("role")
    .select("name")
    .where("id", "=", anyOf(ids))
    .orderBy("name")
    .execute();
  return rows.map((row) => row.name).join("、");
}

/** What a rule has sent: ever, and on a day in some stores. */
export async function sentBy(read: Read, id: number) {
  const { rows } = await sql<{ used: boolean; today: number }>`
    select exists (select from push_recipient where rule_id = ${id}) used,
      (select count(*)::int from push_recipient where rule_id = ${id} and village_id = ${anyOf(read.who.villages)}
        and made_at >= ${read.today}::timestamp at time zone ${read.settings.TIME_ZONE}) today`.execute(
    read.tx,
  );
  return rows[0]!;
}
