import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import type { billReminders } from "./reminded.contract.ts";

type Reminded = z.input<typeof billReminders.reply>;

/** Every time that somebody or a rule asked for a bill, the latest first. */
export async function remindedOf(read: Read, billId: number): Promise<Reminded> {
  const found = await sql<{ letterOf: number | null }>`
    select case when ${isLateMoney(read.today)} then b.contract_id end "letterOf" from bill b
    where b.id = ${billId} and b.village_id = ${anyOf(read.who.villages)}`.execute(read.tx);
  if (!found.rows[0]) throw notFound();
  const { rows } = await sql<Reminded["list"][number]>`
    select at, by, text, who, state from (
      select r.made_at at, 'rule' "by", r.body text, '系统' who, r.state from reminder_line l
        join push_recipient r on r.id = l.recipient_id where l.kind = 'bill' and l.record_id = ${billId}
      union all
      select g.at, case g.action when '催缴' then 'hand' else 'link' end, g.summary, coalesce(nullif(g.operator_name, ''), '系统'),
        null from business_log g
        where g.kind = 'bill' and g.record_id = ${billId} and g.action in ('催缴', '付款链接')) t
    order by at desc limit 100`.execute(read.tx);
  return { letterOf: found.rows[0].letterOf, list: rows };
}
