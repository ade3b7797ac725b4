import { sql } from "kysely";
import type { z } from "zod";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { texts } from "./push.queries.ts";
import type { RECIPIENT_STATES } from "./push.rules.ts";
import { hidden } from "./recipient.queries.ts";
import type { sendLog } from "./send-log.contract.ts";

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

/** Every message to a customer, newest first. */
export async function sendLogList(read: Read, query: z.output<typeof sendLog.query>) {
  const day = sql`(coalesce(r.done_at, r.made_at, t.started_at) at time zone ${read.settings.TIME_ZONE})::date`;
  const { keyword, by, ruleId, partyId } = query;
  const filter = sql`r.village_id = ${anyOf(villagesOf(read.who, query.villageIds))}
    ${query.channel?.length ? sql`and r.channel = any(${texts(query.channel)})` : sql``}
    ${query.state?.length ? sql`and r.state = any(${texts(query.state)})` : sql``}
    ${by ? sql`and ${BY[by]}` : sql``}
    ${ruleId ? sql`and r.rule_id = ${ruleId}` : sql``}
    ${partyId ? sql`and r.party_id = ${partyId}` : sql``}
    ${query.from ? sql`and ${day} >= ${query.from}::date` : sql``}
    ${query.to ? sql`and ${day} <= ${query.to}::date` : sql``}
    ${
      keyword
        ? sql`and (coalesce(p.name, r.receiver) ilike ${containing(keyword)} or p.phone = ${keyword}
      or t.number = ${keyword} or g.name = ${keyword} or r.notice = ${keyword})`
        : sql``
    }`;
  const from = sql`push_recipient r left join party p on p.id = r.party_id left join push_task t on t.id = r.task_id
    left join reminder_rule g on g.id = r.rule_id`;
  // the page first: what hangs on twenty rows is not looked up for all of them
  const joined = keyword || query.from || query.to ? from : sql`push_recipient r`;
  const { rows } = await sql<Line>`
    with f as (select r.id from ${joined} where ${filter} order by r.id desc ${pageEnd(query)})
    select r.id, coalesce(r.done_at, r.made_at, t.started_at, t.created_at) at, coalesce(p.name, r.receiver) name, r.channel,
      r.address_cipher "addressCipher", coalesce(t.number, g.name, r.notice) source, t.id "taskId", g.id "ruleId", r.body, r.state, r.tries + 1 tries, r.party_id "partyId",
      coalesce(nullif(r.reason, ''), o.carrier_no, '') receipt
    from f join push_recipient r on r.id = f.id left join party p on p.id = r.party_id
    left join push_task t on t.id = r.task_id left join reminder_rule g on g.id = r.rule_id
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
