import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { deliverOutbox } from "./deliver.service.ts";
import { outboxFilled } from "./sms.contract.ts";

const KEPT_DAYS = 90;
const CODES_DAYS = 2;

export default [
  job({
    name: "outbox.send",
    on: outboxFilled,
    transaction: false,
    retries: 0,
    work: async (_act, { id }, house) => {
      await deliverOutbox(house, Number(id));
    },
  }),

  job({
    name: "outbox.due",
    title: "发送短信和邮件",
    cron: "* * * * *",
    work: async (act) => {
      const clock = timeInZone(act.now, act.settings.TIME_ZONE).slice(11, 16);
      const due = await act.tx
        .updateTable("outbox")
        .set({ dueAt: null })
        .where("state", "=", "queued")
        .where("dueAt", "<=", act.now.toISOString())
        .where(
          sql<boolean>`(quiet_from is null or case when quiet_from < quiet_to
            then ${clock}::time < quiet_from or ${clock}::time >= quiet_to
            else ${clock}::time >= quiet_to and ${clock}::time < quiet_from end)`,
        )
        .returning("id")
        .execute();
      for (const { id } of due) await act.emit(outboxFilled, { id });
      return due.length;
    },
  }),

  job({
    name: "outbox.sweep",
    title: "清理短信记录",
    cron: "20 3 * * *",
    work: async ({ tx, now }) => {
      const ago = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
      await tx.deleteFrom("smsCode").where("sentAt", "<", ago(CODES_DAYS)).execute();
      await tx.deleteFrom("outbox").where("createdAt", "<", ago(KEPT_DAYS)).execute();
    },
  }),
];
