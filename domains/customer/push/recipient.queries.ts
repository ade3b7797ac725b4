import { sql } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { texts } from "./push.queries.ts";
import type { RECIPIENT_STATES } from "./push.rules.ts";
import type { listRecipients } from "./recipient.contract.ts";

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
export const hidden = (read: Read, cipher: Buffer | null): string => {
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
