import { sql } from "kysely";
import { type Day, addDays, daysBetween, firstOf, lastOf, monthOf } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { from, is, keyword, named, number, type Sql, to } from "../../../platform/server/lists/conditions.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { type List, listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { OPEN } from "../act/act.rules.ts";
import { CONFIG_DEFAULTS } from "../config/config.rules.ts";
import { overdueBills, partyPhone } from "../contract/contract.queries.ts";
import { roomFacts } from "../contract/facts.queries.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { agreed, rentsOn } from "../succession/agreed.rules.ts";
import { roomsLeft } from "../succession/succession.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { listRenewals, type RenewalRow } from "./renewal.contract.ts";
import { type Left, type RenewalTab, SOON_DAYS, TABS, riseOf } from "./renewal.rules.ts";

/** No store may open renewals earlier than this before the end. */
const WIDEST_WINDOW = 180;
/** The settings of contract c's store (g) and of its enterprise (e), of which the store's own hold. */
const SETTINGS = sql`left join contract_config g on g.village_id = c.village_id
  left join contract_config e on e.enterprise_id = c.enterprise_id and e.village_id is null`;
const WINDOW = sql`coalesce(g.renewal_window_days, e.renewal_window_days, ${CONFIG_DEFAULTS.renewalWindowDays}::int)`;
const NEEDS_PAID = sql`coalesce(g.renew_needs_paid, e.renew_needs_paid, ${CONFIG_DEFAULTS.renewNeedsPaid})`;

/** Contract c ends within the time before its end in which its store renews; that is looked up once for each store. */
const MAY_RENEW = (today: Day) => sql`exists (select from village s
  left join contract_config g on g.village_id = s.id
  left join contract_config e on e.enterprise_id = s.enterprise_id and e.village_id is null
  where s.id = c.village_id and c.end_date <= ${today}::date + ${WINDOW})`;

const OPEN_ACT = sql`from contract_act o where o.contract_id = c.id and o.state in (${sql.join(OPEN.map((s) => sql.lit(s)))})`;
const LEAVING = sql`c.id in (select contract_id from renewal_follow where intent = 'leaving')`;
/** Contracts whose last renewal stands so. */
const lastRenewal = (...states: string[]) => sql`c.id in (select a.contract_id from contract_act a
  where a.kind = 'renew' and a.state = any(${states}::text[])
    and not exists (select from contract_act b where b.contract_id = a.contract_id and b.kind = 'renew' and b.id > a.id))`;

const tabSql = (tab: RenewalTab, { today }: Pick<Read, "today">): Sql => {
  if (tab === "due")
    return sql`in_force(c.state) and c.next_id is null and c.end_date <= ${addDays(today, WIDEST_WINDOW)}::date
      and ${MAY_RENEW(today)} and not exists (select ${OPEN_ACT}) and not ${LEAVING}`;
  // whatever was said or is being done about it
  if (tab === "soon")
    return sql`in_force(c.state) and c.next_id is null
      and c.end_date between ${today}::date and ${addDays(today, SOON_DAYS)}::date`;
  if (tab === "leaving")
    return sql`${LEAVING} and c.next_id is null and not exists (select ${OPEN_ACT} and o.kind = 'renew')`;
  return tab === "cancelled" ? lastRenewal("cancelled", "rejected") : lastRenewal(tab);
};

const DAYS: Record<Exclude<Left, "over">, number> = { d7: 7, d15: 15, d30: 30, d60: 60 };

/** An offer that nobody answered in time reads as expired; its row stays as it was. */
export const offerState = ({ now }: Pick<Read, "now">) => sql`case when f.state in ('sent', 'opened')
  and f.expires_at <= ${now.toISOString()}::timestamptz then 'expired' else f.state end`;
const LAST_OFFER = sql`lateral (select f.* from renewal_offer f where f.contract_id = c.id order by f.id desc limit 1) f`;

type Raw = Omit<RenewalRow, "daysLeft" | "listPrice" | "rise">;
type Totals = { total: number; rent: Fen; newRent: Fen } & Record<
  "ended" | "renewed" | "offered" | "opened" | "answered",
  number
>;

const columns = (read: Read) => sql<Raw>`
  c.id, c.contract_no "contractNo", c.kind, c.state "contractState", c.village_id "villageId", v.name "villageName",
  c.room_names "roomNames", c.party_id "partyId", c.party_name "partyName", c.end_date "endDate", c.current_rent rent,
  coalesce(w.intent, 'none') intent, coalesce(w.note, '') "followNote", w.followed_at "followedAt", w.next_on "nextOn",
  coalesce((select sum(b.outstanding) ${overdueBills(read.today)}), 0)::bigint overdue,
  coalesce(d.held, 0) "depositHeld", a.id "actId", a.act_no "actNo", a.version "actVersion",
  case when a.state = 'requested' then (a.payload->>'months')::int end wanted, n.id "newId",
  n.start_date "newStart", n.end_date "newEnd", n.monthly_rent "newRent",
  case when a.state not in ('cancelled', 'rejected') then a.state when w.intent = 'leaving' then 'leaving'
    when in_force(c.state) and c.next_id is null then case when c.end_date > ${read.today}::date + ${WINDOW} then 'early' else 'due' end
    else coalesce(a.state, 'due') end state,
  f.id "offerId", ${offerState(read)} "offerState", coalesce(k.real_name, '') "managerName", c.next_id "nextId",
  (select o.act_no ${OPEN_ACT}) "openActNo", ${WINDOW} "windowDays", ${NEEDS_PAID} "needsPaid"`;

const BESIDE = sql`join village v on v.id = c.village_id left join renewal_follow w on w.contract_id = c.id
  left join deposit_balance d on d.contract_id = c.id and d.kind = 'deposit'
  left join operator k on k.id = c.manager_operator_id
  left join lateral (select a.* from contract_act a where a.contract_id = c.id and a.kind = 'renew'
    order by a.id desc limit 1) a on true
  left join contract n on n.id = a.result_contract_id and n.state <> 'voided' left join ${LAST_OFFER} on true ${SETTINGS}`;

/** More rooms than this have no list price worth adding up in a row of a list. */
const MOST_PRICED = 20;

/** What the rooms that a lease still has at its end are offered for today; nothing where one of them has no price. */
async function listPrices(read: Read, ids: readonly number[]): Promise<Map<number, Fen>> {
  const { rows } = await sql<{ contractId: number; rooms: number[] }>`
    select k.contract_id "contractId", array_agg(k.room_id order by k.seq) rooms
    from contract_room k join contract c on c.id = k.contract_id
    where k.contract_id = ${anyOf(ids)} and (k.leave_date is null or k.leave_date >= c.end_date)
    group by 1 having count(*) <= ${MOST_PRICED}`.execute(read.tx);
  const facts = await roomFacts(
    read,
    rows.flatMap((r) => r.rooms),
    read.today,
  );
  const priced = new Map(facts.map((r) => [r.roomId, r.listPrice]));
  return new Map(
    rows.flatMap(({ contractId, rooms }) => {
      const prices = rooms.map((id) => priced.get(id) ?? null);
      return prices.includes(null) ? [] : [[contractId, prices.reduce<number>((sum, p) => sum + p!, 0)]];
    }),
  );
}

async function shown(raws: Raw[], read: Read): Promise<RenewalRow[]> {
  const prices = await listPrices(
    read,
    raws.map((r) => r.id),
  );
  return raws.map((raw) => ({
    ...raw,
    partyName: read.who.permits.has(`${KINDS[raw.kind].code}.query`)
      ? raw.partyName
      : maskName(raw.partyName),
    daysLeft: daysBetween(read.today, raw.endDate),
    listPrice: prices.get(raw.id) ?? null,
    rise: raw.newRent === null ? null : riseOf(raw.rent, raw.newRent),
  }));
}

/** Leases that end, the next first, each with what is done to go on with it. */
export const renewals: List<typeof listRenewals> = listOf(listRenewals, {
  id: "c.id",
  from: sql`contract c`,
  // one plan for all days takes those that end soon for a handful and sorts all of them
  plannedAnew: true,
  village: "c.village_id",
  scope: () => sql`c.state not in ('draft', 'approving', 'signing', 'voided')`,
  where: {
    tab: tabSql,
    endFrom: from("c.end_date"),
    endTo: to("c.end_date"),
    left: (left, { today }) =>
      left === "over"
        ? sql`c.end_date < ${today}::date`
        : sql`c.end_date between ${today}::date and ${addDays(today, DAYS[left])}::date`,
    intent: (intent) =>
      intent === "none"
        ? sql`not exists (select from renewal_follow w where w.contract_id = c.id)`
        : sql`exists (select from renewal_follow w where w.contract_id = c.id and w.intent = ${intent})`,
    offer: (offer, read) => sql`exists (select from ${LAST_OFFER} where ${offerState(read)} = ${offer})`,
    managerId: is("c.manager_operator_id"),
    owing: (wanted, { today }) => {
      const owes = sql`exists (select ${overdueBills(today)})`;
      return wanted === "true" ? owes : sql`not ${owes}`;
    },
    keyword: keyword(
      number("c.contract_no"),
      named("c.party_name", "c.room_names"),
      partyPhone,
      (text) =>
        sql`c.id = any(array(select a.contract_id from contract_act a where a.kind = 'renew' and ${number("a.act_no")(text)}))`,
    ),
  },
  sort: {
    endDate: { by: "c.end_date", way: "asc" },
    followedAt: {
      by: sql`w.followed_at`,
      join: sql`left join renewal_follow w on w.contract_id = c.id`,
    },
    rent: { by: "c.current_rent" },
  },
  order: "endDate",
  columns,
  join: sql`join contract c on c.id = page.id ${BESIDE}`,
  totals: async (read, asked, where) => {
    const month = monthOf(read.today);
    const { endFrom, endTo, tab: _, ...filter } = asked;
    const ranged = endFrom || endTo;
    const ending = await renewals.condition(read, {
      ...filter,
      endFrom: ranged ? endFrom : firstOf(month),
      endTo: ranged ? endTo : lastOf(month),
    });
    const { rows } = await sql<Totals>`
      with f as materialized (select c.id, c.current_rent from contract c where ${where}),
      e as (select exists (select from contract n where n.previous_id = c.id and n.source = 'renewal'
        and n.state not in ('draft', 'approving', 'signing', 'voided')) renewed from contract c where ${ending}),
      o as (select count(distinct contract_id)::int offered, count(distinct contract_id) filter (where opened_at is not null)::int opened,
          count(distinct contract_id) filter (where state in ('chosen', 'declined'))::int answered
        from renewal_offer where state <> 'withdrawn' and contract_id in (select id from f))
      select o.*, (select count(*) from f)::int total, (select coalesce(sum(current_rent), 0) from f)::bigint rent,
        (select coalesce(sum(n.monthly_rent), 0) from contract_act a
          join contract n on n.id = a.result_contract_id and n.state <> 'voided' where a.kind = 'renew' and a.contract_id in (select id from f))::bigint "newRent",
        (select count(*) from e)::int ended, (select count(*) filter (where renewed) from e)::int renewed from o`.execute(
      read.tx,
    );
    const { ended, renewed } = rows[0]!;
    return { ...rows[0]!, rate: ended ? Math.round((renewed * 10_000) / ended) / 10_000 : null };
  },
  rows: (raws: Raw[], read) => shown(raws, read),
});

/** How many stand in each tab; each is counted by its own index. */
export async function renewalCounts(read: Read, filter: object): Promise<Record<RenewalTab, number>> {
  const tabs = Object.keys(TABS) as RenewalTab[];
  const counted = await Promise.all(
    tabs.map(
      async (tab) =>
        sql`(select count(*) from contract c where ${await renewals.condition(read, { ...filter, tab })})::int ${sql.ref(tab)}`,
    ),
  );
  const { rows } = await sql<Record<RenewalTab, number>>`select ${sql.join(counted)}`.execute(read.tx);
  return rows[0]!;
}

/** One lease that ends: its rooms with their rents on the last day, and the offers that were made. */
export async function renewalDetail(read: Read, id: number) {
  const contract = await contractRecord(read, id);
  const row = await renewals.one(read, id);
  const before = agreed(contract);
  const rents = rentsOn(before, contract.end!);
  const left = roomsLeft(before).map(({ roomId }) => roomId);
  const facts = new Map((await roomFacts(read, left, read.today)).map((r) => [r.roomId, r]));
  const { rows: offers } = await sql<never>`
    select f.id, ${offerState(read)} state, f.choices, f.choice, f.answer, f.expires_at "expiresAt", f.opened_at "openedAt",
      f.answered_at "answeredAt", f.created_at "createdAt", coalesce(o.real_name, '') "createdBy"
    from renewal_offer f left join operator o on o.id = f.created_by where f.contract_id = ${id} order by f.id desc limit 20`.execute(
    read.tx,
  );
  const waits = await aRow(read, "contractAct", ["reason"], {
    contractId: id,
    kind: "renew",
    state: "requested",
  });
  return {
    ...row,
    today: read.today,
    asked: waits?.reason ?? "",
    startDate: contract.start!,
    rooms: left.map((roomId) => ({
      roomId,
      name: facts.get(roomId)?.name ?? "",
      rent: rents.get(roomId)!,
      listPrice: facts.get(roomId)?.listPrice ?? null,
    })),
    offers,
  };
}
