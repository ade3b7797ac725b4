import { type RawBuilder, type SqlBool, sql } from "kysely";
import { addDays, type Day, dayNumber, firstOf, lastOf } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { beginning } from "../../../platform/kernel/texts/like.ts";
import { among, amongWords, from, holds, is, named, to } from "../../../platform/server/lists/conditions.ts";
import { asksOnly, listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { aroundOf, readBills } from "../bill/bills.queries.ts";
import { isLate, isOpen } from "../bill/overdue.service.ts";
import { lateFeesOf } from "../latefee/latefee.service.ts";
import {
  BILL_TABS,
  type BillFilter,
  type BillRow,
  type BillTab,
  type BillTag,
  listBills,
} from "./bill.contract.ts";

/** What a keyword found, as a condition over `bill b`. */
export type Hits = { condition: RawBuilder<SqlBool> };

/** Above this many parties, rooms or contracts the bills are walked in order instead of looked up. */
const FEW = 1000;

/**
 * Finds what a keyword means before any bill is touched: a bill or contract number by its beginning, parties by part
 * of the name, whole phone or its last four digits, rooms by part of their name.
 */
export async function hitsOf(read: Read, keyword: string | undefined): Promise<Hits | undefined> {
  if (!keyword) return undefined;
  if (/^ZD\d/i.test(keyword)) {
    const prefix = beginning(keyword.toUpperCase());
    return { condition: sql`b.bill_no like ${prefix}` };
  }
  const isTail = /^\d{4}$/.test(keyword);
  const parties = sql`
    select id from party where ${named("name")(keyword)} or phone = ${keyword}
      ${isTail ? sql`or right(phone, 4) = ${keyword}` : sql``}`;
  const rooms = sql`select id from room where ${named("full_name")(keyword)}`;
  const contracts = sql`select id from contract_brief where contract_no like ${beginning(keyword.toUpperCase())}`;
  const isContract = /^HT\d/i.test(keyword);
  const { rows } = await sql<{ parties: number[]; rooms: number[]; contracts: number[] }>`
    select array(${parties} limit ${FEW + 1}) parties, array(${rooms} limit ${FEW + 1}) rooms,
      ${isContract ? sql`array(${contracts} limit ${FEW + 1})` : sql`'{}'::bigint[]`} contracts`.execute(
    read.tx,
  );
  const found = rows[0]!;
  const few = Object.values(found).every((ids) => ids.length <= FEW);
  if (few)
    return {
      condition: sql`(b.party_id = any(${found.parties}::bigint[]) or b.room_id = any(${found.rooms}::bigint[])
        or b.contract_id = any(${found.contracts}::bigint[]))`,
    };
  return {
    condition: sql`(b.party_id in (${parties}) or b.room_id in (${rooms})
      ${isContract ? sql`or b.contract_id in (${contracts})` : sql``})`,
  };
}

type Condition = RawBuilder<SqlBool>;

type Direction = BillFilter["direction"];
/** 待收, 逾期 and 本月应收 are money to come; what is to be paid stands there where 方向 asks for it. */
const inDirection = (direction: Direction): Condition => sql`b.direction = ${direction ?? "receivable"}`;
/** Written exactly as the partial indices are, so that a tab walks its own. */
const TABS: Record<BillTab, (today: Day, direction: Direction) => Condition> = {
  open: (_, direction) => sql`${isOpen} and ${inDirection(direction)}`,
  overdue: (today, direction) => sql`${isLate(today)} and ${inDirection(direction)}`,
  month: (today, direction) =>
    sql`b.due_date between ${firstOf(today)} and ${lastOf(today)} and b.voided_at is null and ${inDirection(direction)}`,
  plan: () => sql`b.issued_at is null and b.voided_at is null and b.outstanding > 0`,
  paid: () => sql`b.status = 'paid'`,
  void: () => sql`b.status = 'void'`,
  all: () => sql`true`,
};
/** What makes up 全部, each part read from its own index. */
const PARTS = [isOpen, ...(["plan", "paid", "void"] as const).map((tab) => TABS[tab]("", undefined))];
const OLDEST_FIRST: readonly BillTab[] = ["open", "overdue", "plan"];

/** 未开票 of bill b. */
export const UNINVOICED = sql<Fen>`bill_uninvoiced(b.direction, b.voided_at, b.source, b.subject_ids,
  (select invoiceable_subjects()), b.amount + b.adjusted - b.invoiced)`;
const TAGS: Record<
  "overdue" | "approving" | "disputed" | "writtenOff" | "uninvoiced",
  (today: Day) => Condition
> = {
  overdue: isLate,
  approving: () => sql`exists (select from examine e where e.target_kind = 'bill' and e.target_id = b.id
    and e.state = 'approving')`,
  disputed: () => sql`b.disputed_from is not null and b.disputed_to is null`,
  writtenOff: () => sql`b.written_off > 0`,
  uninvoiced: () => sql`b.invoiced = 0 and ${UNINVOICED} > 0`,
};

type Asked = { tab?: BillTab | undefined; overdue?: "0" | "1" | undefined };
const tabOf = ({ tab, overdue }: Asked): BillTab => tab ?? (overdue === "1" ? "overdue" : "all");

type Found = Omit<BillRow, "daysOverdue" | "lateFee" | "tags" | "frozen"> & {
  issued: boolean;
  disputed: boolean;
  settling: boolean;
};

/** The tabs over the sums by due day, and the days that two of them are about. */
const UNPAID = sql<SqlBool>`b.status in ('unpaid', 'partial')`;
const SUMMED_TABS: Record<BillTab, (direction: Direction) => Condition> = {
  open: (direction) => sql`${UNPAID} and issued and ${inDirection(direction)}`,
  overdue: (direction) => sql`${UNPAID} and issued and ${inDirection(direction)}`,
  month: (direction) => sql`b.status <> 'void' and ${inDirection(direction)}`,
  plan: () => sql`${UNPAID} and not issued`,
  paid: () => sql`b.status = 'paid'`,
  void: () => sql`b.status = 'void'`,
  all: () => sql`true`,
};
const DUE: Partial<Record<BillTab, (today: Day) => readonly [Day | undefined, Day]>> = {
  overdue: (today) => [undefined, addDays(today, -1)],
  month: (today) => [firstOf(today), lastOf(today)],
};
const SUMS = sql`safe_fen(coalesce(sum(b.amount), 0)) amount, safe_fen(coalesce(sum(b.adjusted), 0)) adjusted,
  safe_fen(coalesce(sum(b.settled), 0)) settled, safe_fen(coalesce(sum(b.written_off), 0)) "writtenOff",
  safe_fen(coalesce(sum(b.outstanding), 0)) outstanding, safe_fen(coalesce(sum(b.invoiced), 0)) invoiced`;

/** What a bill is filtered by, in the list and by store. */
export const FILTERED = {
  dueFrom: from("b.due_date"),
  dueTo: to("b.due_date"),
  periodFrom: from("b.period_end"),
  periodTo: to("b.period_start"),
  amountFrom: from("b.amount"),
  amountTo: to("b.amount"),
  status: amongWords("b.status"),
  source: amongWords("b.source"),
  direction: is("b.direction"),
  // as an array, so that the bills are fetched by room and never read through for them
  buildingIds: (ids: readonly number[]) => sql`b.room_id = any(array(select r.id from room r
    join apartment a on a.id = r.apartment_id where ${among("a.building_id")(ids)}))`,
  subjectIds: holds("b.subject_ids"),
  partyKind: (kinds: readonly string[]) => sql`exists (select from party p where p.id = b.party_id
    and p.kind = any(${kinds as string[]}::text[]))`,
  tag: (tags: readonly (keyof typeof TAGS)[], { today }: Read) =>
    sql`${sql.join(
      tags.map((tag) => TAGS[tag](today)),
      sql` and `,
    )}`,
};

/** Bills by due day, the oldest first where something is still to be done. */
export const bills = listOf(listBills, {
  id: "b.id",
  from: sql`bill b`,
  village: "b.village_id",
  where: {
    tab: (tab, read, { direction }) => TABS[tab](read.today, direction),
    overdue: (_, read, filter) =>
      filter.tab ? undefined : TABS[tabOf(filter)](read.today, filter.direction),
    ...FILTERED,
    roomIds: among("b.room_id"),
    partyId: is("b.party_id"),
    contractId: is("b.contract_id"),
    keyword: async (text, read) => (await hitsOf(read, text))?.condition,
  },
  sort: {
    dueDate: { by: "b.due_date", indexed: true, way: "asc" },
    amount: { by: "b.amount", indexed: true, way: "asc" },
    outstanding: { by: "b.outstanding", indexed: true, way: "asc" },
    // more days overdue is an earlier due day
    daysOverdue: { by: "b.due_date", indexed: true, way: "asc", opposite: true },
  },
  order: (asked) => ({ sort: "dueDate", order: OLDEST_FIRST.includes(tabOf(asked)) ? "asc" : "desc" }),
  walk: { along: () => ["tab", "overdue", "dueFrom", "dueTo"] },
  columns: sql<Found>`b.id, b.bill_no "billNo", b.village_id "villageId", v.name "villageName", b.room_id "roomId",
    r.full_name "roomName", b.party_id "partyId", p.kind "partyKind", p.name "partyName",
    b.contract_id "contractId", c.contract_no "contractNo", b.title, b.period_start "periodStart",
    b.period_end "periodEnd", b.due_date "dueDate", b.amount, b.adjusted, b.settled, b.written_off "writtenOff",
    b.outstanding, b.status, b.invoiced, b.issue_date "issueDate", b.direction, b.source, b.version,
    b.issued_at is not null issued, b.disputed_from is not null and b.disputed_to is null disputed,
    exists (select from contract_settling x where x.contract_id = b.contract_id) settling,
    coalesce((select string_agg(s.name, '、' order by s.priority) from fee_subject s
      where s.id = any(b.subject_ids)), '') subjects`,
  join: sql`join bill b on b.id = page.id join village v on v.id = b.village_id join party p on p.id = b.party_id
    left join room r on r.id = b.room_id left join contract_brief c on c.id = b.contract_id`,
  rows: async (found, read, asked) => {
    const ids = found.map((b) => b.id);
    const frozen = await frozenBy(read, "bill", ids);
    const grows = (b: Found) => b.outstanding > 0 && b.dueDate < read.today && b.issued;
    const growing = asked.also?.includes("lateFee") ? found.filter(grows).map((b) => b.id) : undefined;
    const late = growing && (await lateToday(read, growing));
    return found.map((bill) => ({
      ...bill,
      daysOverdue: grows(bill) ? daysLate(read, bill.dueDate) : null,
      lateFee: late ? (late.get(bill.id) ?? 0) : null,
      frozen: frozen.get(bill.id) ?? null,
      tags: [...(frozen.has(bill.id) ? (["approving"] as const) : []), ...tagsOf(bill)],
    }));
  },
  totals: (read, asked, where, walked) => {
    if (asksOnly(asked, SUMMED)) return summedTotals(read, asked);
    const parts = walked && tabOf(asked) === "all" ? PARTS : [undefined];
    return sql`
      select coalesce(sum(n), 0)::int total, ${SUMS}
      from (${sql.join(
        parts.map(
          (part) => sql`
        select count(*) n, sum(b.amount) amount, sum(b.adjusted) adjusted, sum(b.settled) settled,
          sum(b.written_off) written_off, sum(b.outstanding) outstanding, sum(b.invoiced) invoiced
        from bill b where ${where} ${part ? sql`and ${part}` : sql``}`,
        ),
        sql` union all `,
      )}) b`;
  },
});

/** What the sums by due day know of a bill. */
const SUMMED = ["villageIds", "direction", "status", "tab", "overdue", "dueFrom", "dueTo"];

/** The totals from the sums by due day. */
async function summedTotals(read: Read, asked: Asked & BillFilter): Promise<RawBuilder<{ total: number }>> {
  const { villageIds, direction, status, dueFrom, dueTo } = asked;
  const tab = tabOf(asked);
  const where = await bills.condition(read, { villageIds, direction, status });
  const [first, last] = DUE[tab]?.(read.today) ?? [];
  return sql<{ total: number }>`
    select coalesce(sum(bills), 0)::int total, ${SUMS}
    from bills_due(greatest('-infinity'::date, ${dueFrom ?? null}::date, ${first ?? null}::date),
      least('infinity'::date, ${dueTo ?? null}::date, ${last ?? null}::date)) b
    where ${where} and ${SUMMED_TABS[tab](direction)}`;
}

/** How many bills each tab holds under one filter. 全部 is what its parts make together. */
export async function billCounts(read: Read, filter: BillFilter): Promise<Record<BillTab, number>> {
  const where = await bills.condition(read, filter);
  const { direction } = filter;
  if (asksOnly(filter, ["villageIds", "direction"])) return countsByDueDay(read, where, direction);
  const count = async (condition: Condition) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int n from bill b where ${where} and ${condition}`.execute(read.tx);
    return rows[0]!.n;
  };
  const counted = BILL_TABS.filter((tab) => tab !== "all");
  const [each, open] = await Promise.all([
    Promise.all(counted.map(async (tab) => [tab, await count(TABS[tab](read.today, direction))] as const)),
    count(isOpen),
  ]);
  const by = Object.fromEntries(each) as Record<Exclude<BillTab, "all">, number>;
  return { ...by, all: open + by.plan + by.paid + by.void };
}

/** The same from the sums by due day, of which those of this month, and in it those before today, are read apart. */
async function countsByDueDay(
  { tx, today }: Read,
  where: RawBuilder<unknown>,
  direction: Direction,
): Promise<Record<BillTab, number>> {
  const [first, last] = [firstOf(today), lastOf(today)];
  const days: Partial<Record<BillTab, RawBuilder<unknown>>> = {
    overdue: sql`and b.due_date < ${today}::date`,
    month: sql`and b.due_date between ${first} and ${last}`,
  };
  const { rows } = await sql<Record<BillTab, number>>`
    select ${sql.join(
      BILL_TABS.map(
        (tab) =>
          sql`coalesce(sum(bills) filter (where ${SUMMED_TABS[tab](direction)} ${days[tab] ?? sql``}), 0)::int ${sql.ref(tab)}`,
      ),
    )}
    from bills_due('-infinity', 'infinity', array[${first}::date, ${today}::date, ${last}::date + 1]) b where ${where}`.execute(
    tx,
  );
  return rows[0]!;
}

const daysLate = (read: Read, dueDate: string) => dayNumber(read.today) - dayNumber(dueDate);

async function lateToday(read: Read, ids: readonly number[]): Promise<Map<number, number>> {
  const late = await readBills(read, ids);
  if (!late.length) return new Map();
  const around = await aroundOf(
    read,
    late.map((b) => b.villageId),
  );
  const fees = await lateFeesOf(read, late, read.today, around);
  return new Map([...fees].map(([id, fee]) => [id, Math.max(0, fee.expected)]));
}

function tagsOf(bill: Found): BillTag[] {
  const tags: BillTag[] = [];
  if (bill.settling && bill.outstanding > 0) tags.push("settling");
  if (!bill.issued && bill.status !== "void") tags.push("plan");
  if (bill.disputed) tags.push("disputed");
  if (bill.writtenOff > 0) tags.push("writtenOff");
  if (bill.invoiced > 0) tags.push(bill.invoiced < bill.amount + bill.adjusted ? "partInvoiced" : "invoiced");
  return tags;
}
