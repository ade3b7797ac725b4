import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import {
  addToMonth,
  daysBetween,
  firstOf,
  lastOf,
  monthOf,
  type Month,
} from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import {
  type FLAGS,
  TABS,
  type ContractFilter,
  type ContractRow,
  type listContracts,
} from "./contract.contract.ts";
import { phaseOf } from "./contract.rules.ts";
import { permitOf } from "./kind.rules.ts";
import { contractWhere, overdueBills, tabOf } from "./filter.queries.ts";

export type ListQuery = z.output<typeof listContracts.query>;

const SORTS = {
  startDate: sql`c.start_date`,
  endDate: sql`c.end_date`,
  currentRent: sql`c.current_rent`,
  signedOn: sql`c.signed_on`,
  overdue: sql`o.fen`,
} as const;

export async function contractList(read: Read, query: ListQuery) {
  const [list, totals] = await Promise.all([
    query.want === "totals" ? [] : page(read, query),
    query.want === "rows" ? undefined : totalsOf(read, query),
  ]);
  return { list, total: totals?.total ?? null, sums: totals?.sums ?? null };
}

async function page(read: Read, query: ListQuery): Promise<ContractRow[]> {
  const { pageSize } = query;
  const { rows } = await sql<{ id: number }>`
    select c.id ${ordered(read, query)} ${pageEnd({ pageNo: query.pageNo, pageSize })}`.execute(read.tx);
  return rowsOf(
    read,
    rows.map((r) => r.id),
  );
}

/** `from … where … order by …` of the contracts that a query names, as c. */
function ordered(read: Read, query: ListQuery) {
  const { sort } = query;
  const way = sql.raw(`${query.order ?? "desc"} nulls last`);
  const by = sort ? sql`${SORTS[sort]} ${way}, c.id desc` : sql`c.id desc`;
  const owed =
    sort === "overdue"
      ? sql`left join lateral (select sum(b.outstanding) fen ${overdueBills(read.today)}) o on true`
      : sql``;
  return sql`from contract c ${owed} where ${contractWhere(read, query)} and ${tabOf(query.tab, read.today)}
    order by ${by}`;
}

export type RawRow = Omit<ContractRow, "phase" | "flags" | "daysLeft" | "facts"> &
  Omit<ContractRow["facts"], "today" | "start" | "mayOverride">;

/** Rows as lists and the detail show them, in the order of the ids. Whoever asks has looked at the scope. */
export async function rowsOf(read: Read, ids: readonly number[]): Promise<ContractRow[]> {
  if (!ids.length) return [];
  const wanted = sql`unnest(${ids}::bigint[]) with ordinality as wanted(id, n)`;
  const { rows } = await rowsFrom(read, wanted).execute(read.tx);
  return rows.map((raw) => rowOf(raw, read));
}

/** The whole list of a query as one statement, for reading it through a cursor. */
export const everyRow = (read: Read, query: ListQuery) =>
  rowsFrom(
    read,
    sql`(select c.id, row_number() over () n from (select c.id ${ordered(read, query)}) c) wanted`,
  );

const rowsFrom = (read: Read, wanted: RawBuilder<unknown>) => sql<RawRow>`
    select c.id, c.version, c.kind, c.contract_no "contractNo", c.village_id "villageId", v.name "villageName",
      (select cr.room_id from contract_room cr where cr.contract_id = c.id order by cr.seq limit 1) "roomId",
      c.room_names "roomNames", c.party_id "partyId", c.party_name "partyName", coalesce(p.phone, '') "partyPhone",
      c.start_date "startDate", c.end_date "endDate", c.pay_text "payText", c.current_rent "currentRent",
      c.net_rent "netRent", coalesce(m.deposit_held, 0) "depositHeld", c.deposit_amount "depositAmount",
      m.next_due_on "nextDueOn", m.next_due_fen "nextDueFen",
      coalesce((select sum(b.outstanding) ${overdueBills(read.today)}), 0)::bigint overdue,
      c.state, c.sign_mode "signMode", c.source, coalesce(s.real_name, '') "signerName",
      coalesce(k.real_name, '') "managerName", c.signed_on "signedOn", c.updated_at "updatedAt",
      c.handover_on "handoverOn", c.preview_hash is not null submitted, coalesce(m.received
        + case when c.import_id is null then 0 else m.deposit_held end, 0) received,
      coalesce(f.invoiced, 0)::int invoiced, coalesce(f.first_open, 0)::bigint "firstOpen",
      coalesce(f.deposit_open, 0)::bigint "depositOpen",
      coalesce(vc.move_in_rule, ec.move_in_rule, 'firstPaid') "moveInRule",
      coalesce(f.waits and exists (
        select 1 from occupancy_row mine join occupancy_row other on other.room_id = mine.room_id
        join contract old on old.id = other.contract_id
        where mine.contract_id = c.id and old.state = 'expired' and old.id <> c.id), false) "roomHeld"
    from ${wanted}
    join contract c on c.id = wanted.id join village v on v.id = c.village_id
    left join party p on p.id = c.party_id left join contract_money m on m.contract_id = c.id
    left join operator s on s.id = c.signer_operator_id left join operator k on k.id = c.manager_operator_id
    left join contract_config vc on vc.village_id = c.village_id
    left join contract_config ec on ec.enterprise_id = c.enterprise_id and ec.village_id is null
    left join lateral (
      select c.handover_on is null waits, count(*) filter (where b.invoiced > 0) invoiced,
        sum(b.outstanding) filter (where c.handover_on is null
          and b.due_date <= c.signed_on + coalesce((c.terms->'due'->>'firstDueDays')::int, 0)) first_open,
        sum((select sum(l.outstanding) from bill_line l join fee_subject t on t.id = l.fee_subject_id
          where l.bill_id = b.id and t.kind = 'deposit')) filter (where c.handover_on is null and b.outstanding > 0) deposit_open
      from bill b where b.contract_id = c.id and b.voided_at is null) f on in_force(c.state)
    order by wanted.n`;

export function rowOf(raw: RawRow, read: Read): ContractRow {
  const { handoverOn, submitted, received, invoiced, firstOpen, depositOpen, moveInRule, roomHeld, ...row } =
    raw;
  const { today } = read;
  const phase = phaseOf({ state: row.state, start: row.startDate, end: row.endDate }, today);
  const flags: (keyof typeof FLAGS)[] = [];
  if (row.state === "signing") flags.push("signing");
  if (row.state === "effective" && !handoverOn && row.startDate! <= today) flags.push("toMoveIn");
  if (row.overdue > 0) flags.push("owing");
  if (row.state === "expired") flags.push("unsettled");
  const facts = { handoverOn, submitted, received, invoiced, firstOpen, depositOpen, moveInRule, roomHeld };
  return {
    ...row,
    partyPhone: row.partyPhone && maskPhone(row.partyPhone),
    daysLeft: row.endDate && daysBetween(today, row.endDate),
    phase,
    flags,
    facts: {
      ...facts,
      today,
      start: row.startDate,
      mayOverride: read.who.permits.has(permitOf(row.kind, "moveInUnpaid")),
    },
  } as ContractRow;
}

async function totalsOf(read: Read, query: ListQuery) {
  const { rows } = await sql<{
    total: number;
    rooms: number;
    currentRent: Fen;
    depositHeld: Fen;
    overdue: Fen;
  }>`
    with f as materialized (
      select c.id, c.current_rent from contract c where ${contractWhere(read, query)} and ${tabOf(query.tab, read.today)})
    select count(*) total, coalesce(sum(f.current_rent), 0)::bigint "currentRent",
      (select count(*) from contract_room where contract_id in (select id from f)) rooms,
      (select coalesce(sum(m.deposit_held), 0)::bigint from contract_money m where m.contract_id in (select id from f)) "depositHeld",
      (select coalesce(sum(b.outstanding), 0)::bigint from bill b where b.contract_id in (select id from f)
        and ${isLateMoney(read.today)}) overdue
    from f`.execute(read.tx);
  const { total, ...sums } = rows[0]!;
  return { total, sums };
}

export async function contractCounts(read: Read, filter: ContractFilter) {
  const counts = TABS.map((tab) => sql`count(*) filter (where ${tabOf(tab, read.today)}) ${sql.ref(tab)}`);
  const { rows } = await sql<Record<(typeof TABS)[number], number>>`
    select ${sql.join(counts)} from contract c where ${contractWhere(read, filter)}`.execute(read.tx);
  return rows[0]!;
}

export async function expiryOf(read: Read, filter: ContractFilter) {
  const where = contractWhere(read, filter);
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
