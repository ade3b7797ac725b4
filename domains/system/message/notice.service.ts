import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { FREE_TEXT } from "../../../platform/server/outside/sms.ts";
import { sendOut, type Outgoing } from "../../access/sms/sms.service.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { quietMinutes } from "./message.rules.ts";

const MINUTE_MS = 60_000;

type Reader = {
  operatorId: number;
  phone: string;
  email: string;
  mailed: boolean;
  texted: boolean;
  quietFrom: string | null;
  quietTo: string | null;
  title: string;
  content: string;
  enterpriseId: number;
};

/** Sends a message on by e-mail and text message to those of its readers who want that, outside their quiet hours. */
export async function sendNotices(act: Act, messageId: number, readers: readonly number[]): Promise<void> {
  if (!readers.length) return;
  const { rows } = await sql<Reader>`
    select o.id "operatorId", o.phone, o.email, m.type = any(s.mailed) mailed, m.type = any(s.texted) texted,
      s.quiet_from "quietFrom", s.quiet_to "quietTo", m.title, m.content, o.enterprise_id "enterpriseId"
    from message m join operator o on o.id = any(${readers as number[]}::bigint[])
    join message_setting s on s.operator_id = o.id
    where m.id = ${messageId} and o.state = 'active' and (m.type = any(s.mailed) or m.type = any(s.texted))`.execute(
    act.tx,
  );
  await sendOut(
    act,
    rows.flatMap((reader) => noticesOf(act, messageId, reader)),
  );
}

function noticesOf(act: Act, messageId: number, r: Reader): Outgoing[] {
  const quiet = quietMinutes(
    timeInZone(act.now, act.settings.TIME_ZONE).slice(11, 16),
    r.quietFrom,
    r.quietTo,
  );
  const until = quiet > 0 && new Date((Math.floor(act.now.getTime() / MINUTE_MS) + quiet) * MINUTE_MS);
  const shared = {
    source: "notice" as const,
    sourceId: messageId,
    ...(r.enterpriseId && { enterpriseId: r.enterpriseId }),
    ...(until && { dueAt: until }),
  };
  const link = act.settings.PUBLIC_URL
    ? `\n\n${act.settings.PUBLIC_URL}/sams/msgManage/manageHome?id=${messageId}`
    : "";
  return [
    ...(r.mailed && r.email
      ? [
          {
            ...shared,
            channel: "email" as const,
            recipient: r.email,
            subject: r.title,
            body: `${r.content || r.title}${link}`,
            once: `notice.mail.${messageId}.${r.operatorId}`,
          },
        ]
      : []),
    ...(r.texted && r.phone
      ? [
          {
            ...shared,
            channel: "sms" as const,
            recipient: r.phone,
            body: r.title,
            template: act.settings.SMS_NOTICE_TEMPLATE ?? FREE_TEXT,
            params: { title: r.title },
            once: `notice.sms.${messageId}.${r.operatorId}`,
          },
        ]
      : []),
  ];
}
