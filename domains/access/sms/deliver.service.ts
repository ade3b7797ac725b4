import type { House } from "../../../platform/server/pipeline/pipeline.ts";
import { mailDriver } from "../../../platform/server/outside/mail.ts";
import { mayPass } from "../../../platform/server/outside/transient.ts";
import { smsDriver } from "../../../platform/server/outside/sms.ts";

/** How often what may pass is tried. */
const TRIES = 3;

type Row = {
  channel: "sms" | "email";
  recipient: string;
  template: string;
  params: Record<string, string>;
  subject: string;
  body: string;
  fileId: number | null;
};
type Place = Pick<House, "database" | "settings" | "files">;

/** The driver of a channel: its name, whether it keeps everything here, and how it sends. */
function driverOf({ settings, database, files }: Place, channel: Row["channel"]) {
  if (channel === "sms") {
    const driver = smsDriver(settings);
    return {
      name: settings.SMS_DRIVER,
      keeps: driver.keeps,
      send: (row: Row) => driver.send({ phone: row.recipient, template: row.template, params: row.params }),
    };
  }
  const driver = mailDriver(settings);
  return {
    name: settings.MAIL_DRIVER,
    keeps: driver.keeps,
    send: async (row: Row) => {
      const { rows } = await database.pool.query<{ name: string; type: string; key: string }>(
        "select name, type, storage_key key from file_brief where id = $1",
        [row.fileId],
      );
      const attached = await Promise.all(
        rows.map(async ({ name, type, key }) => ({ name, type, bytes: await files.get(key) })),
      );
      return driver.send({ to: row.recipient, subject: row.subject, text: row.body, files: attached });
    },
  };
}

/** Whether text messages or e-mails stay in this house because no service is connected. */
export const keeps = (place: Place, channel: Row["channel"]): boolean => driverOf(place, channel).keeps;

export type Delivered = { state: "sent" | "failed"; error: string };

/**
 * Sends one message of the outbox that waits; undefined when it does not wait any more. It is marked first: nobody else
 * sends it meanwhile, and after a crash, when nobody knows whether a service took it, it is not sent again by itself.
 */
export async function deliverOutbox(place: Place, id: number): Promise<Delivered | undefined> {
  const { pool } = place.database;
  const { rows } = await pool.query<Row>(
    `update outbox set attempts = attempts + 1, state = 'sending', tried_at = now() where id = $1 and state = 'queued'
     returning channel, recipient, template, params, subject, body, file_id "fileId"`,
    [id],
  );
  const [row] = rows;
  if (!row) return undefined;
  const driver = driverOf(place, row.channel);
  let error = "";
  for (let i = 0; i < TRIES; i++)
    try {
      const no = await driver.send(row);
      await pool.query(
        `update outbox set state = 'sent', sent_at = now(), carrier = $2, carrier_no = $3, error = '',
           params = case when $4 or template <> 'code' and not params ? 'link' then params
             when template = 'code' then params - 'code' else '{}' end where id = $1`,
        [id, driver.name, no, driver.keeps],
      );
      return { state: "sent", error: "" };
    } catch (cause) {
      error = cause instanceof Error ? cause.message : String(cause);
      if (!mayPass(cause)) break;
    }
  error = error.slice(0, 300);
  await pool.query(`update outbox set state = 'failed', carrier = $2, error = $3 where id = $1`, [
    id,
    driver.name,
    error,
  ]);
  return { state: "failed", error };
}
