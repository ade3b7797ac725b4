import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { FREE_TEXT } from "../../../platform/server/outside/sms.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { type Outgoing, sendOut } from "../../access/sms/sms.service.ts";
import { messageTold } from "./message.contract.ts";
import { ALWAYS, AT_ONCE, type MessageType, READ_DAYS, quietMinutes } from "./message.rules.ts";

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

export type Told = {
  /** Operators; whoever is named twice is told once. */
  to: readonly number[];
  type: MessageType;
  /** 1-100 characters; longer ones are cut. */
  title: string;
  content?: string;
  /** The record it is about, named as in the business log (kinds.rules.ts). */
  bizType?: string;
  bizId?: number;
  villageId?: number | null;
  /** Label and value pairs shown beside the text. */
  facts?: readonly (readonly [string, string])[];
  /** How grave an alarm is, 1 to 3; operators choose from which level on they hear of alarms. */
  level?: 1 | 2 | 3;
  /** Tells the same thing once, however often whoever tells it runs. */
  once?: string;
};

/** Tells operators something, in the transaction of what happened: rolled back with it, never told twice for one `once`. */
export async function tell(act: Act, told: Told): Promise<void> {
  const to = [...new Set(told.to)];
  if (!to.length) return;
  const message = await act.tx
    .insertInto("message")
    .values({
      type: told.type,
      title: told.title.slice(0, 100),
      content: (told.content ?? "").slice(0, 2000),
      bizType: told.bizType ?? "",
      bizId: told.bizId ?? null,
      villageId: told.villageId ?? null,
      facts: JSON.stringify(told.facts ?? []),
      level: told.level ?? 0,
      onceKey: told.once ?? null,
      pushTime: act.now.toISOString(),
    })
    .onConflict((c) => c.column("onceKey").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!message) return;
  if (to.length <= AT_ONCE) await deliver(act, message.id, to);
  else await act.emit(messageTold, { messageId: message.id, to });
}

/**
 * Gives a message to its readers; who has it already keeps it as it is. Who does not want its type gets none, and an
 * alarm reaches only those who see its village and want alarms of its level.
 */
export async function deliver(act: Act, messageId: number, to: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into message_receipt (message_id, operator_id, type, push_time)
    select m.id, o.id, m.type, m.push_time
    from message m cross join operator o left join message_setting s on s.operator_id = o.id
    where m.id = ${messageId} and o.id = any(${to as number[]}::bigint[])
      and (m.type = any(${ALWAYS as number[]}::smallint[]) or not m.type = any(coalesce(s.muted, '{}')))
      and (m.type <> 6 or m.level = 0 or m.level >= coalesce(s.alarm_level, 1))
      and (m.type <> 6 or m.village_id is null or o.super_type <> '' or o.all_villages
           or m.village_id = any(o.village_ids))
    on conflict do nothing returning operator_id id`.execute(act.tx);
  await sendNotices(
    act,
    messageId,
    rows.map((row) => row.id),
  );
}

/** Takes away what was read or deleted long ago, and messages that nobody has any more. */
export async function sweep(act: Act): Promise<void> {
  const before = new Date(act.now.getTime() - READ_DAYS * 86_400_000).toISOString();
  await act.tx
    .deleteFrom("messageReceipt")
    .where("status", "=", 1)
    .where((eb) => eb.or([eb("readAt", "<", before), eb("deletedAt", "<", before)]))
    .execute();
  await act.tx
    .deleteFrom("message")
    .where("pushTime", "<", before)
    .where(sql<boolean>`not exists (select 1 from message_receipt r where r.message_id = message.id)`)
    .execute();
}
