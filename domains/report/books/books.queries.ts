import { sql } from "kysely";
import { type Day, firstOf, lastOf, monthOf, type Period } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { forbidden, invalid } from "../../../platform/kernel/refusal.ts";
import {
  allOf,
  amongWords,
  from,
  keyword,
  number,
  phrase,
  type Sql,
  to,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { headSeen, seesHead } from "../../finance/account/account.service.ts";
import { otherPeriod } from "../indicator/period.rules.ts";
import { type EntryRow, listJournal } from "./books.contract.ts";
import { type Dimension, type Moved, trialLine, type TrialLine } from "./books.rules.ts";

export type Range = {
  villageIds?: number[] | undefined;
  head?: boolean | undefined;
  from?: Day | undefined;
  to?: Day | undefined;
};
export type Asked = { stores: number[]; period: Period };

const MOST_DAYS = 366 * 3;

/** This month where nobody says; at most three years. */
function periodOf(read: Read, { from, to }: Range): Period {
  const first = from ?? (to ? firstOf(monthOf(to)) : firstOf(monthOf(read.today)));
  const period = { from: first, to: to ?? (from ? read.today : lastOf(monthOf(read.today))) };
  if (period.to < period.from) throw invalid({ field: "to", msg: "结束日期不能早于开始日期" });
  if (Date.parse(period.to) - Date.parse(period.from) > MOST_DAYS * 86_400_000)
    throw invalid({ field: "to", msg: "期间最长三年" });
  return period;
}

/** The stores asked for as `journal_day` names them; head office only for callers who see every store. */
export async function askedOf(read: Read, range: Range): Promise<Asked> {
  const { enterpriseId } = read.who;
  const head = !range.villageIds?.length && (await seesHead(read, enterpriseId));
  if (range.head && !head) throw forbidden();
  const stores = range.head ? [] : [...villagesOf(read.who, range.villageIds)];
  if (head && enterpriseId) stores.push(-enterpriseId);
  return { stores, period: periodOf(read, range) };
}

/** The periods of the three columns. 上期 is as many months, or days, before. */
export function columnsOf({ from, to }: Period): Record<"now" | "before" | "year", Period> {
  const before = otherPeriod({ from, to }, "before", to);
  return {
    now: { from, to },
    before: { from: before.from, to: before.to },
    year: { from: `${to.slice(0, 4)}-01-01`, to },
  };
}

type Part = { before: Fen; debit: Fen; credit: Fen };

/** The journal with what stands after a period and what moved in it apart; `turnover` tells whether anything did at all. */
const over = (stores: readonly number[], { from, to }: Period) => sql`(
    select village_id, account, event, fee_subject_id, merchant_account_id, debit + credit turnover, debit - credit "after",
      0 debit, 0 credit
    from journal_until(${stores}::bigint[], ${to}::date)
    union all
    select village_id, account, event, fee_subject_id, merchant_account_id, 0, 0, debit, credit
    from journal_over(${stores}::bigint[], ${from}::date, ${to}::date))`;
const PART = sql<Part>`(sum("after") - sum(debit - credit))::bigint "before", sum(debit)::bigint debit, sum(credit)::bigint credit`;

/** What each account was moved by each event, before each period and in it. */
export async function movedIn<K extends string>(
  read: Read,
  stores: readonly number[],
  periods: Record<K, Period>,
): Promise<Record<K, Moved[]>> {
  const of = async (period: Period) => {
    const { rows } = await sql<Moved>`
      select account, event, (sum("after") - sum(debit - credit))::bigint "before", sum(debit - credit)::bigint moved
      from ${over(stores, period)} x group by 1, 2`.execute(read.replica);
    return rows;
  };
  const all = Object.entries<Period>(periods).map(async ([key, period]) => [key, await of(period)]);
  return Object.fromEntries(await Promise.all(all)) as Record<K, Moved[]>;
}

/** The balance of every account that ever moved. */
export async function trialOf(read: Read, { stores, period }: Asked) {
  const { rows } = await sql<Part & { account: string; name: string }>`
    select a.code account, a.name, d.* from account a
    join (select account, ${PART} from ${over(stores, period)} x group by 1 having sum(turnover) > 0) d on d.account = a.code
    order by 1`.execute(read.replica);
  return rows.map(({ account, name, ...part }) => ({
    id: Number(account),
    account,
    name,
    ...trialLine(part),
  }));
}

/** The largest parts of one account that are told apart; what is smaller is one line. */
const PARTS = 100;

/** One account by store, receiving account, subject or customer. */
export async function partsOf(
  read: Read,
  { stores, period }: Asked,
  account: string,
  by: Dimension,
): Promise<(TrialLine & { id: number | null; name: string })[]> {
  const key = {
    village: "village_id",
    merchant: "merchant_account_id",
    subject: "fee_subject_id",
    party: "party_id",
  }[by];
  const name = {
    village: sql`case when k.key < 0 then '公司本部' else (select name from village where id = k.key) end`,
    merchant: sql`(select name from merchant_account where id = k.key)`,
    subject: sql`(select name from fee_subject where id = k.key)`,
    party: sql`(select name from party where id = k.key)`,
  }[by];
  // who the customer was stands in the journal alone
  const source =
    by === "party"
      ? sql`(select party_id, debit - credit "after", case when date >= ${period.from} then debit else 0 end debit,
          case when date >= ${period.from} then credit else 0 end credit
          from journal_line where account = ${account} and date <= ${period.to} and (village_id = ${anyOf(stores)}
            or (${stores.some((s) => s < 0)} and village_id is null
              and entry_id in (select entry_id from journal_line x join merchant_account m on m.id = x.merchant_account_id
                where m.enterprise_id = ${read.who.enterpriseId}))))`
      : sql`(select * from ${over(stores, period)} o where account = ${account})`;
  const { rows } = await sql<Part & { id: number | null; name: string | null; nth: number }>`
    with parts as materialized (
      select ${sql.ref(key)} "key", ${PART} from ${source} s group by 1),
    ordered as (
      select *, row_number() over (order by abs("before" + debit - credit) desc, debit + credit desc, "key") nth from parts
      where "before" <> 0 or debit <> 0 or credit <> 0)
    select k.key id, ${name} "name", k."before", k.debit, k.credit, k.nth::int from ordered k where nth <= ${PARTS}
    union all
    select null, '其余 ' || count(*) || ' 项', sum("before")::bigint, sum(debit)::bigint, sum(credit)::bigint, ${PARTS} + 1
    from ordered where nth > ${PARTS} having count(*) > 0
    order by nth`.execute(read.replica);
  return rows.map(({ id, name, nth: _, ...part }) => ({ id, name: name ?? "未指定", ...trialLine(part) }));
}

/** The amount of an entry is what stands on its left. */
const AMOUNT = sql`(select sum(debit)::bigint from journal_line where entry_id = e.id)`;

type Of = { villageIds?: number[] | undefined; head?: boolean | undefined; account?: string | undefined };

/** What an entry `e` moved an account by, in the stores that are asked for. */
const movedBy = (read: Read, { villageIds, head, account }: Of) => {
  const theirs = sql`l.village_id = ${anyOf(villagesOf(read.who, villageIds))}`;
  const stores = head
    ? sql`l.village_id is null`
    : villageIds?.length
      ? theirs
      : sql`(${theirs} or l.village_id is null and ${headSeen(read, read.who.enterpriseId)})`;
  return sql`(select coalesce(sum(l.debit), 0)::bigint debit, coalesce(sum(l.credit), 0)::bigint credit
    from journal_line l where l.entry_id = e.id and l.account = ${account} and ${stores})`;
};

/**
 * Entries with a line of the caller's stores; for callers who see every store those of head office too. These are looked at one
 * by one on the way through the days, since nearly all of them are the caller's; those of some stores are found by their lines.
 */
export const journal = listOf(listJournal, {
  id: "e.id",
  from: sql`journal_entry e`,
  scope: async (read, { villageIds, head, from: first, to: last }) => {
    const { enterpriseId } = read.who;
    const theirs = sql`l.village_id = ${anyOf(villagesOf(read.who, villageIds))}`;
    const all = !villageIds?.length && (await seesHead(read, enterpriseId));
    if (head && !all) throw forbidden();
    if (all)
      return sql`(select true from journal_line l left join merchant_account m on m.id = l.merchant_account_id
        where l.entry_id = e.id and (${theirs} or (l.village_id is null and m.enterprise_id = ${enterpriseId})) limit 1)`;
    const asked = [theirs, ...(first ? [from("l.date")(first)] : []), ...(last ? [to("l.date")(last)] : [])];
    return sql`e.id in (select l.entry_id from journal_line l where ${allOf(asked)})`;
  },
  where: {
    from: from("e.date"),
    to: to("e.date"),
    head: (head) =>
      head
        ? sql`exists (select from journal_line l where l.entry_id = e.id and l.village_id is null)`
        : undefined,
    event: amongWords("e.event"),
    account: (account) =>
      sql`exists (select from journal_line l where l.entry_id = e.id and l.account = ${account})`,
    keyword: keyword(
      number("e.entry_no"),
      phrase("e.memo"),
      (text) => sql`e.id in (
        select l.entry_id from journal_line l join bill b on b.id = l.bill_id where b.bill_no = ${text.toUpperCase()}
        union select l.entry_id from journal_line l join flow f on f.id = l.flow_id where f.flow_no = ${text.toUpperCase()})`,
    ),
  },
  sort: { date: { by: "e.date", indexed: true }, postedAt: { by: "e.id", indexed: true } },
  order: "date",
  columns: sql<EntryRow>`e.id, e.entry_no "entryNo", e.date, e.business_date "businessDate", e.event, e.memo,
    ${AMOUNT} amount, a.debit "accountDebit", a.credit "accountCredit", l.bill_id "billId", l.flow_id "flowId", coalesce(f.flow_no, b.bill_no, c.contract_no, '') "sourceNo",
    l.villages "villageNames", coalesce(r.entry_no, '') "reversesNo", coalesce(o.real_name, '系统') "postedBy",
    e.posted_at "postedAt"`,
  join: (read, asked) => sql`join journal_entry e on e.id = page.id
    left join lateral ${asked.account ? movedBy(read, asked) : sql`(select null::bigint debit, null::bigint credit)`} a on true
    left join lateral (
      select min(bill_id) bill_id, min(flow_id) flow_id, min(contract_id) contract_id,
        string_agg(distinct coalesce(v.name, '公司本部'), '、') villages
      from journal_line x left join village v on v.id = x.village_id where x.entry_id = e.id) l on true
    left join bill b on b.id = l.bill_id left join flow f on f.id = l.flow_id
    left join contract_brief c on c.id = l.contract_id
    left join journal_entry r on r.id = e.reverses_id left join operator o on o.id = e.posted_by`,
  plannedAnew: true,
  // a whole company's are summed as they are kept; where there is no other company, its entries are all there are
  totals: async (read, query, where) => {
    const { villageIds, head, from: first, to: last, event, account, keyword: text } = query;
    const { enterpriseId } = read.who;
    if (
      villageIds?.length ||
      head ||
      account ||
      text ||
      "picked" in query ||
      !(await seesHead(read, enterpriseId))
    )
      return undefined;
    const asked = (day: string, stores: Sql) =>
      allOf([
        stores,
        ...(first ? [from(day)(first)] : []),
        ...(last ? [to(day)(last)] : []),
        ...(event?.length ? [amongWords("e.event")(event)] : []),
      ]);
    const { stores } = await askedOf(read, {});
    const { rows } = await sql<{ total: number; amount: Fen }>`
      select case when (select count(*) from enterprise) = 1
          then (select count(*) from journal_entry e where ${asked("e.date", sql`true`)})
          else (select count(*) from journal_entry e where ${where}) end total,
        (select coalesce(sum(e.debit), 0)::bigint from journal_day e where ${asked("e.day", sql`e.village_id = ${anyOf(stores)}`)}) amount`.execute(
      read.tx,
    );
    return rows[0]!;
  },
  sums: {
    select: (_read, { account }) =>
      sql`coalesce(sum(a.fen), 0)::bigint amount${
        account
          ? sql`,
      coalesce(sum(m.debit), 0)::bigint "accountDebit", coalesce(sum(m.credit), 0)::bigint "accountCredit"`
          : sql``
      }`,
    join: (
      read,
      asked,
    ) => sql`join lateral (select sum(debit) fen from journal_line where entry_id = e.id) a on true
      ${asked.account ? sql`join lateral ${movedBy(read, asked)} m on true` : sql``}`,
  },
});
