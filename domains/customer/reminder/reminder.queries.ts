import { sql } from "kysely";
import { among, amongWords, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { seesWhole } from "../../access/operator/scope.service.ts";
import { texts } from "../push/push.queries.ts";
import { listReminders, type ReminderRow } from "./reminder.contract.ts";
import { seenRules } from "./rule.service.ts";

type Found = Omit<ReminderRow, "mine"> & { villageIds: number[] };

/** Of its stores only those in scope are named. */
export const villageNames = ({
  who,
}: Pick<Read, "who">) => sql`case when r.village_ids = '{}' then '全部门店' else
  (select coalesce(string_agg(v.name, '、' order by v.id), '') from village v
    where v.id = any(r.village_ids) and v.id = ${anyOf(who.villages)}) end`;
export const channelsOf = sql`array(select w.channel from reminder_way w where w.rule_id = r.id order by w.channel)`;

/** Rules that the caller sees; stores name their own and those for all. */
export const rulesOf = (read: Read, villageIds: number[] | undefined) =>
  villageIds?.length
    ? sql`${seenRules(read)} and (r.village_ids = '{}' or r.village_ids && ${villagesOf(read.who, villageIds) as number[]}::bigint[])`
    : sql`${seenRules(read)}`;
export const RULE_ASKS = {
  ids: among("r.id"),
  event: amongWords("r.event"),
  state: (state: "on" | "off") => sql`r.enabled = ${state === "on"}`,
  keyword: phrase("r.name"),
};

export const reminders = listOf(listReminders, {
  id: "r.id",
  from: sql`reminder_rule r`,
  scope: (read, { villageIds }) => rulesOf(read, villageIds),
  where: { ...RULE_ASKS, channel: (channels) => sql`${channelsOf} && ${texts(channels)}` },
  sort: { updatedAt: "r.updated_at", name: "r.name" },
  order: "updatedAt",
  columns: (
    read: Read,
  ) => sql<Found>`r.id, r.name, r.event, r.offsets, r.send_at "sendAt", ${channelsOf} channels,
    r.receivers, ${villageNames(read)} "villageNames", r.monthly_cap "monthlyCap",
    case when r.enabled then 'on' else 'off' end state, r.ran_on "ranOn", coalesce(o.real_name, '') "updaterName",
    r.updated_at "updatedAt", r.village_ids "villageIds", r.version`,
  join: sql`join reminder_rule r on r.id = page.id left join operator o on o.id = r.updated_by`,
  rows: async (raws: Found[], read) => {
    const whole = await seesWhole(read, read.who.enterpriseId);
    const { villages } = read.who;
    return raws.map(({ villageIds, ...row }) => ({
      ...row,
      mine: villageIds.length ? villageIds.every((village) => villages.includes(village)) : whole,
    }));
  },
});

/** One rule as lists show it. */
export const reminderRow = async (read: Read, id: number): Promise<ReminderRow> =>
  (await reminders.rowsOf(read, [id]))[0]!;

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
