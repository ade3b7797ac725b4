import { job } from "../../../platform/server/jobs.ts";
import { smsDriver } from "../../../platform/server/sms.ts";

/** A minute apart at first: by then a code is asked for again. */
const TRIES = 3;
const KEPT_DAYS = 90;
const CODES_DAYS = 2;

export default [
  /** Sends what lies in the outbox. What a provider took and the answer was lost of, it takes twice: a second code is the same. */
  job({
    name: "outbox.send",
    on: ["outbox.filled"],
    transaction: false,
    retries: 0,
    work: async (act, { id }, { database, settings }) => {
      const driver = smsDriver(settings);
      const { rows } = await database.pool.query<{ recipient: string; params: Record<string, string> }>(
        `update outbox set attempts = attempts + 1 where id = $1 and state = 'queued' returning recipient, params`,
        [id],
      );
      const [row] = rows;
      if (!row) return;
      let error = "";
      for (let i = 0; i < TRIES; i++)
        try {
          const no = await driver.send({ phone: row.recipient, template: "code", params: row.params });
          await database.pool.query(
            `update outbox set state = 'sent', sent_at = $2, carrier = $3, carrier_no = $4, error = '',
               params = case when $5 then params else '{}' end where id = $1`,
            [id, act.now, settings.SMS_DRIVER, no, driver.keeps],
          );
          return;
        } catch (cause) {
          error = cause instanceof Error ? cause.message : String(cause);
        }
      await database.pool.query(
        `update outbox set state = 'failed', carrier = $2, error = $3 where id = $1`,
        [id, settings.SMS_DRIVER, error.slice(0, 300)],
      );
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
