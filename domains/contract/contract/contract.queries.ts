import { sql } from "kysely";
import { type Need, allows } from "../../../platform/kernel/call.ts";
import {
  type Day,
  type Month,
  addDays,
  addToMonth,
  daysBetween,
  firstOf,
  lastOf,
  monthOf,
} from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { type FieldError, forbidden } from "../../../platform/kernel/refusal.ts";
import { CONFIG_DEFAULTS } from "../config/config.rules.ts";
import {
  among,
  from,
  is,
  keyword,
  type Meaning,
  named,
  number,
  oneOf,
  phone,
  phrase,
  type Sql,
  to,
} from "../../../platform/server/lists/conditions.ts";
import { FEW_VILLAGES, type Plan, listOf } from "../../../platform/server/lists/list.ts";
import type { Read, Who } from "../../../platform/server/pipeline/act.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney, isOverdue } from "../../finance/bill/overdue.service.ts";
import type { Terms } from "../terms/terms.contract.ts";
import {
  type ContractFilter,
  type ContractRow,
  type ContractTab,
  type FLAGS,
  TABS,
  listContracts,
} from "./contract.contract.ts";
import { ENDING_DAYS, isInForce, phaseOf } from "./contract.rules.ts";
import { firstRoom, mayWithdraw } from "./record.queries.ts";
import { type ContractKind, needsOf, permitOf } from "../terms/kind.rules.ts";

/** Late money of contract c: on the ledger, past its due day, still open. The arrears report counts the same bills. */
export const overdueBills = (today: Day): Sql => sql`from bill b where b.contract_id = c.id
  and ${isLateMoney(today)}`;

/**
 * What is late of each contract, as `contract_id` and `fen`: from the few bills that are late, where one contract after the other would
 * be asked for its bills.
 */
const lateMoney = ({ who, today }: Read): Sql => sql`(select b.contract_id, sum(b.outstanding) fen from bill b
  where ${isOverdue(who.villages, today)} and b.contract_id is not null group by 1)`;
const owes = (read: Read): Sql => sql`c.id in (select contract_id from ${lateMoney(read)} late)`;

/** Contracts whose tenant is about to leave: the settlement is being worked on. */
const LEAVING = sql`c.id in (select contract_id from contract_act where kind = 'settle' and act_is_open(state))`;

/** What a tab holds. 在租 counts those soon to end too; the tab beside it shows them alone. */
export function tabOf(tab: ContractTab, today: string): Sql {
  const soon = addDays(today, ENDING_DAYS);
  const conditions: Record<ContractTab, Sql> = {
    all: sql`true`,
    draft: sql`c.state = 'draft'`,
    approving: sql`c.state = 'approving'`,
    signing: sql`c.state = 'signing'`,
    toStart: sql`c.state = 'effective' and c.start_date > ${today}::date`,
    living: sql`c.state = 'effective' and c.start_date <= ${today}::date`,
    ending: sql`c.state = 'effective' and c.start_date <= ${today}::date and c.end_date <= ${soon}::date`,
    expired: sql`c.state = 'expired'`,
    leaving: LEAVING,
    ended: sql`is_over(c.state)`,
    voided: sql`c.state = 'voided'`,
  };
  return conditions[tab];
}

/** What waits for approval about contract c: its own submission, its voiding, its paper. */
const openExamine = sql`from examine e where e.target_kind = 'contract' and e.target_id = c.id and e.state = 'approving'`;

export function flagOf(flag: Exclude<keyof typeof FLAGS, "owing">, today: string): Sql {
  if (flag === "approving") return sql`exists (select ${openExamine})`;
  if (flag === "signing") return sql`c.state = 'signing'`;
  if (flag === "unsettled") return sql`c.state = 'expired'`;
  if (flag === "leaving") return LEAVING;
  return sql`c.state = 'effective' and c.handover_on is null and c.start_date <= ${today}::date`;
}

/** The phone of the party of `contract c`, whole or by its last four digits. */
export const partyPhone: Meaning = (text) => {
  const theirs = phone("phone")(text);
  return theirs && sql`c.party_id = any(array(select id from party where ${theirs}))`;
};

/**
 * `contract c` of some villages, for whoever shows the newest `most` of them. Where nothing narrows them down, each of a few
 * villages is walked only so far, however many newer ones others have.
 */
export const newestContracts = (
  villages: readonly number[],
  where: Sql,
  most: number,
  narrowed: boolean,
): Sql =>
  narrowed || villages.length > FEW_VILLAGES
    ? sql`(select * from contract c where c.village_id = ${anyOf(villages)} and ${where}) c`
    : sql`unnest(${[...villages]}::bigint[]) village (id) cross join lateral (
        select * from contract c where c.village_id = village.id and ${where} order by c.id desc limit ${most}) c`;

/** A number by its beginning, names by any part, a phone whole or by its last four digits. Certificates are never searched. */
const meanings: Meaning[] = [
  is("c.old_no"),
  named("c.party_name", "c.room_names"),
  (text) => (/^ht\d*(-\d*)?$/i.test(text) ? number("c.contract_no")(text) : undefined),
  partyPhone,
];
/** A firm is also found by its whole credit code, its brand and whoever one talks to there. */
const ofFirms: Meaning[] = [
  (text) => sql`c.party_id in (select id from firm where credit_code = ${text.toUpperCase()})`,
  (text) => sql`c.party_id in (select id from merchant where ${phrase("brand")(text)})`,
  (text) =>
    sql`c.party_id in (select party_id from party_contact where ${oneOf([phrase("name")(text), is("phone")(text)])})`,
];

/** Up to so many contracts that a keyword finds are gathered, more are walked to in the order of the list. */
const FEW = 1000;

const roomCount = sql`(select count(*) from contract_room cr where cr.contract_id = c.id and cr.leave_date is null)`;

export type RawRow = Omit<ContractRow, "phase" | "flags" | "daysLeft" | "facts"> &
  Omit<ContractRow["facts"], "today" | "start" | "mayOverride" | "mayWithdraw"> & {
    leaving: boolean;
    submittedBy: number | null;
  };
type ContractPlan = Plan<typeof listContracts, RawRow>;

/** What lists of contracts of whatever kind have in common. */
export const contractPlan = {
  id: "c.id",
  from: sql`contract c`,
  village: "c.village_id",
  where: {
    // written out: a plan made for any kind would look through the contracts of renters for those of companies
    kind: (kind) => sql`c.kind = ${sql.lit(kind)}`,
    tab: (tab, read) => tabOf(tab, read.today),
    ids: among("c.id"),
    buildingId: (id) =>
      sql`exists (select 1 from contract_room cr join room r on r.id = cr.room_id join apartment a on a.id = r.apartment_id
        where cr.contract_id = c.id and a.building_id = ${id})`,
    roomId: (id) =>
      sql`exists (select 1 from contract_room cr where cr.contract_id = c.id and cr.room_id = ${id})`,
    partyId: is("c.party_id"),
    leadId: (id) => sql`c.id in (select contract_id from lead where id = ${id}
      union select contract_id from reservation where lead_id = ${id})`,
    keyword: async (text, { tx }, { kind }) => {
      const meant = keyword(...meanings, ...(kind === "renter" ? [] : ofFirms))(text);
      // one character is in many of them
      if (text.length < 2) return meant;
      // few are looked up first: a walk in the order of the list would look for them among all
      const { rows } = await sql<{ ids: number[] }>`
        select array(select c.id from contract c where ${meant} limit ${FEW + 1}) ids`.execute(tx);
      const { ids } = rows[0]!;
      return ids.length > FEW ? meant : sql`c.id = ${anyOf(ids)}`;
    },
    roomsFrom: from(roomCount),
    roomsTo: to(roomCount),
    billPerRoom: (wanted) => sql`coalesce((c.terms->>'billPerRoom')::boolean, false) = ${wanted === "true"}`,
    startFrom: from("c.start_date"),
    startTo: to("c.start_date"),
    endFrom: from("c.end_date"),
    endTo: to("c.end_date"),
    signedFrom: from("c.signed_on"),
    signedTo: to("c.signed_on"),
    cycle: (months) => sql`c.cycle_months = ${Number(months)}`,
    source: is("c.source"),
    templateId: (id) =>
      sql`c.template_version_id = any(array(select u.id from template_version u where u.template_id = ${id}))`,
    // found by their own index, whatever the order of the list
    activityId: (
      id,
    ) => sql`c.id = any(array(select x.id from contract x where x.terms -> 'discounts' is not null
      and x.terms -> 'discounts' @> ${JSON.stringify([{ activityId: id }])}::jsonb))`,
    flag: (flag, read) => (flag === "owing" ? owes(read) : flagOf(flag, read.today)),
    signMode: is("c.sign_mode"),
    owing: (wanted, read) => (wanted === "true" ? owes(read) : sql`not ${owes(read)}`),
    voided: (wanted) => sql`(c.state = 'voided') = ${wanted === "true"}`,
    managerId: is("c.manager_operator_id"),
    signerId: is("c.signer_operator_id"),
    agentId: is("c.agent_id"),
  },
  sort: {
    startDate: "c.start_date",
    endDate: "c.end_date",
    currentRent: "c.current_rent",
    signedOn: "c.signed_on",
    overdue: {
      by: sql`coalesce(o.fen, 0)`,
      join: (read) => sql`left join ${lateMoney(read)} o on o.contract_id = c.id`,
    },
  },
  order: sql`c.id desc`,
} satisfies Partial<ContractPlan>;

export const contractColumns = ({
  today,
  who,
}: Read) => sql<RawRow>`c.id, c.version, c.kind, c.contract_no "contractNo", c.village_id "villageId", v.name "villageName",
      ${firstRoom(sql`c.id`)} "roomId",
      c.room_names "roomNames", c.party_id "partyId", c.party_name "partyName", coalesce(p.phone, '') "partyPhone",
      c.start_date "startDate", c.end_date "endDate", c.pay_text "payText", c.current_rent "currentRent",
      c.net_rent "netRent", coalesce(m.deposit_held, 0) "depositHeld", c.deposit_amount "depositAmount",
      m.next_due_on "nextDueOn", m.next_due_fen "nextDueFen",
      coalesce((select sum(b.outstanding) ${overdueBills(today)}), 0)::bigint overdue,
      c.state, c.sign_mode "signMode", c.source, coalesce(s.real_name, '') "signerName",
      coalesce(k.real_name, '') "managerName", c.channel, c.agent_id "agentId", coalesce(g.name, '') "agentName", coalesce((select t.title from invoice_title t where t.id = c.invoice_title_id), '') "invoiceTitle", c.signed_on "signedOn", c.updated_at "updatedAt",
      c.handover_on "handoverOn", c.preview_hash is not null submitted, c.submitted_by "submittedBy", coalesce(m.received
        + case when c.import_id is null then 0 else m.deposit_held end, 0) received,
      ${LEAVING} leaving, coalesce(f.invoiced, 0)::int invoiced, coalesce(f.first_open, 0)::bigint "firstOpen",
      coalesce(f.deposit_open, 0)::bigint "depositOpen",
      coalesce(vc.renewal_window_days, ec.renewal_window_days, ${CONFIG_DEFAULTS.renewalWindowDays}::int) "windowDays",
      coalesce(vc.move_in_rule, ec.move_in_rule, 'firstPaid') "moveInRule",
      case when f.waits then (select row_to_json(h) from handover_held(c.id, ${today}::date) h) end "roomHeld",
      (select case when e.submitter_id = ${who.operatorId} then 'mine' else 'others' end ${openExamine}) frozen`;

export const contractJoin = sql`join contract c on c.id = page.id join village v on v.id = c.village_id
    left join party p on p.id = c.party_id left join contract_money m on m.contract_id = c.id
    left join operator s on s.id = c.signer_operator_id left join operator k on k.id = c.manager_operator_id left join agent g on g.id = c.agent_id
    left join contract_config vc on vc.village_id = c.village_id
    left join contract_config ec on ec.enterprise_id = c.enterprise_id and ec.village_id is null
    left join lateral (
      select c.handover_on is null waits, count(*) filter (where b.invoiced > 0) invoiced,
        sum(b.outstanding) filter (where c.handover_on is null
          and b.due_date <= c.signed_on + coalesce((c.terms->'due'->>'firstDueDays')::int, 0)) first_open,
        sum((select sum(l.outstanding) from bill_line l join fee_subject t on t.id = l.fee_subject_id
          where l.bill_id = b.id and t.kind = 'deposit')) filter (where c.handover_on is null and b.outstanding > 0) deposit_open
      from bill b where b.contract_id = c.id and b.voided_at is null) f on in_force(c.state)`;

/** Count and sums, with what a kind of contracts adds over `f`, which holds those of the filter. */
export const contractTotals =
  (more: (read: Read) => Sql = () => sql``) =>
  (read: Read, _asked: unknown, where: Sql) =>
    sql<{ total: number }>`
    with f as materialized (select c.id, c.current_rent from contract c where ${where}),
      late as materialized ${lateMoney(read)}
    select count(*) total, coalesce(sum(f.current_rent), 0)::bigint "currentRent",
      (select count(*) from contract_room where contract_id in (select id from f) and leave_date is null) rooms,
      coalesce(sum(m.deposit_held), 0)::bigint "depositHeld", coalesce(sum(late.fen), 0)::bigint overdue ${more(read)}
    from f left join contract_money m on m.contract_id = f.id left join late on late.contract_id = f.id`;

/** With what a kind of contracts shows beside. */
export function rowOf<R extends RawRow>(
  raw: R,
  read: Read,
): ContractRow & Omit<R, Exclude<keyof RawRow, keyof ContractRow>> {
  const {
    handoverOn,
    submitted,
    received,
    invoiced,
    firstOpen,
    depositOpen,
    moveInRule,
    roomHeld,
    frozen,
    submittedBy,
    leaving,
    ...row
  } = raw;
  const { today } = read;
  const phase = phaseOf({ state: row.state, start: row.startDate, end: row.endDate }, today);
  const flags: (keyof typeof FLAGS)[] = [];
  if (frozen && row.state !== "approving") flags.push("approving");
  if (row.state === "signing") flags.push("signing");
  if (row.state === "effective" && !handoverOn && row.startDate! <= today) flags.push("toMoveIn");
  if (row.overdue > 0) flags.push("owing");
  if (row.state === "expired") flags.push("unsettled");
  if (leaving) flags.push("leaving");
  const facts = {
    ...{ handoverOn, submitted, received, invoiced, firstOpen, depositOpen, moveInRule, roomHeld, frozen },
  };
  return {
    ...row,
    partyPhone: row.partyPhone && maskPhone(row.partyPhone),
    daysLeft: isInForce(row.state) ? daysBetween(today, row.endDate!) : null,
    phase,
    flags,
    facts: {
      ...facts,
      today,
      start: row.startDate,
      mayOverride: read.who.permits.has(permitOf(row.kind, "moveInUnpaid")),
      mayWithdraw: mayWithdraw(read.who, { kind: row.kind, submittedBy }),
    },
  } as never;
}

/** Of one kind; whoever asks holds the permits of its page. */
export const contracts = listOf(listContracts, {
  ...contractPlan,
  // of the other kinds there are few in each store
  walk: { along: ({ kind }) => (kind === "renter" ? ["kind", "tab"] : []), own: true },
  columns: contractColumns,
  join: contractJoin,
  totals: contractTotals(),
  rows: (rows, read) => rows.map((raw) => rowOf(raw, read)),
});

export const contractCounts = (read: Read, filter: ContractFilter) =>
  contracts.counts(
    read,
    filter,
    Object.fromEntries(TABS.map((tab) => [tab, tabOf(tab, read.today)])) as Record<ContractTab, Sql>,
  );

export async function expiryOf(read: Read, filter: ContractFilter) {
  const where = await contracts.condition(read, filter);
  const now = monthOf(read.today);
  const first = addToMonth(now, -11);
  const byMonth = <T extends object>(rows: readonly (T & { month: Month })[]) =>
    new Map(rows.map((r) => [r.month, r]));
  const [ending, signed, left] = await Promise.all([
    sql<{ month: Month; count: number; rent: Fen }>`
      select to_char(c.end_date, 'YYYY-MM') as month, count(*) count, coalesce(sum(c.current_rent), 0)::bigint rent
      from contract c where ${where} and in_force(c.state)
        and c.end_date between ${firstOf(now)}::date and ${lastOf(addToMonth(now, 11))}::date group by 1`.execute(
      read.tx,
    ),
    sql<{ month: Month; count: number }>`
      select to_char(c.signed_on, 'YYYY-MM') as month, count(*) count
      from contract c where ${where} and c.state <> 'voided' and c.signed_on >= ${firstOf(first)}::date group by 1`.execute(
      read.tx,
    ),
    sql<{ month: Month; count: number }>`
      select to_char(c.leave_date, 'YYYY-MM') as month, count(*) count
      from contract c where ${where} and c.leave_date >= ${firstOf(first)}::date group by 1`.execute(read.tx),
  ]);
  const [ends, signs, leaves] = [byMonth(ending.rows), byMonth(signed.rows), byMonth(left.rows)];
  const twelve = (from: Month) => Array.from({ length: 12 }, (_, i) => addToMonth(from, i));
  return {
    ending: twelve(now).map((month) => ({
      month,
      count: ends.get(month)?.count ?? 0,
      rent: ends.get(month)?.rent ?? 0,
    })),
    trend: twelve(first).map((month) => ({
      month,
      signed: signs.get(month)?.count ?? 0,
      left: leaves.get(month)?.count ?? 0,
    })),
  };
}

/** A call that is for all kinds of contracts is let through by the permits of any; this asks for those of one kind. */
export function demand(who: Who, kind: ContractKind, needs: Need): void {
  if (!allows(who.permits, needsOf(needs, kind))) throw forbidden();
}

/** Whoever calls about a contract has it in scope and holds the codes of its page. */
export async function admit(read: Read, id: number, { needs }: { needs: Need }): Promise<ContractKind> {
  const row = await read.tx
    .selectFrom("contract")
    .select(["villageId", "kind"])
    .where("id", "=", id)
    .executeTakeFirst();
  const kind = seen(read.who, row).kind as ContractKind;
  demand(read.who, kind, needs);
  return kind;
}

/** What is wrong with the subjects of a contract's fees, and the names of those that are right. */
export async function checkedFees(
  read: Pick<Read, "tx">,
  enterpriseId: number,
  fees: Terms["fees"],
): Promise<{ errors: FieldError[]; names: Map<number, string> }> {
  if (!fees.length) return { errors: [], names: new Map() };
  const rows = await read.tx
    .selectFrom("feeSubject as s")
    .leftJoin("feeChoice as c", "c.id", "s.id")
    .select(["s.id", "s.name", "s.kind", "c.id as choice"])
    .where("s.enterpriseId", "=", enterpriseId)
    .where("s.id", "=", anyOf(fees.map((f) => f.feeId)))
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const errors = fees.flatMap(({ feeId, kind }, i): FieldError[] => {
    const subject = known.get(feeId);
    const wrong = (field: string, msg: string) => [{ field: `fees.${i}.${field}`, msg }];
    if (!subject) return wrong("feeId", "请选择费用科目");
    if (subject.choice === null)
      return wrong("feeId", `${subject.name}不能作为合同费用收取，请选择其他费用科目`);
    const deposit = subject.kind === "deposit";
    if (deposit === (kind === "depositInKind")) return [];
    return wrong("kind", deposit ? "押金科目只能按实物押金收取" : "实物押金请选择押金科目");
  });
  return { errors, names: new Map(rows.map((row) => [row.id, row.name])) };
}
