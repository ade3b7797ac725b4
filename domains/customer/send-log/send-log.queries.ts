import { sql } from "kysely";
import { amongWords, from, is, keyword, phrase, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import type { RECIPIENT_STATES } from "../push/push.rules.ts";
import { hidden } from "../push/recipients.queries.ts";
import { sendLog } from "./send-log.contract.ts";

type Line = {
  id: number;
  at: string;
  name: string;
  channel: Channel;
  addressCipher: Buffer | null;
  source: string;
  taskId: number | null;
  ruleId: number | null;
  body: string;
  state: keyof typeof RECIPIENT_STATES;
  tries: number;
  partyId: number | null;
  receipt: string;
};

const BY = {
  push: sql`r.task_id is not null`,
  rule: sql`r.rule_id is not null`,
  notice: sql`r.notice <> ''`,
} as const;

const BESIDE = sql`left join party p on p.id = r.party_id left join push_task t on t.id = r.task_id
  left join reminder_rule g on g.id = r.rule_id`;
const dayOf = (read: Read) =>
  sql`(coalesce(r.done_at, r.made_at, t.started_at) at time zone ${read.settings.TIME_ZONE})::date`;

/** Every message to a customer, newest first. */
export const sent = listOf(sendLog, {
  id: "r.id",
  // what hangs on twenty rows is not looked up for all of them
  from: (_, asked) =>
    asked.keyword || asked.from || asked.to ? sql`push_recipient r ${BESIDE}` : sql`push_recipient r`,
  village: "r.village_id",
  where: {
    channel: amongWords("r.channel"),
    state: amongWords("r.state"),
    by: (by) => BY[by],
    ruleId: is("r.rule_id"),
    partyId: is("r.party_id"),
    from: (day, read) => from(dayOf(read))(day),
    to: (day, read) => to(dayOf(read))(day),
    keyword: keyword(
      phrase(sql`coalesce(p.name, r.receiver)`),
      is("p.phone"),
      is("t.number"),
      is("g.name"),
      is("r.notice"),
    ),
  },
  sort: { id: { by: "r.id", indexed: true } },
  order: "id",
  columns: sql<Line>`r.id, coalesce(r.done_at, r.made_at, t.started_at, t.created_at) at,
    coalesce(p.name, r.receiver) name, r.channel, r.address_cipher "addressCipher",
    coalesce(t.number, g.name, r.notice) source, t.id "taskId", g.id "ruleId", r.body, r.state, r.tries + 1 tries,
    r.party_id "partyId", coalesce(nullif(r.reason, ''), o.carrier_no, '') receipt`,
  join: sql`join push_recipient r on r.id = page.id ${BESIDE} left join outbox o on o.id = r.outbox_id`,
  rows: (raws: Line[], read) =>
    raws.map(({ addressCipher, name, ...row }) => ({
      ...row,
      partyName: name,
      address: hidden(read, addressCipher),
    })),
});
