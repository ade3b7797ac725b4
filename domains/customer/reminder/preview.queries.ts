import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { MOST } from "../push/push.rules.ts";
import { planRule, type Reminder } from "./plan.service.ts";
import { sentBy } from "./reminder.queries.ts";
import { dayText, goesAt, SKIPS } from "./reminder.rules.ts";
import { storesOf, type Rule } from "./rule.service.ts";
import { staffToday } from "./staff.service.ts";

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
