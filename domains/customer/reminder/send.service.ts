import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import type { House } from "../../../platform/server/pipeline/pipeline.ts";
import { keeps } from "../../access/sms/deliver.service.ts";
import { enqueue, type Outgoing } from "../../access/sms/sms.service.ts";
import { within } from "../push/hand-over.service.ts";
import { awakeAt } from "../push/push.service.ts";
import { type Reminder, planRule, tellStaff } from "./plan.service.ts";
import { KIND_OF, timeHasCome } from "./reminder.rules.ts";
import { ruleOf, storesOf, type Rule } from "./rule.service.ts";

/** So many people are written to in one transaction. */
const AT_A_TIME = 500;

type Numbered = Reminder & { id: number; channel: "sms" | "email" | "inApp" };
const onceOf = ({ id }: { id: number }) => `rule.${id}`;

/** Sends what a rule has to say today, from wherever it stood; answers how many messages. */
export async function runRule(house: House, ruleId: number): Promise<number> {
  let after = 0;
  let sent = 0;
  for (;;) {
    const step = await within(house, async (act) => {
      const due = await dueRule(act, ruleId);
      if (!due) return undefined;
      const { rule, villages, all } = due;
      const { reminders, last } = await planRule(act, rule, villages, { after, most: AT_A_TIME });
      const count = await hand(house, act, rule, reminders);
      if (last === undefined) {
        await tellStaff(act, rule, villages);
        // a store that is still quiet has its turn later in the day
        if (all) await setRan(act, rule.id);
      }
      return { count, last };
    });
    if (!step) return sent;
    sent += step.count;
    if (step.last === undefined) return sent;
    after = step.last;
  }
}

type Due = { rule: Rule; villages: number[]; all: boolean };

/** The rule, locked, with the stores where it is to go now: nobody else runs or changes it meanwhile. */
async function dueRule(act: Act, id: number): Promise<Due | undefined> {
  const rule = await ruleOf(act, id, "lock");
  if (!rule?.enabled || rule.ranOn === act.today) return undefined;
  const clock = timeInZone(act.now, act.settings.TIME_ZONE).slice(11, 16);
  const stores = await storesOf(act, rule);
  const open = stores.filter((store) => timeHasCome(rule.sendAt, clock, store));
  if (!open.length) return undefined;
  return { rule, villages: open.map((store) => store.id), all: open.length === stores.length };
}

const setRan = (act: Act, id: number) =>
  act.tx.updateTable("reminderRule").set({ ranOn: act.today }).where("id", "=", id).execute();

/** Writes down who gets what about which records, and puts it into the outbox, all at once. */
async function hand(house: House, act: Act, rule: Rule, reminders: readonly Reminder[]): Promise<number> {
  const going = reminders.filter((r) => !r.skip);
  if (!going.length) return 0;
  const ids = await nextIds(act, "push_recipient", going.length);
  const rows = going.map((r, i): Numbered => ({ ...r, id: ids[i]! }));
  const at = act.now.toISOString();
  await act.tx
    .insertInto("pushRecipient")
    .values(
      rows.map((r) => ({
        id: r.id,
        ruleId: rule.id,
        madeAt: at,
        partyId: r.partyId,
        channel: r.channel,
        villageId: r.facts[0]!.villageId,
        addressCipher: r.address ? act.cipher.seal(r.address) : null,
        params: JSON.stringify(r.values),
        body: r.text.slice(0, 2000),
        parts: r.parts,
        // what is read inside the product is there at once
        state: r.channel === "inApp" ? "delivered" : "handed",
        doneAt: r.channel === "inApp" ? at : null,
      })),
    )
    .execute();
  await act.tx
    .insertInto("reminderLine")
    .values(
      rows.flatMap((r) =>
        r.facts.map(({ recordId, offset }) => ({
          ruleId: rule.id,
          kind: KIND_OF[rule.event],
          recordId,
          days: offset,
          partyId: r.partyId,
          channel: r.channel,
          recipientId: r.id,
        })),
      ),
    )
    .execute();
  await post(house, act, rule, rows);
  return rows.length;
}

/** No provider gets more in a minute than it takes; what stays in the house needs no such care. */
async function post(house: House, act: Act, rule: Rule, rows: readonly Numbered[]): Promise<void> {
  const stores = await storesOf(act, rule);
  const outgoing: Outgoing[] = [];
  for (const channel of ["sms", "email"] as const) {
    const way = rule.ways.find((w) => w.channel === channel);
    const perMinute = channel === "sms" ? house.settings.SMS_PER_MINUTE : house.settings.MAIL_PER_MINUTE;
    const pause = keeps(house, channel) ? 0 : 60_000 / perMinute;
    let due = new Date(pause ? await lastDue(act, channel) : act.now.getTime());
    const mine = rows.filter((r) => r.channel === channel);
    for (const r of mine) {
      // a long batch that quiet hours overtake goes on when they are over
      const store = stores.filter((s) => s.id === r.facts[0]!.villageId);
      due = awakeAt("reminder", due, store, act.settings.TIME_ZONE);
      outgoing.push({
        channel,
        recipient: r.address,
        subject: way!.title || rule.name,
        body: r.text,
        template: way!.outsideId,
        params: r.values as Record<string, string>,
        source: "rule",
        sourceId: rule.id,
        partyId: r.partyId,
        villageId: r.facts[0]!.villageId,
        enterpriseId: rule.enterpriseId,
        dueAt: due,
        ...(store[0] && { quiet: store[0] }),
        once: onceOf(r),
      });
      due = new Date(due.getTime() + pause);
    }
  }
  await enqueue(act, outgoing);
  await sql`update push_recipient r set outbox_id = o.id from outbox o
    where r.id = any(${rows.map((r) => r.id)}::bigint[]) and o.once_key = 'rule.' || r.id`.execute(act.tx);
}

/** The moment up to which a provider has enough to do with reminders. */
async function lastDue(act: Act, channel: "sms" | "email"): Promise<number> {
  const row = await act.tx
    .selectFrom("outbox")
    .select(({ fn }) => fn.max("dueAt").as("dueAt"))
    .where("state", "=", "queued")
    .where("source", "=", "rule")
    .where("channel", "=", channel)
    // what waits for another morning keeps nobody
    .where(sql<boolean>`(due_at at time zone ${act.settings.TIME_ZONE})::date <= ${act.today}::date`)
    .executeTakeFirst();
  return Math.max(act.now.getTime(), row?.dueAt ? new Date(row.dueAt).getTime() : 0);
}
