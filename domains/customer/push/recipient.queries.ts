import { sql } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/act.ts";
import { pageEnd } from "../../../platform/server/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/scope.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { like, texts } from "./push.queries.ts";
import type { RECIPIENT_STATES } from "./push.rules.ts";
import type { listRecipients } from "./recipient.contract.ts";
import type { sendLog } from "./send-log.contract.ts";

type State = keyof typeof RECIPIENT_STATES;
type Raw = {
  id: number;
  name: string;
  channel: Channel;
  addressCipher: Buffer | null;
  body: string;
  parts: number;
  state: State;
  reason: string;
  tries: number;
  doneAt: string | null;
  partyId: number;
};

/** Numbers and addresses as screens show them. */
const hidden = (read: Read, cipher: Buffer | null): string => {
  if (!cipher) return "";
  const open = read.cipher.open(cipher);
  const at = open.indexOf("@");
  return at < 0 ? maskPhone(open) : `${open.slice(0, 1)}***${open.slice(at)}`;
};

/** Receivers of a task, those in scope. */
export async function recipientList(read: Read, id: number, query: z.output<typeof listRecipients.query>) {
  const filter = sql`r.task_id = ${id} and r.village_id = ${anyOf(read.who.villages)}
    ${query.state?.length ? sql`and r.state = any(${texts(query.state)})` : sql``}`;
  const { rows } = await sql<Raw>`
    select r.id, p.name, r.channel, r.address_cipher "addressCipher", r.body, r.parts, r.state, r.reason, r.tries + 1 tries,
      r.done_at "doneAt", r.party_id "partyId"
    from push_recipient r join party p on p.id = r.party_id where ${filter} order by r.id ${pageEnd(query)}`.execute(
    read.tx,
  );
  const counted =
    query.want === "rows"
      ? undefined
      : await sql<{ total: number }>`
          select count(*)::int total from push_recipient r where ${filter}`.execute(read.tx);
  const list = rows.map(({ addressCipher, ...row }) => ({ ...row, address: hidden(read, addressCipher) }));
  return { list, total: counted?.rows[0]?.total ?? null };
}

/** Every message to a customer, newest first. */
export async function sendLogList(read: Read, query: z.output<typeof sendLog.query>) {
  const day = sql`(coalesce(r.done_at, t.started_at) at time zone ${read.settings.TIME_ZONE})::date`;
  const { keyword } = query;
  const filter = sql`r.village_id = ${anyOf(villagesOf(read.who, query.villageIds))}
    ${query.channel?.length ? sql`and r.channel = any(${texts(query.channel)})` : sql``}
    ${query.state?.length ? sql`and r.state = any(${texts(query.state)})` : sql``}
    ${query.from ? sql`and ${day} >= ${query.from}::date` : sql``}
    ${query.to ? sql`and ${day} <= ${query.to}::date` : sql``}
    ${keyword ? sql`and (p.name ilike ${like(keyword)} or p.phone = ${keyword} or t.number = ${keyword})` : sql``}`;
  const from = sql`push_recipient r join party p on p.id = r.party_id join push_task t on t.id = r.task_id`;
  type Line = Omit<Raw, "doneAt" | "parts" | "reason"> & {
    at: string;
    number: string;
    taskId: number;
    receipt: string;
  };
  // the page first: what hangs on twenty rows is not looked up for all of them
  const joined = keyword || query.from || query.to ? from : sql`push_recipient r`;
  const { rows } = await sql<Line>`
    with f as (select r.id from ${joined} where ${filter} order by r.id desc ${pageEnd(query)})
    select r.id, coalesce(r.done_at, t.started_at, t.created_at) at, p.name, r.channel, r.address_cipher "addressCipher", t.number,
      t.id "taskId", r.body, r.state, r.tries + 1 tries, r.party_id "partyId",
      coalesce(nullif(r.reason, ''), o.carrier_no, '') receipt
    from f join push_recipient r on r.id = f.id join party p on p.id = r.party_id join push_task t on t.id = r.task_id
    left join outbox o on o.id = r.outbox_id order by r.id desc`.execute(read.tx);
  const counted =
    query.want === "rows"
      ? undefined
      : await sql<{ total: number }>`select count(*)::int total from ${joined} where ${filter}`.execute(
          read.tx,
        );
  const list = rows.map(({ addressCipher, name, ...row }) => ({
    ...row,
    partyName: name,
    address: hidden(read, addressCipher),
  }));
  return { list, total: counted?.rows[0]?.total ?? null };
}
