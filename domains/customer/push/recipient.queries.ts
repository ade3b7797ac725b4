import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { amongWords, is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import type { RECIPIENT_STATES } from "./push.rules.ts";
import { listRecipients } from "./recipient.contract.ts";
import { seenTask } from "./task.service.ts";

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
export const recipients = listOf(listRecipients, {
  id: "r.id",
  from: sql`push_recipient r`,
  village: "r.village_id",
  where: {
    id: async (id, read) => is("r.task_id")((await seenTask(read, id)).id),
    state: amongWords("r.state"),
  },
  sort: { id: { order: sql`r.id` } },
  order: "id",
  columns: sql<Raw>`r.id, p.name, r.channel, r.address_cipher "addressCipher", r.body, r.parts, r.state, r.reason,
    r.tries + 1 tries, r.done_at "doneAt", r.party_id "partyId"`,
  join: sql`join push_recipient r on r.id = page.id join party p on p.id = r.party_id`,
  rows: (raws: Raw[], read) =>
    raws.map(({ addressCipher, ...row }) => ({ ...row, address: hidden(read, addressCipher) })),
});
