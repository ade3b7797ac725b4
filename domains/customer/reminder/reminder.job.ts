import { sql } from "kysely";
import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { House } from "../../../platform/server/pipeline/pipeline.ts";
import { runRule } from "./send.service.ts";

/** Every rule that has not been through with today; one that fails does not keep the others from going. */
async function runAll(house: House): Promise<number> {
  const rules = await house.database.db
    .selectFrom("reminderRule")
    .select(["id", "name"])
    .where("enabled", "=", true)
    .orderBy("id")
    .execute();
  return eachAlone(
    rules,
    ({ name }) => name,
    ({ id }) => runRule(house, id),
  );
}

export default [
  job({
    name: "reminder.due",
    title: "自动提醒和催缴",
    cron: "*/5 * * * *",
    transaction: false,
    work: (_act, _data, house) => runAll(house),
  }),

  /** The outbox knows how each ended; it forgets after a while. */
  job({
    name: "reminder.ends",
    title: "登记自动提醒和业务通知的发送结果",
    cron: "* * * * *",
    work: async ({ tx, now }) => {
      const { numAffectedRows } = await sql`
        update push_recipient r set state = case o.state when 'sent' then 'delivered' else 'failed' end,
          reason = left(o.error, 300), done_at = coalesce(o.sent_at, ${now.toISOString()}::timestamptz)
        from outbox o where o.id = r.outbox_id and r.state = 'handed' and r.task_id is null
          and o.state in ('sent', 'failed')`.execute(tx);
      return Number(numAffectedRows ?? 0);
    },
  }),
];
