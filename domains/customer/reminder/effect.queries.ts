import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { ruleEffect, type EffectRow } from "./effect.contract.ts";
import { channelsOf, RULE_ASKS, rulesOf, villageNames } from "./reminder.queries.ts";
import { ofBills } from "./reminder.rules.ts";

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

type Found = Pick<EffectRow, "id" | "name" | "event" | "offsets" | "channels" | "villageNames" | "state">;
export const effects = listOf(ruleEffect, {
  id: "r.id",
  from: sql`reminder_rule r`,
  scope: (read, { villageIds }) => rulesOf(read, villageIds),
  where: RULE_ASKS,
  sort: { name: { by: "r.name", way: "asc" } },
  order: sql`r.enabled desc, r.id`,
  tie: sql`r.id`,
  columns: (read: Read) => sql<Found>`r.id, r.name, r.event, r.offsets, ${channelsOf} channels,
    ${villageNames(read)} "villageNames", case when r.enabled then 'on' else 'off' end state`,
  join: sql`join reminder_rule r on r.id = page.id`,
  rows: async (raws: Found[], read, { villageIds }) => {
    const ids = raws.map((row) => row.id);
    const counted = await countedOf(read, ids, villagesOf(read.who, villageIds));
    return raws.map((row): EffectRow => {
      const { sent = 0, delivered = 0, failed = 0, bills = 0, paid = 0 } = counted.get(row.id) ?? {};
      const ends = ofBills(row.event)
        ? { bills, paid, paidRate: bills ? paid / bills : null }
        : { bills: null, paid: null, paidRate: null };
      return { ...row, sent, delivered, failed, ...ends };
    });
  },
});
