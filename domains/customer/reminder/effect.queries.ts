import { sql } from "kysely";
import type { z } from "zod";
import { addDays } from "../../../platform/kernel/day.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { texts } from "../push/push.queries.ts";
import type { EffectRow, ruleEffect } from "./effect.contract.ts";
import { channelsOf, villageNames } from "./reminder.queries.ts";
import { ofBills } from "./reminder.rules.ts";
import { seenRules } from "./rule.service.ts";

const DAYS = 30;
/** So long after a reminder a payment is taken as its effect. */
const WITHIN = 7;

type Counted = Pick<EffectRow, "id" | "sent" | "delivered" | "failed"> & { bills: number; paid: number };

/** Of some rules: what went out lately, and which of the bills were paid in full soon after. */
async function countedOf(read: Read, rules: readonly number[], villages: readonly number[]) {
  const zone = read.settings.TIME_ZONE;
  const { rows } = await sql<Counted>`
    with m as materialized (select r.id, r.rule_id, r.state, (r.made_at at time zone ${zone})::date made_on
      from push_recipient r where r.rule_id = ${anyOf(rules)} and r.village_id = ${anyOf(villages)}
        and r.made_at >= ${addDays(read.today, 1 - DAYS)}::timestamp at time zone ${zone}),
    b as (select m.rule_id, b.id, bool_or(b.status = 'paid' and b.written_off = 0
        and (select max(a.date) from allocation a where a.bill_id = b.id) between m.made_on and m.made_on + ${WITHIN}::int) paid
      from m join reminder_line l on l.recipient_id = m.id and l.kind = 'bill' join bill b on b.id = l.record_id
      where m.state = 'delivered' group by 1, 2)
    select m.rule_id id, count(*)::int sent, count(*) filter (where m.state = 'delivered')::int delivered,
      count(*) filter (where m.state = 'failed')::int failed,
      (select count(*)::int from b where b.rule_id = m.rule_id) bills,
      (select count(*)::int from b where b.rule_id = m.rule_id and b.paid) paid
    from m group by m.rule_id`.execute(read.tx);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function effectList(read: Read, query: z.output<typeof ruleEffect.query>) {
  const { ids, villageIds, event, state, keyword } = query;
  const villages = villagesOf(read.who, villageIds);
  const filter = sql`${seenRules(read)}
    ${ids?.length ? sql`and r.id = ${anyOf(ids)}` : sql``}
    ${villageIds?.length ? sql`and (r.village_ids = '{}' or r.village_ids && ${villages as number[]}::bigint[])` : sql``}
    ${event?.length ? sql`and r.event = any(${texts(event)})` : sql``}
    ${state ? sql`and r.enabled = ${state === "on"}` : sql``}
    ${keyword ? sql`and r.name ilike ${containing(keyword)}` : sql``}`;
  type Found = Pick<EffectRow, "id" | "name" | "event" | "offsets" | "channels" | "villageNames" | "state">;
  const by = query.sort === "name" ? sql`r.name ${sql.raw(query.order ?? "asc")}` : sql`r.enabled desc`;
  const { rows } =
    query.want === "totals"
      ? { rows: [] }
      : await sql<Found>`
          select r.id, r.name, r.event, r.offsets, ${channelsOf} channels, ${villageNames(read)} "villageNames",
            case when r.enabled then 'on' else 'off' end state
          from reminder_rule r where ${filter} order by ${by}, r.id ${pageEnd(query)}`.execute(read.tx);
  const counted = await countedOf(
    read,
    rows.map((row) => row.id),
    villages,
  );
  const list = rows.map((row): EffectRow => {
    const { sent = 0, delivered = 0, failed = 0, bills = 0, paid = 0 } = counted.get(row.id) ?? {};
    const ends = ofBills(row.event)
      ? { bills, paid, paidRate: bills ? paid / bills : null }
      : { bills: null, paid: null, paidRate: null };
    return { ...row, sent, delivered, failed, ...ends };
  });
  if (query.want === "rows") return { list, total: null };
  const { rows: all } = await sql<{ total: number }>`
    select count(*)::int total from reminder_rule r where ${filter}`.execute(read.tx);
  return { list, total: all[0]!.total };
}
