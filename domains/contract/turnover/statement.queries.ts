import { sql } from "kysely";
import { type Day, addMonths, minDay } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { filesOf } from "../../system/file/file.service.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import {
  type ShopMonth,
  type StatementState,
  type STATEMENT_SOURCES,
  shopMonths,
  CLOSED,
  monthRefusal,
  reckon,
  ruleOf,
} from "./statement.rules.ts";
import { lastChargedDay } from "../schedule/carry.rules.ts";
import { breakEven, ratesText } from "../terms/turnover-share.rules.ts";

export type Statement = {
  id: number;
  contractId: number;
  villageId: number;
  monthNo: number;
  fromDate: Day;
  toDate: Day;
  gross: Fen;
  refunds: Fen;
  excluded: Fen;
  net: Fen;
  declared: Fen | null;
  source: keyof typeof STATEMENT_SOURCES;
  state: StatementState;
  correctsId: number | null;
  baseRent: Fen | null;
  turnoverRent: Fen | null;
  topUp: Fen | null;
  charged: Fen;
  billId: number | null;
  confirmedAt: string | null;
  note: string;
  reason: string;
  fileIds: number[];
  version: number;
};

/** A merchant's contract that came into force, with its months up to the last day that is charged. */
export type Shop = ContractRecord & { partyId: number; start: Day; end: Day; months: ShopMonth[] };

/** States of a contract that is, or was, in force. */
const CAME_INTO_FORCE = ["effective", "expired", "ended", "terminated", "renewed", "changedRoom"];

export const cameIntoForce = sql`c.state = any(${CAME_INTO_FORCE}::text[])`;

/** The shop of a contract in scope; `lock` lets one at a time reckon what it owes. */
export async function shopOf(read: Read, contractId: number, lock = false): Promise<Shop> {
  const contract = seen(read.who, await recordById(read, contractId, lock));
  const { kind, state, partyId, start, end } = contract;
  if (kind !== "merchant" || !CAME_INTO_FORCE.includes(state) || !partyId || !start || !end) throw notFound();
  const { leaveDate, terms } = contract;
  const last = leaveDate ? minDay(end, lastChargedDay(leaveDate, terms.leaveDayCharged)) : end;
  const months = last < start ? [] : shopMonths({ ...contract, start, end: last });
  return { ...contract, partyId, start, end, months };
}

export async function statementsOf(read: Pick<Read, "tx">, contractId: number): Promise<Statement[]> {
  const rows = await read.tx
    .selectFrom("salesStatement")
    .selectAll()
    .where("contractId", "=", contractId)
    .orderBy("monthNo")
    .orderBy("id")
    .execute();
  return rows as Statement[];
}

/** One statement with its shop, both locked where something is to be changed. */
export async function statementFor(read: Read, id: number, lock = false) {
  const at = await read.tx
    .selectFrom("salesStatement")
    .select("contractId")
    .where("id", "=", id)
    .executeTakeFirst();
  if (!at) throw notFound();
  const shop = await shopOf(read, at.contractId, lock);
  const all = await statementsOf(read, at.contractId);
  const statement = all.find((s) => s.id === id);
  if (!statement) throw notFound();
  return { shop, all, statement };
}

/** Contracts of a merchant that are or were in force, newest first. */
export async function shopsOf(read: Read, merchantId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number | null }>`
    select c.id from firm x join firm y on y.id = x.id or y.merged_into_id = x.id
    left join contract c on c.party_id = y.id and c.kind = 'merchant' and c.village_id = ${anyOf(read.who.villages)}
      and c.state = any(${CAME_INTO_FORCE}::text[])
    where x.id = ${merchantId} and x.kind = 'merchant' and x.merged_into_id is null
      and exists (select 1 from party_village w where w.party_id = x.id and w.village_id = ${anyOf(read.who.villages)})
    order by c.start_date desc, c.id desc limit 20`.execute(read.tx);
  if (!rows.length) throw notFound();
  return rows.flatMap((r) => r.id ?? []);
}

/** Who looks after a shop: its keeper, else who manages the store. */
export const BESIDE_KEEPER = sql`join village v on v.id = c.village_id
  left join operator k on k.id = c.manager_operator_id and k.state = 'active'`;
export const KEEPER = sql`coalesce(k.id, v.manager_id)`;

export type DueShop = {
  id: number;
  contractNo: string;
  villageId: number;
  keeper: number;
  villageName: string;
};

/** The last day that is charged, as in `shopOf`. */
const LAST = sql`least(c.end_date,
  c.leave_date - case when (c.terms ->> 'leaveDayCharged')::boolean then 0 else 1 end)`;

/**
 * Shops that pay of their turnover, in some stores or all, with whoever looks after them: those in force, and for a year those that
 * have ended while their last month is not closed.
 */
export async function dueShops(
  { tx, today }: Pick<Read, "tx" | "today">,
  villages?: readonly number[],
): Promise<DueShop[]> {
  const { rows } = await sql<DueShop>`
    select c.id, c.contract_no "contractNo", c.village_id "villageId", v.name "villageName", ${KEEPER} keeper
    from contract c ${BESIDE_KEEPER}
    where c.kind = 'merchant' and c.terms->'turnover'->>'rentKind' in ('turnover', 'higherOf')
      and (in_force(c.state) or ${cameIntoForce} and ${LAST} >= ${addMonths(today, -12)}::date and not exists (
        select from sales_statement x where x.contract_id = c.id and x.to_date >= ${LAST} and x.state = any(${[...CLOSED]}::text[])))
      and ${villages ? sql`c.village_id = ${anyOf(villages)}` : sql`true`}
    order by c.village_id, c.id`.execute(tx);
  return rows;
}

type BillRow = {
  id: number;
  billNo: string;
  amount: Fen;
  status: "unpaid";
  source: string;
  start: Day;
  end: Day;
};

/** The bills of a contract that carry rent, with the days they are for. */
export async function rentBills(read: Read, contractId: number): Promise<BillRow[]> {
  const { rows } = await sql<BillRow>`
    select b.id, b.bill_no "billNo", b.amount + b.adjusted amount, b.status, b.source, min(l.period_start) "start", max(l.period_end) "end"
    from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id and s.code = 'rent'
    where b.contract_id = ${contractId} and b.voided_at is null and l.kind = 'normal' and l.period_start is not null
    group by b.id order by 6, b.id`.execute(read.tx);
  return rows;
}

type ChargedLine = { id: number; statementId: number; billNo: string; left: Fen; open: Fen };

/** Lines that were billed beyond the base for some statements, the newest first, with what is left of them and still owed. */
export async function chargedLines(read: Read, statementIds: readonly number[]): Promise<ChargedLine[]> {
  const { rows } = await sql<ChargedLine>`
    select l.id, b.source_id "statementId", b.bill_no "billNo", l.amount + l.adjusted "left", l.outstanding "open" from bill b join bill_line l on l.bill_id = b.id
    where b.source = 'turnover' and b.source_id = ${anyOf(statementIds)} and b.voided_at is null
      and l.kind = 'normal' and l.amount + l.adjusted > 0
    order by l.id desc`.execute(read.tx);
  return rows;
}

type Bills = Awaited<ReturnType<typeof rentBills>>;
const shownBill = (bill: Bills[number] | undefined) =>
  bill ? { id: bill.id, billNo: bill.billNo, amount: bill.amount, status: bill.status } : null;

type Waits = Awaited<ReturnType<typeof frozenBy>>;
type Files = Awaited<ReturnType<typeof filesOf>>;

type Of = { all: Statement[]; bills: Bills; waits: Waits; files: Files };

function monthRow(read: Read, shop: Shop, month: ShopMonth, { all, bills, waits, files }: Of) {
  const s = all.findLast((x) => x.monthNo === month.no && x.state !== "corrected");
  const closed = s && (CLOSED as readonly string[]).includes(s.state);
  const rule = ruleOf(shop.terms.turnover);
  // what waits is shown as it would come out now
  const own = s && (closed ? s : open(shop, all, s));
  const share = own?.turnoverRent ?? null;
  const topUp = own?.topUp ?? null;
  const base = (closed ? s.baseRent : null) ?? month.base;
  return {
    no: month.no,
    month: month.from.slice(0, 7),
    from: month.from,
    to: month.to,
    why: monthRefusal(month, read.today) ?? null,
    id: s?.id ?? null,
    version: s?.version ?? null,
    state: s?.state ?? null,
    source: s?.source ?? null,
    gross: s?.gross ?? null,
    refunds: s?.refunds ?? null,
    excluded: s?.excluded ?? null,
    declared: s ? (s.declared ?? s.net) : null,
    audited: closed ? s.net : null,
    base,
    share,
    rent: topUp === null ? null : (rule.rentKind === "turnover" ? 0 : base) + topUp,
    topUp,
    note: s?.note ?? "",
    files: s ? (files.get(s.id) ?? []).filter((f) => s.fileIds.includes(f.id)) : [],
    reason: s?.reason ?? "",
    baseBill: shownBill(
      bills.find((b) => b.source === "schedule" && b.start <= month.from && b.end >= month.from),
    ),
    bill: shownBill(bills.find((b) => b.id === s?.billId)),
    frozen: (s && waits.get(s.id)) ?? null,
  };
}

function open(shop: Shop, all: readonly Statement[], s: Statement) {
  const { own } = reckon(shop.terms.turnover, shop.months, all, s);
  return { turnoverRent: own.share, topUp: own.topUp };
}

/** The contract alone, once it came into force as a shop's. */
export async function shopOfContract(read: Read, contractId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from contract c where c.id = ${contractId} and c.kind = 'merchant' and c.state = any(${CAME_INTO_FORCE}::text[])`.execute(
    read.tx,
  );
  return rows.map((r) => r.id);
}

/** Every month so far of some shops, the newest first, with what was sold and what it costs by each rule. */
export async function monthsOf(read: Read, ids: readonly number[]) {
  return Promise.all(
    ids.map(async (id) => {
      const shop = await shopOf(read, id);
      const [all, bills] = await Promise.all([statementsOf(read, id), rentBills(read, id)]);
      const statementIds = all.map((s) => s.id);
      const waits = await frozenBy(read, "salesStatement", statementIds);
      const files = await filesOf(read, "salesStatement", statementIds);
      const rule = ruleOf(shop.terms.turnover);
      const months = shop.months.filter((m) => m.from <= read.today).toReversed();
      const usual = shop.months[0]?.base ?? 0;
      return {
        contractId: id,
        contractNo: shop.contractNo,
        roomNames: shop.roomNames,
        startDate: shop.start,
        endDate: shop.end,
        rentKind: rule.rentKind,
        rates: ratesText(rule),
        declareDay: rule.rentKind === "fixed" ? null : rule.declareDay,
        breakEven: rule.rentKind === "higherOf" ? breakEven(rule, usual) : null,
        months: months.map((m) => monthRow(read, shop, m, { all, bills, waits, files })),
      };
    }),
  );
}
