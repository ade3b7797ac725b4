import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { markedCache } from "../../../platform/server/database/cache.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { MOST } from "../push/push.rules.ts";
import { type EffectRow, ruleEffect } from "./effect.contract.ts";
import { type Reminder, planRule, staffToday } from "./plan.service.ts";
import { RULE_ASKS, channelsOf, rulesOf, sentBy, villageNames } from "./reminder.queries.ts";
import { SKIPS, dayText, goesAt, ofBills } from "./reminder.rules.ts";
import { type Rule, storesOf } from "./rule.service.ts";

const SAMPLE = 20;

/** Ways that no service is connected to. */
const keptHere = ({ settings }: Read): Channel[] => [
  ...(settings.SMS_DRIVER === "outbox" ? (["sms"] as const) : []),
  ...(settings.MAIL_DRIVER === "outbox" ? (["email"] as const) : []),
];

const people = (reminders: readonly Reminder[]) => new Set(reminders.map((r) => r.partyId)).size;

const hidden = (address: string): string => {
  const at = address.indexOf("@");
  return at < 0 ? maskPhone(address) : `${address.slice(0, 1)}***${address.slice(at)}`;
};

/** Who would get a rule's messages today, of the stores in scope, as the sending would work it out now. */
export async function previewOf(read: Read, rule: Rule) {
  const stores = (await storesOf(read, rule)).filter((store) => read.who.villages.includes(store.id));
  const villages = stores.map((store) => store.id);
  const times = stores.map((store) => goesAt(rule.sendAt, store)).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const { reminders } = await planRule(read, rule, villages, { after: 0, most: MOST });
  const going = reminders.filter((r) => !r.skip);
  const skipped = Map.groupBy(
    reminders.filter((r) => r.skip),
    (r) => SKIPS[r.skip!],
  );
  const staff = await staffToday(read, rule, villages);
  return {
    people: people(going),
    messages: going.length,
    parts: going.reduce((sum, r) => sum + r.parts, 0),
    skipped: [...skipped].map(([reason, list]) => ({ reason, count: people(list) })),
    sample: going.slice(0, SAMPLE).map((r) => ({
      id: r.partyId,
      name: r.name,
      channel: r.channel,
      address: r.address ? hidden(r.address) : "",
      day: [...new Set(r.facts.map((fact) => dayText(fact.days)))].join("、"),
      records: r.facts.map((fact) => fact.number).join("、"),
      text: r.text,
    })),
    operators: new Set(staff.flatMap((store) => store.staff)).size,
    at: times[0]?.at ?? rule.sendAt,
    moved: times.some((time) => time.moved),
    ran: rule.ranOn === read.today,
    sentToday: (await sentBy(read, rule.id)).today,
    keptHere: keptHere(read).filter((channel) => rule.ways.some((way) => way.channel === channel)),
  };
}

const DAYS = 30;
/** So long after a reminder a payment is taken as its effect. */
const WITHIN = 7;

type Counted = Pick<EffectRow, "sent" | "delivered" | "failed"> & { bills: number; paid: number };

/** What went out of some rules lately, and which of the bills were paid in full soon after, by store. */
async function countedByStore(read: Read, rules: readonly number[]) {
  const zone = read.settings.TIME_ZONE;
  const { rows } = await sql<Counted & { ruleId: number; villageId: number }>`
    with m as materialized (select r.id, r.rule_id, r.village_id, r.state, (r.made_at at time zone ${zone})::date made_on
      from push_recipient r where r.rule_id = ${anyOf(rules)}
        and r.made_at >= ${addDays(read.today, 1 - DAYS)}::timestamp at time zone ${zone}),
    b as (select m.rule_id, m.village_id, b.id, coalesce(bool_or(p.day between m.made_on and m.made_on + ${WITHIN}::int), false) paid
      from m join reminder_line l on l.recipient_id = m.id and l.kind = 'bill' join bill b on b.id = l.record_id
        cross join lateral (select max(a.date) "day" from allocation a
          where a.bill_id = b.id and b.status = 'paid' and b.written_off = 0) p
      where m.state = 'delivered' group by 1, 2, 3),
    x as (select rule_id, village_id, count(*)::int bills, count(*) filter (where paid)::int paid from b group by 1, 2)
    select m.rule_id "ruleId", m.village_id "villageId", count(*)::int sent,
      count(*) filter (where m.state = 'delivered')::int delivered, count(*) filter (where m.state = 'failed')::int failed,
      coalesce(max(x.bills), 0) bills, coalesce(max(x.paid), 0) paid
    from m left join x using (rule_id, village_id) group by 1, 2`.execute(read.tx);
  return Map.groupBy(rows, (row) => row.ruleId);
}

/** What a rule sent last tells of it; that something arrived or was paid is counted within a minute. */
const countedOf = markedCache<Read, number, (Counted & { villageId: number })[]>({
  base: ({ tx }) => tx,
  marks: async (read, rules) => {
    const { rows } = await sql<{ id: number; last: string | null }>`
      select id, (select max(made_at) from push_recipient where rule_id = r.id) last from unnest(${rules as number[]}::bigint[]) r (id)`.execute(
      read.tx,
    );
    return new Map(rows.map(({ id, last }) => [id, `${read.today} ${last}`]));
  },
  make: countedByStore,
  longestMs: 60_000,
});

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
    const counted = await countedOf(
      read,
      raws.map((row) => row.id),
    );
    const seen = new Set(villagesOf(read.who, villageIds));
    return raws.map((row): EffectRow => {
      const stores = counted.get(row.id)?.filter((store) => seen.has(store.villageId)) ?? [];
      const sum = (key: keyof Counted) => stores.reduce((all, store) => all + store[key], 0);
      const [bills, paid] = [sum("bills"), sum("paid")];
      const ends = ofBills(row.event)
        ? { bills, paid, paidRate: bills ? paid / bills : null }
        : { bills: null, paid: null, paidRate: null };
      return { ...row, sent: sum("sent"), delivered: sum("delivered"), failed: sum("failed"), ...ends };
    });
  },
});
