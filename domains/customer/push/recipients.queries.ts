import { sql } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import {
  amongWords,
  initials,
  is,
  keyword,
  named,
  phone,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { newestParties } from "../../party/party/party.service.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { listRecipients, type pushPeople } from "./push.contract.ts";
import type { RECIPIENT_STATES } from "./push.rules.ts";
import { seenTask } from "./push.service.ts";

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
  sort: { id: { by: "r.id", way: "asc", indexed: true } },
  order: "id",
  columns: sql<Raw>`r.id, p.name, r.channel, r.address_cipher "addressCipher", r.body, r.parts, r.state, r.reason,
    r.tries + 1 tries, r.done_at "doneAt", r.party_id "partyId"`,
  join: sql`join push_recipient r on r.id = page.id join party p on p.id = r.party_id`,
  rows: (raws: Raw[], read) =>
    raws.map(({ addressCipher, ...row }) => ({ ...row, address: hidden(read, addressCipher) })),
});

const found = keyword(named("p.name"), initials("p.pinyin"), phone("p.phone", 15));

/** Whoever was merged into another is found as that other: contracts go on naming the record they were written for. */
const standing = (ids: readonly number[]) => sql`p.id in (
  select coalesce(n.merged_into_id, f.merged_into_id, q.id) from party q
  left join renter n on n.id = q.id left join firm f on f.id = q.id where q.id = ${anyOf(ids)})`;

type Found = { id: number; name: string; phone: string; room: string; villageId: number };

/** Customers of the own stores; of one kind where they are looked for, of whatever kind where they are named. */
export async function peopleOf(
  read: Read,
  { kind, keyword: typed, ids, pageSize }: z.output<typeof pushPeople.query>,
) {
  const villages = anyOf(read.who.villages);
  // some of the newest may stand for others by now
  const meant = typed
    ? found(typed)
    : sql`p.id in (${newestParties(read.who.villages, [kind], 2 * pageSize)})`;
  const which = ids?.length ? standing(ids) : sql`p.kind = ${kind} and ${meant}`;
  const { rows } = await sql<Found>`
    select p.id, p.name, p.phone, w.village_id "villageId", coalesce((select c.room_names from contract_brief c
        where c.party_id = p.id and c.village_id = ${villages} and c.in_force order by c.id desc limit 1), '') room
    from party p left join renter r on r.id = p.id left join firm x on x.id = p.id
    cross join lateral (select min(village_id) village_id from party_village
      where party_id = p.id and village_id = ${villages}) w
    where ${which} and w.village_id is not null and coalesce(r.id, x.id) is not null
      and coalesce(r.merged_into_id, x.merged_into_id) is null and r.anonymised_at is null
    order by p.id desc limit ${pageSize}`.execute(read.tx);
  return rows.map((row) => ({ ...row, phone: row.phone ? maskPhone(row.phone) : "" }));
}

export async function buildingsOf(read: Read, wanted: readonly number[]) {
  const villages = villagesOf(read.who, wanted);
  const { rows } = await sql<{ id: number; name: string; villageName: string }>`
    select b.id, concat_ws(' ', nullif(b.community_name, ''), b.name) name, v.name "villageName" from building b join village v on v.id = b.village_id
    where b.village_id = ${anyOf(villages)} order by v.id, b.sort, b.id limit 500`.execute(read.tx);
  return rows;
}
