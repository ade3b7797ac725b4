import { sql } from "kysely";
import { type Day, daysBetween } from "../../../platform/kernel/day.ts";
import { keyword, named, number } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { listThreeWay, type ThreeWayRow } from "./books.contract.ts";

/** More is invoiced of a line than it comes to: to be taken back by a red letter. */
const OVER = sql`exists (select from bill b join bill_line l on l.bill_id = b.id
  where b.contract_id = c.id and b.invoiced > 0 and l.invoiced > greatest(l.amount + l.adjusted, 0))`;
const BOOKED = sql`(select coalesce(sum(j.credit - j.debit), 0) from journal_line j
  where j.contract_id = c.id and j.account = '2241')`;
/** The deposit that is held is not what the journal says of it. */
const DEPOSIT_OFF = sql`coalesce((select sum(d.held) from deposit_balance d where d.contract_id = c.id), 0) <> ${BOOKED}`;

type Raw = Omit<ThreeWayRow, "marks" | "uninvoicedDays"> & {
  over: boolean;
  depositOff: boolean;
  paidSince: Day | null;
};

/** 三流合一: what a contract was charged, what came and what was invoiced, side by side. */
export const threeWay = listOf(listThreeWay, {
  id: "c.id",
  from: sql`contract_brief c join contract_money m on m.contract_id = c.id`,
  village: "c.village_id",
  where: {
    odd: (odd) => (odd === "true" ? sql`(${OVER} or ${DEPOSIT_OFF})` : sql`true`),
    keyword: keyword(number("c.contract_no"), named("c.party_name", "c.room_names")),
  },
  sort: { billed: "m.billed", outstanding: { by: "m.outstanding", indexed: true } },
  order: "outstanding",
  columns: ({ today }) => sql<Raw>`c.id, c.contract_no "contractNo", c.kind, v.name "villageName",
    c.room_names "roomNames", c.party_name "partyName", m.billed, b.received, b."byDeposit", b."writtenOff",
    m.outstanding, b.invoiced, b.invoiceable, d."depositIn", d."depositOut", d."depositIn" - d."depositOut" "depositHeld",
    ${OVER} "over", ${DEPOSIT_OFF} "depositOff",
    (select min(a.date) from bill x join bill_line l on l.bill_id = x.id join fee_subject s on s.id = l.fee_subject_id
      join allocation_standing a on a.bill_line_id = l.id
      where x.contract_id = c.id and s.kind in ('income', 'lateFee') and a.kind <> 'writeOff' and a.date <= ${today}
        and l.settled > l.invoiced + l.invoicing) "paidSince"`,
  join: sql`join contract_brief c on c.id = page.id join contract_money m on m.contract_id = c.id
    join village v on v.id = c.village_id
    cross join lateral (
      select coalesce(sum(x.settled - x.by_deposit), 0)::bigint received, coalesce(sum(x.by_deposit), 0)::bigint "byDeposit",
        coalesce(sum(x.written_off), 0)::bigint "writtenOff", coalesce(sum(x.invoiced), 0)::bigint invoiced,
        coalesce(sum(x.may), 0)::bigint invoiceable
      from (
        select b.settled, b.written_off,
          (select coalesce(sum(a.amount), 0) from allocation a where a.bill_id = b.id and a.kind = 'deposit') by_deposit,
          (select coalesce(sum(l.invoiced), 0) from bill_line l where l.bill_id = b.id) invoiced,
          (select coalesce(sum(greatest(0, least(l.settled, l.amount + l.adjusted) - l.invoiced - l.invoicing)), 0)
            from bill_line l join fee_subject s on s.id = l.fee_subject_id
            where l.bill_id = b.id and s.kind in ('income', 'lateFee') and b.source <> 'opening') may
        from bill b
        where b.contract_id = c.id and b.direction = 'receivable' and b.issued_at is not null and b.voided_at is null) x) b
    cross join lateral (
      select coalesce(sum(j.credit), 0)::bigint "depositIn", coalesce(sum(j.debit), 0)::bigint "depositOut"
      from journal_line j where j.contract_id = c.id and j.account = '2241') d`,
  sums: {
    select: sql`coalesce(sum(m.billed), 0)::bigint billed, coalesce(sum(m.outstanding), 0)::bigint outstanding,
      coalesce(sum(m.deposit_held), 0)::bigint "depositHeld"`,
  },
  rows: (raws: Raw[], { today }) =>
    raws.map(({ over, depositOff, paidSince, ...row }) => ({
      ...row,
      uninvoicedDays: paidSince === null ? null : daysBetween(paidSince, today),
      marks: [...(over ? (["over"] as const) : []), ...(depositOff ? (["deposit"] as const) : [])],
    })),
});
