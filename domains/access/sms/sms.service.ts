import { type RawBuilder, sql } from "kysely";
import { createHash, randomInt } from "node:crypto";
import type { Pool } from "pg";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { FREE_TEXT } from "../../../platform/server/outside/sms.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { outboxFilled } from "./sms.contract.ts";
import { AN_HOUR, A_DAY, CODE_MINUTES, EVERY_MS, sameKind } from "./sms.rules.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WRONG = "短信验证码错误或已失效";

// a code is short-lived, counted and bound to its number: a plain hash keeps it out of back-ups and logs
const hashOf = (phone: string, code: string, bound: string) =>
  createHash("sha256")
    .update(`${phone} ${code}${bound && ` ${bound}`}`)
    .digest();

/** What a code may be held to beyond its number: something that it agrees to, and another life than the usual. */
export type Bound = {
  to?: string;
  minutes?: number;
  tries?: number;
  /** The customer it goes to and the store of what it is about. */
  customer?: { partyId: number | null; villageId: number };
};

/** Refuses who asks too often: by number and by address, whatever the number is for. */
export async function notTooOften(act: Act, phone: string): Promise<void> {
  const ago = (ms: number) => new Date(act.now.getTime() - ms).toISOString();
  // codes for one number, and from one address, are asked for one after the other
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sms ${phone}`}, 0)),
    pg_advisory_xact_lock(hashtextextended(${`sms ${act.ip}`}, 0))`.execute(act.tx);
  const { rows } = await sql<{ soon: number; day: number; hour: number }>`
    select (select count(*) from sms_code where phone = ${phone} and sent_at > ${ago(EVERY_MS)}) soon,
      (select count(*) from sms_code where phone = ${phone} and sent_at > ${ago(DAY_MS)}) "day",
      (select count(*) from sms_code where ip = ${act.ip} and sent_at > ${ago(HOUR_MS)}) "hour"`.execute(
    act.tx,
  );
  const { soon, day, hour } = rows[0]!;
  if (soon || day >= A_DAY || hour >= AN_HOUR)
    throw new Refusal("tooOften", "发送过于频繁，请稍后再试", 429, { keeps: true });
}

/**
 * Writes a fresh code down and puts it into the outbox. `deliver` false counts the asking and sends nothing. Answers the number of
 * the message.
 */
export async function sendCode(
  act: Act,
  phone: string,
  type: number,
  deliver: boolean,
  bound: Bound = {},
): Promise<number | undefined> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const { minutes = CODE_MINUTES } = bound;
  await act.tx
    .insertInto("smsCode")
    .values({
      phone,
      type,
      codeHash: hashOf(phone, deliver ? code : "", bound.to ?? ""),
      ip: act.ip,
      sentAt: act.now.toISOString(),
      expiresAt: new Date(act.now.getTime() + minutes * 60_000).toISOString(),
      ...(bound.tries && { triesLeft: bound.tries }),
    })
    .execute();
  if (!deliver) return undefined;
  const { id } = await act.tx
    .insertInto("outbox")
    .values({
      channel: "sms",
      recipient: phone,
      template: "code",
      params: JSON.stringify({ code, minutes: String(minutes) }),
      ...bound.customer,
      createdAt: act.now.toISOString(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.emit(outboxFilled, { id });
  return id;
}

/**
 * Uses a code up: the newest of its kind for this number, within 5 minutes and 5 tries. A wrong one is refused and the try
 * stays counted, so call it before anything else is written.
 */
export async function useSmsCode(act: Act, phone: string, type: number, code: string): Promise<void> {
  if (!(await codeFits(act, phone, type, code)))
    throw new Refusal("codeWrong", WRONG, 400, { fields: [{ field: "code", msg: WRONG }], keeps: true });
}

/** The same for who says by themselves what a wrong code is told. */
export async function codeFits(
  act: Act,
  phone: string,
  type: number,
  code: string,
  to = "",
): Promise<boolean> {
  const row = await act.tx
    .selectFrom("smsCode")
    .selectAll()
    .where("phone", "=", phone)
    .where("type", "in", [...sameKind(type)])
    .orderBy("id", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  const live = row && !row.usedAt && row.triesLeft > 0 && new Date(row.expiresAt) > act.now;
  const right = live && row.codeHash.equals(hashOf(phone, code, to));
  if (row)
    await act.tx
      .updateTable("smsCode")
      .set(right ? { usedAt: act.now.toISOString() } : { triesLeft: Math.max(0, row.triesLeft - 1) })
      .where("id", "=", row.id)
      .execute();
  return right === true;
}

export type Outgoing = {
  channel: "sms" | "email";
  recipient: string;
  /** E-mail only. */
  subject?: string;
  body: string;
  /** Under which the SMS provider knows the text; without it the text is one of its own. */
  template?: string;
  params?: Record<string, string>;
  source: "push" | "test" | "notice" | "statement" | "rule" | "invoice";
  sourceId?: number;
  partyId?: number;
  villageId?: number;
  enterpriseId?: number;
  fileId?: number;
  /** Not before this moment. */
  dueAt?: Date;
  /** Hours of the day, "21:00" to "08:30", in which it is never sent, also when it should have gone before them. */
  quiet?: { from: string; to: string };
  /** Put in once, however often whoever does it runs. */
  once?: string;
};

/** Puts messages into the outbox, in the transaction of what they are about; ids of those that were not there before. */
export async function enqueue(
  act: Pick<Act, "tx" | "now">,
  messages: readonly Outgoing[],
): Promise<number[]> {
  if (!messages.length) return [];
  const rows = await act.tx
    .insertInto("outbox")
    .values(
      messages.map((m) => ({
        channel: m.channel,
        recipient: m.recipient,
        template: m.template || FREE_TEXT,
        params: JSON.stringify(m.params ?? {}),
        subject: m.subject ?? "",
        body: m.body,
        source: m.source,
        sourceId: m.sourceId ?? null,
        partyId: m.partyId ?? null,
        villageId: m.villageId ?? null,
        enterpriseId: m.enterpriseId ?? null,
        fileId: m.fileId ?? null,
        dueAt: m.dueAt?.toISOString() ?? null,
        quietFrom: m.quiet?.from ?? null,
        quietTo: m.quiet?.to ?? null,
        onceKey: m.once ?? null,
        createdAt: act.now.toISOString(),
      })),
    )
    .onConflict((oc) => oc.column("onceKey").doNothing())
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

/** The same, and lets the sender know; what is due later is found by the clock. */
export async function sendOut(act: Act, messages: readonly Outgoing[]): Promise<void> {
  const now = messages.filter((m) => !m.dueAt || m.dueAt <= act.now);
  for (const id of await enqueue(act, now)) await act.emit(outboxFilled, { id });
  await enqueue(
    act,
    messages.filter((m) => !now.includes(m)),
  );
}

/** A link as a text message. It is a key, so nobody keeps it: where the message is kept, dots stand in its place. */
export const smsLink = (
  act: Act,
  of: Pick<Outgoing, "recipient" | "body" | "sourceId" | "partyId" | "villageId" | "enterpriseId">,
  { enterprise, name, link, hours }: { enterprise: string; name: string; link: string; hours: number },
): Promise<void> =>
  sendOut(act, [
    {
      ...of,
      channel: "sms",
      template: act.settings.SMS_LINK_TEMPLATE ?? FREE_TEXT,
      params: { enterprise, name, link, hours: String(hours) },
      source: "notice",
    },
  ]);

/**
 * Erases the receiver and the words of what was sent to somebody who becomes nobody: to a party, or to where it was
 * reached without being known. What still waits is not sent. Answers the ids.
 */
export async function eraseMessages(
  act: Act,
  of: { enterpriseId: number; partyIds: readonly number[]; recipients: RawBuilder<unknown> },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update outbox set recipient = '', body = '', params = '{}',
      state = case when state = 'queued' then 'failed' else state end,
      error = case when state = 'queued' then '已匿名' else '' end
    where party_id = ${anyOf(of.partyIds)} or party_id is null and recipient in ${of.recipients}
      and coalesce(enterprise_id, ${of.enterpriseId}) = ${of.enterpriseId}
    returning id`.execute(act.tx);
  return rows.map((row) => row.id);
}

/** Takes back what was being sent, as nothing has left the house: it is sent once more. */
export const putBack = (pool: Pool, outboxId: number) =>
  pool.query("update outbox set state = 'queued' where id = $1 and state = 'sending'", [outboxId]);
