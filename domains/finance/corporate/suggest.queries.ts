import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Day, daysBetween } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { channelBalances } from "../account/account.service.ts";
import type { AccountKind } from "../account/channel.rules.ts";
import {
  codesIn,
  fitting,
  MOST_BESIDE,
  MOST_SUMMED,
  NEAR_DAYS,
  numbersIn,
  REASON,
  type Reason,
  scoreOf,
  TOGETHER_DAYS,
} from "./claim.rules.ts";

/** Who is thought to have paid a line, and for what. */
export type Suggestion = {
  partyId: number;
  partyKind: string;
  partyName: string;
  villageId: number;
  villageName: string;
  bills: { id: number; billNo: string }[];
  reason: string;
  score: number;
};
type Wanted = {
  id: number;
  day: Day;
  free: Fen;
  accountId: number;
  name: string;
  account: string;
  codes: string[];
  /** Numbers that stand in the line: of a sub-account, among others. */
  numbers: string[];
};

type Text = { summary: string; raw: string[] };

/** A line as proposals are made for it. */
export const wantedOf = ({ summary, raw, ...line }: Omit<Wanted, "codes" | "numbers"> & Text): Wanted => ({
  ...line,
  codes: codesIn(summary),
  numbers: numbersIn([summary, ...raw].filter((text) => text !== line.account)),
});

/** Lines that still have money to be claimed, as proposals are made for them. */
export async function wantedLines(read: Read, ids: readonly number[]): Promise<Wanted[]> {
  const { rows } = await sql<Omit<Wanted, "codes" | "numbers"> & Text>`
    select l.id, l.day, l.free, l.merchant_account_id "accountId", s.counter_name name, s.counter_account account,
      s.summary, s.raw
    from bank_line l join statement_line s on s.id = l.statement_line_id where l.id = ${anyOf(ids)} and l.free > 0`.execute(
    read.tx,
  );
  return rows.map(wantedOf);
}

type Known = { id: number; partyId: number; villageId: number; reason: Reason };

/** Lines that were claimed, with their claims. Each condition on them is one that an index answers. */
const CLAIMED = sql`statement_line s join bank_line k on k.statement_line_id = s.id join claim c on c.bank_line_id = k.id`;

/** Customers whom a line names: by a number in what was written, by the sub-account it came to, by the account or the name that has paid before, by name. */
async function namedIn(read: Read, lines: readonly Wanted[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    with line as (select * from json_to_recordset(${JSON.stringify(lines)}::json)
      r(id bigint, name text, account text, codes text[], numbers text[], "accountId" bigint))
    select l.id, k.party_id "partyId", k.village_id "villageId", k.reason
    from line l cross join lateral (
      select b.party_id, b.village_id, 'code' reason from bill b
        where b.bill_no = any(l.codes) and b.direction = 'receivable'
      union select c.party_id, c.village_id, 'code' from contract_brief c where c.contract_no = any(l.codes)
      union select coalesce(m.into_id, u.party_id), u.village_id, 'sub'
        from sub_account u left join party_merged m on m.id = u.party_id
        where u.merchant_account_id = l."accountId" and u.number = any(l.numbers) and u.state = 'enabled'
      union select c.party_id, c.village_id, 'account' from ${CLAIMED}
        where c.state = 'approved' and s.counter_account <> '' and s.counter_account = l.account
      union select c.party_id, c.village_id, 'payer' from ${CLAIMED}
        where c.state = 'approved' and s.counter_name <> '' and s.counter_name = l.name
          and (l.account = '' or s.counter_account <> l.account)
      union select p.id, v.village_id, 'name' from party p join party_village v on v.party_id = p.id
        where l.name <> '' and p.name = l.name and p.kind in ('renter', 'company', 'merchant')
          and not exists (select from party_merged m where m.id = p.id)) k
    where k.village_id = ${anyOf(read.who.villages)} and k.party_id is not null`.execute(read.tx);
  return rows;
}

type Open = { id: number; billNo: string; outstanding: Fen; dueDate: Day; issued: boolean };
type Owing = { partyId: number; villageId: number; bills: Open[] };
const MOST_OWING = 2000;
const isNear = (line: Wanted, { dueDate }: Open): boolean =>
  Math.abs(daysBetween(line.day, dueDate)) <= NEAR_DAYS;

/** Parties that owe exactly what one of some lines brought, around its day, among the bills that are issued; in any store. */
const owingExactly = (read: Read, lines: readonly Wanted[]) => sql`
  select distinct b.party_id, null::bigint from json_to_recordset(${JSON.stringify(lines)}::json) l(day date, free bigint)
    join receivable_open b on b.village_id = ${anyOf(read.who.villages)} and b.outstanding = l.free
      and b.due_date between l.day - ${NEAR_DAYS}::int and l.day + ${NEAR_DAYS}::int and ${nearOneOf("b", lines)}
  limit ${MOST_OWING}`;

/** Parties, in a store each, whose bills around the day of a line come to its amount, or one of them does. */
const owingTogether = (read: Read, line: Wanted) => sql`
  select b.party_id, b.village_id from bill b
  where b.village_id = ${anyOf(read.who.villages)} and b.outstanding > 0 and b.direction = 'receivable'
    and b.voided_at is null and ${nearOneOf("b", [line])}
  group by 1, 2 having sum(b.outstanding) = ${line.free} or bool_or(b.outstanding = ${line.free})
  limit ${MOST_OWING}`;

/** Due around the first to the last day of some lines: said for all of them, these are the bills that are looked at. */
function nearOneOf(bill: string, lines: readonly Wanted[]): RawBuilder<SqlBool> {
  const days = lines.map((line) => line.day).toSorted();
  return sql<SqlBool>`${sql.ref(`${bill}.due_date`)} between ${days[0]}::date - ${NEAR_DAYS}::int
    and ${days.at(-1)}::date + ${NEAR_DAYS}::int`;
}

/** What parties owe around the days of some lines, store by store. `parties`: a selection of them and of a store, null for any. */
async function owing(
  read: Read,
  lines: readonly Wanted[],
  parties: RawBuilder<unknown>,
): Promise<readonly Owing[]> {
  const { rows } = await sql<Open & { partyId: number; villageId: number }>`
    select b.party_id "partyId", b.village_id "villageId", b.id, b.bill_no "billNo", b.outstanding, b.due_date "dueDate",
      b.issued_at is not null issued
    from (${parties}) p (party_id, village_id) join bill b on b.party_id = p.party_id and (p.village_id is null or b.village_id = p.village_id)
    where b.village_id = ${anyOf(read.who.villages)} and b.outstanding > 0 and b.direction = 'receivable'
      and b.voided_at is null and ${nearOneOf("b", lines)}
    order by b.due_date, b.id`.execute(read.tx);
  return [...Map.groupBy(rows, keyOf).values()].map((bills) => ({
    partyId: bills[0]!.partyId,
    villageId: bills[0]!.villageId,
    bills,
  }));
}

type Joint = { bill: Pick<Open, "id" | "billNo">; others: number };
/** So many bills are tried for one line. */
const MOST_TRIED = 50;

/** Of the customers whom a line names, the bill that it pays to the fen together with a few other unclaimed lines of its payer. */
async function together(read: Read, line: Wanted, known: readonly Known[]): Promise<Map<string, Joint>> {
  const found = new Map<string, Joint>();
  if (!known.length) return found;
  const { rows: beside } = await sql<{ id: number; outstanding: Fen }>`
    select l.id, l.free outstanding from bank_line l join statement_line s on s.id = l.statement_line_id
    where l.merchant_account_id = ${line.accountId} and l.id <> ${line.id} and l.free > 0
      and l.day between ${line.day}::date - ${TOGETHER_DAYS}::int and ${line.day}::date + ${TOGETHER_DAYS}::int
      and case when ${line.account} <> '' and s.counter_account <> '' then s.counter_account = ${line.account}
        else s.counter_name <> '' and s.counter_name = ${line.name} end
    order by abs(l.day - ${line.day}::date), l.id limit ${MOST_SUMMED}`.execute(read.tx);
  if (!beside.length) return found;
  const { rows: bills } = await sql<
    Pick<Open, "id" | "billNo" | "outstanding"> & { partyId: number; villageId: number }
  >`
    select b.id, b.bill_no "billNo", b.outstanding, b.party_id "partyId", b.village_id "villageId" from bill b
    where b.party_id = ${anyOf(known.map((k) => k.partyId))} and b.outstanding > ${line.free}
      and b.direction = 'receivable' and b.voided_at is null
      and b.due_date between ${line.day}::date - ${TOGETHER_DAYS}::int and ${line.day}::date + ${TOGETHER_DAYS}::int
    order by abs(b.due_date - ${line.day}::date), b.id limit ${MOST_TRIED}`.execute(read.tx);
  const keys = new Set(known.map(keyOf));
  for (const { partyId, villageId, outstanding, ...bill } of bills) {
    const key = keyOf({ partyId, villageId });
    if (!keys.has(key)) continue;
    const others = fitting(beside, outstanding - line.free).length;
    if (others && others <= MOST_BESIDE && others < (found.get(key)?.others ?? Infinity))
      found.set(key, { bill, others });
  }
  return found;
}

const keyOf = (of: { partyId: number; villageId: number }) => `${of.partyId} ${of.villageId}`;

/**
 * Whose money some lines may be, the likeliest first, in the operator's villages. Of many lines, those that name nobody are
 * held against single bills alone: sums over everybody's bills, and over several lines of a payer, are tried for one line that
 * somebody looks at.
 */
export async function suggestionsFor(
  read: Read,
  lines: readonly Wanted[],
  most = 5,
): Promise<Map<number, Suggestion[]>> {
  if (!lines.length) return new Map();
  const known = Map.groupBy(await namedIn(read, lines), (k) => k.id);
  const nobody = lines.filter((line) => !known.has(line.id));
  const named = [...new Set([...known.values()].flat().map((k) => k.partyId))];
  const alone = lines.length === 1 ? lines[0]! : undefined;
  const anybody = alone && nobody.length === 1;
  const owed = await owing(
    read,
    lines,
    anybody
      ? owingTogether(read, alone)
      : sql`select p, null::bigint from unnest(${named}::bigint[]) p
          ${nobody.length ? sql`union (${owingExactly(read, nobody)})` : sql``}`,
  );
  const joint = alone ? await together(read, alone, known.get(alone.id) ?? []) : undefined;
  const found = lines.map((line) => {
    const near = owed.flatMap((o) => {
      const bills = o.bills.filter((bill) => isNear(line, bill));
      return bills.length ? [{ ...o, bills }] : [];
    });
    const reasons = Map.groupBy(known.get(line.id) ?? [], keyOf);
    const whose = near.filter((o) => {
      if (reasons.size) return reasons.has(keyOf(o));
      return anybody || o.bills.some((bill) => bill.issued && bill.outstanding === line.free);
    });
    const fits = whose.flatMap((o) => {
      const paid = fitting(o.bills, line.free);
      return paid.length ? [{ ...o, bills: o.bills.filter((b) => paid.includes(b.id)) }] : [];
    });
    const bills = new Map(fits.map((o) => [keyOf(o), o.bills]));
    const all = [...new Set([...reasons.keys(), ...bills.keys()])].map((key) => {
      const [partyId, villageId] = key.split(" ").map(Number) as [number, number];
      const partly = bills.has(key) ? undefined : joint?.get(key);
      const pays = bills.get(key) ?? (partly ? [partly.bill] : []);
      const fit = partly ? "together" : pays.length === 1 ? "bill" : pays.length ? "bills" : undefined;
      const why: Reason[] = [
        ...new Set((reasons.get(key) ?? []).map((k) => k.reason)),
        ...(fit ? ([fit] as const) : []),
      ];
      return {
        partyId,
        villageId,
        bills: pays.map(({ id, billNo }) => ({ id, billNo })),
        why,
        others: partly?.others ?? 0,
        score: scoreOf(why),
      };
    });
    return [
      line.id,
      all.toSorted((a, b) => b.score - a.score || a.partyId - b.partyId).slice(0, most),
    ] as const;
  });
  const names = await namesOf(
    read,
    found.flatMap(([, list]) => list),
  );
  return new Map(
    found.map(([id, list]) => [
      id,
      list.map(({ why, others, ...one }) => ({
        ...one,
        ...names.get(keyOf(one))!,
        reason: why
          .toSorted((a, b) => REASON[b][1] - REASON[a][1])
          .map((r) => REASON[r][0].replace("n", String(others)))
          .join("，"),
      })),
    ]),
  );
}

type Names = Pick<Suggestion, "partyKind" | "partyName" | "villageName">;
async function namesOf(
  read: Read,
  of: readonly { partyId: number; villageId: number }[],
): Promise<Map<string, Names>> {
  const { rows } = await sql<Names & { partyId: number; villageId: number }>`
    select p.id "partyId", p.kind "partyKind", p.name "partyName", v.id "villageId", v.name "villageName"
    from party p, village v where p.id = ${anyOf(of.map((o) => o.partyId))} and v.id = ${anyOf(of.map((o) => o.villageId))}`.execute(
    read.tx,
  );
  return new Map(rows.map(({ partyId, villageId, ...names }) => [keyOf({ partyId, villageId }), names]));
}

/** What firms that settle for the channels call themselves. */
const SETTLES: Partial<Record<AccountKind, RegExp>> = {
  wechat: /财付通|微信支付/,
  alipay: /支付宝|蚂蚁/,
  unionpay: /银联|通联|拉卡拉|收单/,
  pos: /银联|通联|拉卡拉|收单|POS/i,
};

export type Settling = { accountId: number; accountName: string; reason: string };

/** Lines that look like the settlement of a channel: by who paid, as far as the channel owes so much. Proposed, not booked. */
export async function settlingLines(read: Read, lines: readonly Wanted[]): Promise<Map<number, Settling>> {
  if (!lines.length) return new Map();
  const { rows: channels } = await sql<{
    id: number;
    name: string;
    kind: AccountKind;
    into: number | null;
    of: number;
  }>`
    select c.id, c.name, c.kind, c.settle_to_account_id "into", a.id "of"
    from merchant_account a join merchant_account c on c.enterprise_id = a.enterprise_id
    where a.id = ${anyOf([...new Set(lines.map((line) => line.accountId))])} and c.enabled and not c.handover
      and c.kind in ('wechat', 'alipay', 'unionpay', 'pos') and (c.settle_to_account_id is null or c.settle_to_account_id = a.id)
    order by c.settle_to_account_id nulls last, c.id`.execute(read.tx);
  const payers = (line: Wanted) =>
    channels.filter((c) => c.of === line.accountId && SETTLES[c.kind]?.test(line.name));
  // what a channel still holds is only asked of those that some line names
  const pending = await channelBalances(read, [...new Set(lines.flatMap(payers).map((c) => c.id))]);
  return new Map(
    lines.flatMap((line) => {
      const mine = payers(line).filter((c) => pending.get(c.id)! >= line.free);
      const one = mine.find((c) => pending.get(c.id) === line.free) ?? mine[0];
      if (!one) return [];
      const reason = pending.get(one.id) === line.free ? "付款方为渠道，金额等于待结算余额" : "付款方为渠道";
      return [[line.id, { accountId: one.id, accountName: one.name, reason }]];
    }),
  );
}

/** So many lines of a file are looked at for settlements of channels. */
const MOST_SETTLING = 2_000;

/** How many lines of a file look like the settlement of a channel. */
export async function recognisedIn(read: Read, statementId: number): Promise<number> {
  const names = [...new Set(Object.values(SETTLES).flatMap(({ source }) => source.split("|")))].join("|");
  const { rows } = await sql<{ id: number }>`
    select l.id from bank_line l join statement_line s on s.id = l.statement_line_id
    where s.statement_id = ${statementId} and s.counter_name ~* ${names} order by l.id limit ${MOST_SETTLING}`.execute(
    read.tx,
  );
  const lines = await wantedLines(
    read,
    rows.map((row) => row.id),
  );
  const found = await settlingLines(read, lines);
  return found.size;
}
