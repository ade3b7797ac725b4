import { sql } from "kysely";
import { firstOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { tell } from "../../system/message/message.service.ts";
import { type Channel, type Variable, filled, smsParts } from "../../system/template/template.rules.ts";
import { optedOut } from "../push/approval.service.ts";
import { type Fact, byStore, factsOf } from "./facts.queries.ts";
import { EVENTS, type ReminderEvent, type Skip, ofBills } from "./reminder.rules.ts";
import type { Rule } from "./rule.service.ts";

/** One message to one customer by one way about one record or several; `skip` says why it is not sent. */
export type Reminder = {
  partyId: number;
  name: string;
  channel: Channel;
  address: string;
  facts: readonly Fact[];
  text: string;
  values: Partial<Record<Variable, string>>;
  parts: number;
  skip: Skip | null;
};

type Values = Reminder["values"];
const each = (facts: readonly Fact[], of: (fact: Fact) => string) => [...new Set(facts.map(of))].join("、");

/** What the gaps of a text stand for; of several records the earliest day counts. */
function valuesOf(rule: Rule, facts: readonly Fact[], brand: string): Values {
  const [first] = facts as [Fact, ...Fact[]];
  const values: Values = {
    姓名: first.name,
    门店: each(facts, (f) => f.villageName),
    房间: each(facts, (f) => f.room),
    到期日: ofBills(rule.event) ? (first.endDate ?? "") : first.day,
    欠费: yuan(first.arrears ?? 0),
    品牌: brand,
  };
  if (ofBills(rule.event))
    return {
      ...values,
      账单数: String(facts.length),
      应付金额: yuan(facts.reduce((sum, f) => sum + f.amount, 0)),
      应收日: first.day,
      逾期天数: String(first.days),
    };
  const numbers = each(facts, (f) => f.number);
  return { ...values, 合同编号: numbers, 预订编号: numbers, 剩余天数: String(Math.max(0, -first.days)) };
}

/** How many automatic messages people have had this month, by way. */
async function hadThisMonth(read: Read, parties: readonly number[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; had: number }>`
    select party_id || channel key, count(*)::int had from push_recipient
    where rule_id is not null and party_id = ${anyOf(parties)} and state <> 'failed'
      and made_at >= ${firstOf(read.today)}::timestamp at time zone ${read.settings.TIME_ZONE}
    group by party_id, channel`.execute(read.tx);
  return new Map(rows.map((row) => [row.key, row.had]));
}

/**
 * Who would get what from a rule today: the same for a preview and for the sending. Answers the last person looked at,
 * for whoever goes on from there; undefined when there is nobody after.
 */
export async function planRule(
  read: Read,
  rule: Rule,
  villages: readonly number[],
  page: { after: number; most: number },
): Promise<{ reminders: Reminder[]; last: number | undefined }> {
  const people = Map.groupBy(await factsOf(read, rule, villages, page), (fact) => fact.partyId);
  const out = await optedOut(read, rule.enterpriseId);
  const had = await hadThisMonth(read, [...people.keys()]);
  const { productTitle } = await brandOf(read.settings.BRAND);

  const skipOf = (fact: Fact, channel: Channel, address: string): Skip | null => {
    if (fact.black) return "black";
    if (channel !== "inApp") {
      if (!address) return channel === "sms" ? "noAddress" : "noEmail";
      if (out.size && out.has(read.cipher.hash(address).toString("hex"))) return "optedOut";
    }
    const key = `${fact.partyId}${channel}`;
    const count = had.get(key) ?? 0;
    if (count >= rule.monthlyCap) return "capped";
    had.set(key, count + 1);
    return null;
  };
  const message = (facts: readonly Fact[], { channel, body }: Rule["ways"][number]): Reminder => {
    const [fact] = facts as [Fact, ...Fact[]];
    const address = channel === "sms" ? fact.phone : channel === "email" ? fact.email : "";
    const skip = fact.held ?? skipOf(fact, channel, address);
    const values = valuesOf(rule, facts, productTitle);
    const text = filled(body, values);
    const parts = channel === "sms" && !skip ? smsParts(text, productTitle) : 0;
    return { partyId: fact.partyId, name: fact.name, channel, address, facts, text, values, parts, skip };
  };
  const reminders = [...people.values()].flatMap((facts) =>
    rule.ways.flatMap((way) => {
      const fresh = facts.filter((fact) => !fact.said.includes(way.channel));
      const held = fresh.filter((fact) => fact.held).map((fact) => [fact]);
      const free = fresh.filter((fact) => !fact.held);
      const groups = rule.mergePerPayer && free.length ? [free] : free.map((fact) => [fact]);
      return [...groups, ...held].map((group) => message(group, way));
    }),
  );
  return { reminders, last: people.size < page.most ? undefined : Math.max(...people.keys()) };
}

const TYPE_OF = { billDue: 2, overdue: 2, contractEnd: 3, reservationEnd: 4 } as const satisfies Record<
  ReminderEvent,
  number
>;

/** Those of some roles who work in a store. */
async function staffOf({ tx }: Pick<Read, "tx">, rule: Rule, villageId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("operator as o")
    .select("o.id")
    .where("o.enterpriseId", "=", rule.enterpriseId)
    .where("o.state", "=", "active")
    .where(
      sql<boolean>`(o.super_type <> '' or o.all_villages or o.village_ids @> array[${villageId}::bigint])`,
    )
    .where(
      sql<boolean>`exists (select from operator_assignment a
        where a.operator_id = o.id and a.role_id = ${anyOf(rule.roleIds)})`,
    )
    .execute();
  return rows.map((row) => row.id);
}

/** Who works in a store with something to say today, store by store. */
export async function staffToday(read: Read, rule: Rule, villages: readonly number[]) {
  if (!rule.receivers.includes("operator")) return [];
  const stores = await byStore(read, rule, villages);
  const told = [];
  for (const store of stores) told.push({ ...store, staff: await staffOf(read, rule, store.villageId) });
  return told.filter((store) => store.staff.length > 0);
}

/** Tells those of the rule's roles what there is today in each of their stores: one message a store, once. */
export async function tellStaff(act: Act, rule: Rule, villages: readonly number[]): Promise<void> {
  for (const { villageId, villageName, records, amount, names, staff } of await staffToday(
    act,
    rule,
    villages,
  )) {
    const sum = ofBills(rule.event) ? `，合计 ${yuan(amount)} 元` : "";
    await tell(act, {
      to: staff,
      type: TYPE_OF[rule.event],
      title: `${villageName} ${EVENTS[rule.event][0]} ${records} 笔`,
      content: `${rule.name}：${records} 笔${sum}。${names}${records > 5 ? " 等" : ""}`,
      ...(rule.event === "overdue" && { bizType: "overdueBills", bizId: villageId }),
      villageId,
      once: `rule.${rule.id}.${villageId}.${act.today}`,
    });
  }
}
