import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { among, from, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { isPayable, netOf, taxOf } from "../bill/bill.rules.ts";
import { lockBills, readBills } from "../bill/bills.queries.ts";
import { type Conf, confsOf, type DatedItem, itemsOf } from "../einvoice/conf.queries.ts";
import { inForce, isNeverInvoiced } from "../einvoice/einvoice.rules.ts";
import { type Subject, taxWord, type TaxMode } from "../subject/subject.rules.ts";
import { subjectsFor } from "../subject/subject.service.ts";
import { type LineRow, listLines, listToRed, type ToRedRow } from "./invoice.contract.ts";
import { type Bears, invoiceable } from "./invoice.rules.ts";

const idsIn = (list: string): number[] => list.split(",").map(Number);

/**
 * What of a line may be invoiced by its store's basis: the same as `invoiceable` of invoice.rules.ts. What is earned is worked
 * out only of lines that are not wholly paid: these are few, and it takes longer than all else.
 */
const available = ({ today }: Pick<Read, "today">) => sql<Fen>`greatest(0, least(case
    when c.invoice_basis = 'paid' or (c.invoice_basis <> 'accrued' and l.settled >= l.amount + l.adjusted) then l.settled
    when c.invoice_basis = 'accrued' then line_earned(l.id, ${today})
    else greatest(l.settled, line_earned(l.id, ${today})) end, l.amount + l.adjusted) - l.invoiced - l.invoicing)`;

/** Lines with the configuration of their store, and the item that is in force today. */
const linesFrom = ({ today }: Pick<Read, "today">) => sql`bill_line l join bill b on b.id = l.bill_id
  join fee_subject s on s.id = l.fee_subject_id
  join einvoice_village ev on ev.village_id = b.village_id join einvoice_config c on c.id = ev.config_id
  left join (select distinct on (config_id, fee_subject_id) config_id, fee_subject_id, tax_mode from einvoice_item
    where from_day <= ${today} order by config_id, fee_subject_id, from_day desc) i
    on i.config_id = c.id and i.fee_subject_id = l.fee_subject_id`;
const MAY = sql`l.amount > 0 and l.kind in ('normal', 'lateFee') and not l.voided and b.issued_at is not null
  and b.direction = 'receivable' and b.source <> 'opening' and s.kind in ('income', 'lateFee')
  and l.invoiced + l.invoicing < l.amount + l.adjusted`;

type Raw = Omit<LineRow, "taxWord" | "earned" | "available"> & {
  basis: Conf["invoiceBasis"];
  taxMode: TaxMode;
  taxRate: string;
};

/** What some lines have earned by the end of today; a line that is not there has earned nothing. */
async function earnedOf(read: Read, lineIds: readonly number[]): Promise<(id: number) => Fen> {
  const { rows } = await sql<{ id: number; fen: Fen }>`
    select * from lines_earned(${lineIds as number[]}::bigint[], ${read.today})`.execute(read.tx);
  const by = new Map(rows.map(({ id, fen }) => [id, fen]));
  return (id) => by.get(id) ?? 0;
}

/** Lines that may be invoiced, by what their store goes by; stores without a configuration have none. */
export const lines = listOf(listLines, {
  id: "l.id",
  from: linesFrom,
  village: "b.village_id",
  scope: (read) => sql`${MAY} and (c.invoice_basis <> 'paid' or l.settled > l.invoiced + l.invoicing)
    and ${available(read)} > 0 and i.tax_mode is distinct from 'none'`,
  where: {
    partyId: (id) => sql`b.party_id = ${id}`,
    subjectIds: among("l.fee_subject_id"),
    periodFrom: from("l.period_end"),
    periodTo: to("l.period_start"),
    // one payment that stands lies between both days; found by the day, as one line after the other would be asked for its payments
    paidFrom: (
      day,
      { who },
      { villageIds, paidTo },
    ) => sql`l.id in (select a.bill_line_id from allocation_standing a
      where a.village_id = ${anyOf(villagesOf(who, villageIds))} and a.kind <> 'writeOff' and a.date >= ${day}
        and a.date <= ${paidTo ?? "infinity"}::date)`,
    paidTo: (day, _read, { paidFrom }) =>
      paidFrom
        ? undefined
        : sql`exists (select from allocation_standing a where a.bill_line_id = l.id and a.kind <> 'writeOff' and a.date <= ${day})`,
    billIds: (list) => sql`b.id = ${anyOf(idsIn(list))}`,
  },
  sort: {
    available: { order: (way, read) => sql`${available(read)} ${way}, l.id desc` },
    periodStart: "l.period_start",
  },
  order: sql`l.id desc`,
  // names are looked up for the rows alone: the more tables are joined, the longer it takes to plan how
  columns: ({
    today,
  }) => sql<Raw>`l.id, l.bill_id "billId", b.bill_no "billNo", b.party_id "partyId", p.kind "partyKind",
    p.name "partyName", b.village_id "villageId", (select name from village where id = b.village_id) "villageName",
    coalesce(l.room_id, b.room_id) "roomId", (select full_name from room where id = coalesce(l.room_id, b.room_id)) "roomName",
    (select name from fee_subject where id = l.fee_subject_id) subject, l.period_start "periodStart", l.period_end "periodEnd",
    l.amount + l.adjusted amount, l.settled, l.invoiced, l.invoicing, c.invoice_basis basis, l.tax_mode "taxMode",
    l.tax_rate "taxRate", case when not c.enabled then '电子发票配置未启用'
      when not exists (select from einvoice_item i where i.config_id = c.id and i.fee_subject_id = l.fee_subject_id
        and i.from_day <= ${today}) then '请先维护科目映射' else '' end why`,
  join: sql`join bill_line l on l.id = page.id join bill b on b.id = l.bill_id join party p on p.id = b.party_id
    join einvoice_village ev on ev.village_id = b.village_id join einvoice_config c on c.id = ev.config_id`,
  plannedAnew: true,
  sums: {
    select: (read) => sql`safe_fen(coalesce(sum(l.amount + l.adjusted), 0)) amount,
      safe_fen(coalesce(sum(l.invoiced), 0)) invoiced, safe_fen(coalesce(sum(${available(read)}), 0)) available`,
  },
  rows: async (raws: Raw[], read) => {
    const earned = await earnedOf(
      read,
      raws.map((raw) => raw.id),
    );
    return raws.map(({ taxMode, taxRate, basis, ...raw }) => {
      const of = {
        earned: earned(raw.id),
        whole: raw.amount,
        settled: raw.settled,
        taken: raw.invoiced + raw.invoicing,
      };
      return {
        ...raw,
        earned: of.earned,
        available: invoiceable(basis, of),
        taxWord: taxWord({ taxMode, taxRate }),
      };
    });
  },
});

/** Lines of which more is invoiced than they come to now. */
export const toRed = listOf(listToRed, {
  id: "l.id",
  from: sql`bill_line l join bill b on b.id = l.bill_id`,
  village: "b.village_id",
  scope: () => sql`l.invoiced > 0 and l.invoiced > l.amount + l.adjusted`,
  where: { partyId: (id) => sql`b.party_id = ${id}` },
  sort: { over: sql`l.invoiced - l.amount - l.adjusted` },
  order: "over",
  columns: sql<ToRedRow>`l.id, l.bill_id "billId", b.bill_no "billNo", b.party_id "partyId", p.kind "partyKind",
    p.name "partyName", b.village_id "villageId", v.name "villageName", r.id "roomId", r.full_name "roomName",
    s.name subject, l.amount + l.adjusted amount, l.invoiced, l.invoiced - l.amount - l.adjusted "over",
    i.id "invoiceId", i.invoice_no "invoiceNo"`,
  join: sql`join bill_line l on l.id = page.id join bill b on b.id = l.bill_id join party p on p.id = b.party_id
    join village v on v.id = b.village_id join fee_subject s on s.id = l.fee_subject_id
    left join room r on r.id = coalesce(l.room_id, b.room_id)
    left join lateral (
      select x.id, x.invoice_no from invoice_line y join invoice x on x.id = y.invoice_id
      where y.bill_line_id = l.id and x.state in ('issued', 'partRed') and x.direction = 'blue'
        and y.red_amount < y.amount
      order by x.id desc limit 1) i on true`,
  sums: {
    select: sql`coalesce(sum(l.invoiced), 0)::bigint invoiced,
      coalesce(sum(l.invoiced - l.amount - l.adjusted), 0)::bigint "over"`,
  },
});

/** A line as an application works with it. */
export type Charged = Bears & {
  id: number;
  billId: number;
  billNo: string;
  villageId: number;
  partyId: number;
  contractId: number | null;
  /** The title that its contract names; null where that is the party's usual one. */
  titleId: number | null;
  roomId: number | null;
  subject: Subject;
  taxMode: TaxMode;
  taxRate: string;
  periodStart: string | null;
  periodEnd: string | null;
  available: Fen;
  item: DatedItem | undefined;
  conf: Conf | undefined;
  /** What stands in the way, or nothing. */
  why: string;
};

/** Lines by their ids with all that an invoice needs to know of them; `lock` holds bills and lines until the end. */
export async function chargedLines(
  read: Read,
  lineIds: readonly number[],
  { lock = false }: { lock?: boolean } = {},
): Promise<Charged[]> {
  const { rows: owners } = await sql<{ billId: number }>`
    select distinct bill_id "billId" from bill_line where id = ${anyOf(lineIds)}`.execute(read.tx);
  const billIds = owners.map((o) => o.billId);
  const bills = lock ? await lockBills(read, billIds) : await readBills(read, billIds);
  const villages = [...new Set(bills.map((b) => b.villageId))];
  const confs = await confsOf(read, villages);
  const items = await itemsOf(
    read,
    [...confs.values()].map((c) => c.id),
  );
  const subjects = await subjectsFor(read, villages);
  const earned = await earnedOf(read, lineIds);
  const { rows: extra } = await sql<{ id: number; takenTax: Fen; titleId: number | null }>`
    select l.id, coalesce(x.tax, 0)::bigint "takenTax", nullif(c.invoice_title_id, d.id) "titleId"
    from bill_line l join bill b on b.id = l.bill_id left join contract_brief c on c.id = b.contract_id
    left join invoice_title d on d.party_id = b.party_id and d.is_default
    left join lateral (
      select sum(case i.direction when 'blue' then y.tax else -y.tax end) tax
      from invoice_line y join invoice i on i.id = y.invoice_id
      where y.bill_line_id = l.id and (i.state in ('issued', 'partRed', 'red')
        or (i.direction = 'blue' and i.state in ('applied', 'issuing')))) x on true
    where l.id = ${anyOf(lineIds)}`.execute(read.tx);
  const more = new Map(extra.map((row) => [row.id, row]));
  return lineIds.map((id) => {
    const bill = bills.find((b) => b.lines.some((l) => l.id === id));
    const line = bill?.lines.find((l) => l.id === id);
    if (!bill || !line) throw notFound();
    const subject = subjects.of(line.feeSubjectId);
    const conf = confs.get(bill.villageId);
    const item = inForce(conf ? (items.get(conf.id) ?? []) : [], subject.id, read.today);
    const whole = netOf(line);
    const { takenTax, titleId } = more.get(id)!;
    const taken = line.invoiced + line.invoicing;
    const never =
      isNeverInvoiced(subject.kind) ||
      !isPayable(line) ||
      bill.direction === "payable" ||
      item?.taxMode === "none";
    const why = never
      ? `${subject.name}不能开票`
      : bill.voidedAt
        ? "账单已作废，不能开票"
        : bill.source === "opening"
          ? "期初账单请在原系统开票"
          : !bill.issuedAt
            ? "账单未出账，不能开票"
            : !conf?.enabled
              ? "该门店未启用电子发票配置"
              : !item
                ? `请先维护科目映射：${subject.name}`
                : "";
    return {
      id,
      billId: bill.id,
      billNo: bill.billNo,
      villageId: bill.villageId,
      partyId: bill.partyId,
      contractId: bill.contractId,
      titleId,
      roomId: line.roomId ?? bill.roomId,
      subject,
      taxMode: line.taxMode,
      taxRate: line.taxRate,
      periodStart: line.periodStart,
      periodEnd: line.periodEnd,
      whole,
      tax: taxOf(whole, line),
      taken,
      takenTax,
      available:
        why || !conf
          ? 0
          : invoiceable(conf.invoiceBasis, { whole, settled: line.settled, earned: earned(id), taken }),
      item,
      conf,
      why,
    };
  });
}

/** The ids of the lines of bills, in the order of the bills. */
export async function linesOfBills(read: Read, billIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select l.id from bill_line l where l.bill_id = ${anyOf(billIds)} and l.amount > 0 and l.kind in ('normal', 'lateFee')
    order by l.bill_id, l.id`.execute(read.tx);
  return rows.map((row) => row.id);
}
