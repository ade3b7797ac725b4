import { type RawBuilder, sql } from "kysely";
import { type Day, type Month, type Period, firstOf, lastOf, minDay } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { EVENTS, type EventCode } from "../../finance/journal/journal.rules.ts";
import { movedOver } from "../indicator/sources.queries.ts";
import { ON_RECEIVABLES, actualsOf } from "./actual.queries.ts";
import type { Drill } from "./budget-indicator.contract.ts";
import { expectedOf } from "./expected.queries.ts";
import { type Account, type Indicator, type Measure, type Part, needsOf } from "./source.rules.ts";
import { MONTHS, evaluator, shownValue } from "./value.rules.ts";

/** As many rows as a drawer shows; the count says how many there are. */
const SHOWN = 200;
type Row = Drill["rows"][number];
type Rows = { rows: Row[]; total: number };
type Posted = {
  day: Day;
  what: string;
  number: string;
  about: string;
  fen: Fen;
  billId: number | null;
  count: number;
};

const sideOf = (account: Account) => sql.lit(["6401", "6602", "6701", "6702"].includes(account) ? 1 : -1);

/** The postings of one part, on the account's own side; income that was spread over days, line by line. */
function postingsOf(
  { account }: Part,
  basis: Indicator["basis"],
  villageId: number,
  { from, to }: Period,
): RawBuilder<unknown> {
  const inMonth = sql`l.village_id = ${villageId} and l.account = ${account}
    and l.date between ${from}::date and ${to}::date`;
  const receivable = account === "1122" ? ON_RECEIVABLES[basis === "cash" ? "cash" : "billed"] : undefined;
  const side = receivable ? sql.lit(basis === "cash" ? -1 : 1) : sideOf(account);
  const lines = sql`
    select l.date "day", e.event what, e.entry_no number,
      concat_ws(' ', p.name, s.name, nullif(e.memo, '')) about, l.fee_subject_id "subjectId",
      ${side} * (l.debit - l.credit) fen, l.bill_id "billId"
    from journal_line l join journal_entry e on e.id = l.entry_id left join party p on p.id = l.party_id
      left join fee_subject s on s.id = l.fee_subject_id
    where ${inMonth} and ${receivable ? sql`e.event = any(${[...receivable]})` : account === "6001" ? sql`e.event <> 'E24'` : sql`true`}`;
  if (account !== "6001") return lines;
  return sql`${lines}
    union all
    select e.date, 'E24', coalesce(b.bill_no, c.contract_no, e.entry_no), concat_ws(' ', coalesce(p.name, c.party_name), s.name),
      a.fee_subject_id, a.net, b.id
    from accrual_row a join journal_entry e on e.id = a.entry_id
      left join bill_line n on n.id = a.bill_line_id left join bill b on b.id = n.bill_id left join party p on p.id = b.party_id
      left join contract c on c.id = a.contract_id left join fee_subject s on s.id = a.fee_subject_id
    where a.village_id = ${villageId} and e.date between ${from}::date and ${to}::date`;
}

const takenBy = ({ subjectIds, except }: Part) =>
  !subjectIds.length
    ? sql`true`
    : except
      ? sql`("subjectId" is null or "subjectId" <> all(${subjectIds}::bigint[]))`
      : sql`"subjectId" = any(${subjectIds}::bigint[])`;

/** Accounts may stand in several parts: as in the sum, the first that takes a posting has it. */
async function moneyRows(
  read: Read,
  indicator: Indicator,
  parts: readonly Part[],
  villageId: number,
  period: Period,
): Promise<Rows> {
  const expected =
    parts.some((part) => part.account === "6001") && period.from <= read.today
      ? await expectedOf(read, villageId, period)
      : undefined;
  const each = parts.flatMap((part, i) => {
    const before = parts.slice(0, i).filter((p) => p.account === part.account);
    const mine = sql.join([takenBy(part), ...before.map((p) => sql`not (${takenBy(p)})`)], sql` and `);
    const of = (rows: RawBuilder<unknown>) => sql`
      select "day", what, number, about, ${sql.lit(part.sign === "plus" ? 1 : -1)} * fen fen, "billId" from (${rows}) r where ${mine}`;
    return [
      of(postingsOf(part, indicator.basis, villageId, period)),
      ...(part.account === "6001" && expected ? [of(expected)] : []),
    ];
  });
  const { rows } = await sql<Posted>`
    select *, count(*) over () "count" from (${sql.join(each, sql` union all `)}) x where fen <> 0
    order by abs(fen) desc, "day", number limit ${SHOWN}`.execute(read.replica);
  return {
    rows: rows.map(({ fen, count: _, what, ...row }) => ({
      ...row,
      what: what in EVENTS ? EVENTS[what as EventCode].name : what,
      shown: shownValue("yuan", fen),
    })),
    total: rows[0]?.count ?? 0,
  };
}

/** Days for what is a mean over days, contracts and rooms for what is counted. */
async function measureRows(
  read: Read,
  measure: Measure,
  villageId: number,
  { from, to: end }: Period,
): Promise<Rows> {
  const to = minDay(end, read.today);
  const nothing = { number: "", billId: null };
  if (measure === "occupancy" || measure === "averageRent") {
    const { rows } = await sql<{ day: Day; base: number; let: number; rent: Fen }>`
      select day, base, let, let_rent_fen rent from village_day
      where village_id = ${villageId} and day between ${from}::date and ${to}::date order by day`.execute(
      read.replica,
    );
    return {
      rows: rows.map((r) => ({
        ...nothing,
        day: r.day,
        what: "房态",
        about: `可租 ${r.base} 间`,
        shown:
          measure === "occupancy"
            ? `${r.let} 间`
            : r.let
              ? `${shownValue("yuan", r.rent)}（${r.let} 间）`
              : "0 间",
      })),
      total: rows.length,
    };
  }
  if (measure === "collection") {
    const { rows } = await sql<{ day: Day; billed: Fen; settled: Fen }>`
      select due_date "day", sum(billed)::bigint billed, sum(settled)::bigint settled from receivable_day
      where village_id = ${villageId} and due_date between ${from}::date and ${end}::date
        and day < month_of(due_date) + interval '1 month' group by 1 order by 1`.execute(read.replica);
    return {
      rows: rows.map((r) => ({
        ...nothing,
        day: r.day,
        what: "应收日",
        about: `应收 ${shownValue("yuan", r.billed)}`,
        shown: shownValue("yuan", r.settled),
      })),
      total: rows.length,
    };
  }
  const came = measure === "newRooms";
  const { rows } = await sql<{ day: Day; number: string; room: string; count: number }>`
    select m.day, c.contract_no number, r.full_name room, count(*) over () "count"
    from (${movedOver([villageId], { from, to })}) m join contract c on c.id = m.contract_id
      join room r on r.id = m.room_id where m.came = ${came} order by m.day, m.contract_id, m.room_id limit ${SHOWN}`.execute(
    read.replica,
  );
  return {
    rows: rows.map((r) => ({
      day: r.day,
      what: came ? "新签" : "退租",
      number: r.number,
      about: r.room,
      shown: "1 间",
      billId: null,
    })),
    total: rows[0]?.count ?? 0,
  };
}

/** What an indicator says of a store and a month, or the months up to `to` of one year, with the rows that make it. `all` has it itself. */
export async function drillOf(
  read: Read,
  indicator: Indicator,
  all: readonly Indicator[],
  of: { villageId: number; month: Month; to?: Month | undefined },
): Promise<Drill> {
  const { source, unit, agg } = indicator;
  const { villageId, to = of.month } = of;
  // a stock is that of the last month
  const month = agg === "last" ? to : of.month;
  const [first, last] = [Number(month.slice(5)), Number(to.slice(5))];
  const period = { from: firstOf(month), to: lastOf(to) };
  const actuals = await actualsOf(read, all, [villageId], Number(month.slice(0, 4)), { first, last });
  const figures = evaluator(all, actuals.leaf);
  const months = MONTHS.filter((m) => first <= m && m <= last);
  const span = { villages: [villageId], months };
  const found: Rows =
    source.by === "money"
      ? await moneyRows(read, indicator, source.parts, villageId, period)
      : source.by === "measure"
        ? await measureRows(read, source.measure, villageId, period)
        : componentRows();
  function componentRows(): Rows {
    const codes = [...new Set(needsOf(indicator, all))];
    const rows = codes.flatMap((code) => {
      const part = all.find((i) => i.code === code);
      if (!part || (source.by === "children" && !part.enabled)) return [];
      const shown = shownValue(part.unit, figures.value(part, span));
      return [
        {
          day: month === to ? month : `${month} ~ ${to}`,
          what: part.name,
          number: part.code,
          about: "",
          shown,
          billId: null,
        },
      ];
    });
    return { rows, total: rows.length };
  }
  return {
    shown: shownValue(unit, figures.value(indicator, span)),
    estimated: months.some((m) => actuals.estimated(indicator, villageId, m)),
    ...found,
  };
}
