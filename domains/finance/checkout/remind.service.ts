import { sql } from "kysely";
import { type Day, timeInZone } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { sendOut } from "../../access/sms/sms.service.ts";
import { billNote } from "../bill/keep.service.ts";
import { isDisputed, isLateMoney } from "../bill/overdue.service.ts";
import type { Whom } from "./remind.contract.ts";
import { DISPUTED, minutesToWait, reminderText } from "./remind.rules.ts";

type Found = {
  id: number;
  billNo: string;
  villageId: number;
  villageName: string;
  enterpriseId: number;
  enterprise: string;
  partyId: number;
  partyName: string;
  phone: string;
  outstanding: Fen;
  dueDate: Day;
  late: boolean;
  disputed: boolean;
  /** The customer was or will be written to about this store on the day on which a message would go out. */
  told: boolean;
  /** When the customer last promised to pay. */
  promiseDay: Day | null;
};

const MINUTE_MS = 60_000;
/** The next moment at which customers may be written to, where now is none. */
function dueOf({ now, settings }: Pick<Read, "now" | "settings">): Date | null {
  const wait = minutesToWait(timeInZone(now, settings.TIME_ZONE).slice(11, 16));
  return wait > 0 ? new Date((Math.floor(now.getTime() / MINUTE_MS) + wait) * MINUTE_MS) : null;
}

/** The day on which a message goes out that is written now: late in the evening the next one. */
function goesOn(read: Pick<Read, "now" | "today" | "settings">): Day {
  const at = dueOf(read);
  return at ? timeInZone(at, read.settings.TIME_ZONE).slice(0, 10) : read.today;
}

const onceOf = (of: Pick<Found, "villageId" | "partyId">, day: Day) =>
  `dunning.${of.villageId}.${of.partyId}.${day}`;

/** The last day up to `day` on which a customer was written to about a store by hand, or nothing; columns of the ids. */
export function dunnedUntil(village: string, party: string, day: Day) {
  const prefix = sql`'dunning.' || ${sql.ref(village)} || '.' || ${sql.ref(party)} || '.'`;
  return sql`(select right(max(o.once_key), 10)::date from outbox o
    where o.once_key between ${prefix} and ${prefix} || ${day}::text and starts_with(o.once_key, ${prefix}))`;
}

async function billsOf(read: Read, { billIds, villageId, partyIds, villageIds }: Whom): Promise<Found[]> {
  if (villageId) inScope(read.who, villageId);
  const villages = villagesOf(read.who, villageIds);
  const which = billIds?.length
    ? sql`b.id = ${anyOf(billIds)}`
    : partyIds?.length
      ? sql`b.party_id = ${anyOf(partyIds)} and ${isLateMoney(read.today)}`
      : sql`b.village_id = ${villageId} and ${isLateMoney(read.today)}`;
  const { rows } = await sql<Found>`
    select b.id, b.bill_no "billNo", b.village_id "villageId", v.name "villageName", e.id "enterpriseId",
      e.name enterprise, b.party_id "partyId", p.name "partyName", p.phone, b.outstanding, b.due_date "dueDate",
      ${isLateMoney(read.today)} late, ${isDisputed} disputed,
      exists (select from outbox o where o.once_key = 'dunning.' || b.village_id || '.' || b.party_id || '.' || ${goesOn(read)}::text) told,
      (select w.promise_day from payment_promise w where w.party_id = b.party_id and w.village_id = b.village_id
        order by w.id desc limit 1) "promiseDay"
    from bill b join village v on v.id = b.village_id join enterprise e on e.id = v.enterprise_id
    join party p on p.id = b.party_id
    where ${which} and b.village_id = ${anyOf(villages)} order by b.party_id, b.due_date, b.id`.execute(
    read.tx,
  );
  if (billIds && rows.length < billIds.length) throw notFound();
  return rows;
}

/** Why a customer is not written to about these bills, or nothing. */
function whyNot(
  all: readonly Found[],
  asked: readonly Found[],
  { today, day }: { today: Day; day: Day },
): string | null {
  if (!asked.length) return all.some((bill) => bill.late) ? DISPUTED : "账单没有逾期，不需要催缴";
  if (!/^1\d{10}$/.test(asked[0]!.phone)) return "客户没有可接收短信的手机号";
  const { told, promiseDay } = asked[0]!;
  if (promiseDay && promiseDay > today) return `客户承诺 ${promiseDay} 付款，此前不催缴`;
  if (told) return day > today ? "明早的催缴短信已安排" : "今天已经催缴过";
  return null;
}

/** Each customer once for each store, with what is late there and not disputed. */
async function partiesOf(read: Read, whom: Whom) {
  const found = await billsOf(read, whom);
  return [...Map.groupBy(found, (b) => `${b.villageId} ${b.partyId}`).values()].map((all) => {
    const asked = all.filter((bill) => bill.late && !bill.disputed);
    const [first] = asked.length ? asked : all;
    const row = {
      partyId: first!.partyId,
      partyName: first!.partyName,
      villageName: first!.villageName,
      bills: asked.length,
      amount: asked.reduce((sum, bill) => sum + bill.outstanding, 0),
      since: first!.dueDate,
      phone: maskPhone(first!.phone),
      refusal: whyNot(all, asked, { today: read.today, day: goesOn(read) }),
    };
    return { row, asked };
  });
}
type Parties = Awaited<ReturnType<typeof partiesOf>>;

const shown = (read: Read, parties: Parties) => {
  const going = parties.map(({ row }) => row).filter((row) => row.refusal === null);
  return {
    parties: parties.map(({ row }) => row),
    messages: going.length,
    amount: going.reduce((sum, row) => sum + row.amount, 0),
    at: dueOf(read)?.toISOString() ?? null,
  };
};

export const previewReminders = async (read: Read, whom: Whom) => shown(read, await partiesOf(read, whom));

/** One message to each customer, once a day for each store; who cannot be sent one keeps nobody else from theirs. */
export async function remind(act: Act, whom: Whom) {
  // who sends to the same customer at the same time waits here, and then finds what has gone
  const ids = (await billsOf(act, whom)).map((bill) => bill.partyId);
  await sql`select from party where id = ${anyOf(ids)} order by id for no key update`.execute(act.tx);
  const parties = await partiesOf(act, whom);
  const going = parties.filter(({ row }) => row.refusal === null);
  const dueAt = dueOf(act);
  await sendOut(
    act,
    going.map(({ row, asked: [first] }) => ({
      channel: "sms" as const,
      recipient: first!.phone,
      body: reminderText({ ...row, enterprise: first!.enterprise, name: row.partyName }),
      source: "notice" as const,
      sourceId: first!.id,
      partyId: first!.partyId,
      villageId: first!.villageId,
      enterpriseId: first!.enterpriseId,
      // two who press at once write once
      once: onceOf(first!, goesOn(act)),
      ...(dueAt && { dueAt }),
    })),
  );
  await act.note(
    going.flatMap(({ row, asked }) =>
      asked.map((bill) =>
        billNote(bill, "催缴", `短信至 ${row.phone}，${row.bills} 笔逾期共 ${yuan(row.amount)} 元`),
      ),
    ),
  );
  return shown(act, parties);
}
