import { sql } from "kysely";
import { type Period, daysInMonth, firstOf, lastOf, monthOf } from "../../../platform/kernel/day.ts";
import { type Fen, ratio } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { countsOn } from "../../listing/status/status.service.ts";
import { dueMonthsBy, movesBy, nightsBy } from "../indicator/sources.queries.ts";
import { expectedIncome } from "./expected.queries.ts";
import { type Account, type Indicator, type Measure, type Part, isDebit, isInput } from "./source.rules.ts";
import { type Leaf, type LeafOf, wholeLeaf } from "./value.rules.ts";

/** Events on receivables: what was billed, and what of it was paid with money. */
export const ON_RECEIVABLES = { billed: ["E01", "E02", "E03", "E04", "E05"], cash: ["E08", "E09"] } as const;
type Receivable = keyof typeof ON_RECEIVABLES;

type Moved = {
  villageId: number;
  month: number;
  account: Account;
  subjectId: number | null;
  /** Of which events, on receivables. */
  what: Receivable | "";
  fen: Fen;
};
export type Actuals = {
  leaf: LeafOf;
  /** Its income is not booked yet but expected, as far as days have passed. */
  estimated: (indicator: Indicator, villageId: number, month: number) => boolean;
};

const key = (villageId: number, month: number) => `${villageId} ${month}`;
/** The first and the last month that are asked for; the whole year where nobody says. */
export type Months = { first: number; last: number };
const WHOLE: Months = { first: 1, last: 12 };
export const monthIn = (year: number, month: number) => `${year}-${String(month).padStart(2, "0")}`;
const periodOf = (year: number, { first, last }: Months): Period => ({
  from: firstOf(monthIn(year, first)),
  to: lastOf(monthIn(year, last)),
});
const partsOf = ({ source }: Indicator): readonly Part[] => (source.by === "money" ? source.parts : []);
const takes = ({ subjectIds, except }: Part, subjectId: number | null): boolean =>
  !subjectIds.length || subjectIds.includes(subjectId ?? 0) !== except;

/** What the journal moved in each store and month of a year, by account and fee subject, on the account's own side. */
async function movedIn(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
  accounts: readonly Account[],
): Promise<Moved[]> {
  const own = accounts.filter((account) => account !== "1122");
  const inMonths = sql`journal_months(${villages as number[]}::bigint[], ${from}, ${to}) l`;
  const parts = [
    ...(own.length
      ? [
          sql`select l.village_id, l.month, l.account, l.fee_subject_id, '' what,
            case when l.account = any(${own.filter(isDebit)}::text[]) then l.debit - l.credit else l.credit - l.debit end fen
          from ${inMonths} where l.account = any(${own}::text[])`,
        ]
      : []),
    ...(accounts.includes("1122")
      ? [
          sql`select l.village_id, l.month, l.account, l.fee_subject_id,
            case when l.event = any(${[...ON_RECEIVABLES.cash]}) then 'cash' else 'billed' end,
            case when l.event = any(${[...ON_RECEIVABLES.cash]}) then l.credit - l.debit else l.debit - l.credit end
          from ${inMonths} where l.account = '1122' and l.event = any(${Object.values(ON_RECEIVABLES).flat()})`,
        ]
      : []),
  ];
  if (!parts.length) return [];
  const { rows } = await sql<Moved>`
    select village_id "villageId", extract(month from month)::int "month", account, fee_subject_id "subjectId", what,
      sum(fen)::bigint fen from (${sql.join(parts, sql` union all `)}) m group by 1, 2, 3, 4, 5`.execute(
    read.replica,
  );
  return rows;
}

const sumOf = (parts: readonly Part[], what: Receivable | "", moved: readonly Moved[]): Fen =>
  moved.reduce((sum, m) => {
    const part = parts.find(
      (p) => p.account === m.account && (m.account !== "1122" || m.what === what) && takes(p, m.subjectId),
    );
    return part ? sum + (part.sign === "plus" ? m.fen : -m.fen) : sum;
  }, 0);

/** Figures of rooms and contracts by measure, store and month. */
async function measured(
  read: Read,
  villages: readonly number[],
  span: Period,
  wanted: ReadonlySet<Measure>,
): Promise<(measure: Measure, at: string) => Leaf | null> {
  const rooms = wanted.has("occupancy") || wanted.has("averageRent");
  const [nights, due, moves] = await Promise.all([
    rooms ? nightsBy(read, villages, span) : [],
    wanted.has("collection") ? dueMonthsBy(read, villages, span) : [],
    wanted.has("newRooms") || wanted.has("leftRooms") ? movesBy(read, villages, span) : [],
  ]);
  const at = <T extends { villageId: number; month: string }>(rows: readonly T[]) =>
    new Map(rows.map((row) => [key(row.villageId, Number(row.month.slice(5))), row]));
  const [nightsAt, dueAt, movesAt] = [at(nights), at(due), at(moves)];
  const quotient = (num: number | undefined, den: number | undefined): Leaf | null =>
    den ? { num: ratio(num ?? 0), den: ratio(den) } : null;
  return (measure, place) => {
    switch (measure) {
      case "occupancy":
        return quotient(nightsAt.get(place)?.let, nightsAt.get(place)?.base);
      case "averageRent":
        return quotient(nightsAt.get(place)?.rentDays, nightsAt.get(place)?.let);
      case "collection":
        return quotient(dueAt.get(place)?.settled, dueAt.get(place)?.billed);
      case "newRooms":
        return wholeLeaf(movesAt.get(place)?.signed ?? 0);
      case "leftRooms":
        return wholeLeaf(movesAt.get(place)?.left ?? 0);
    }
  };
}

/**
 * What became of the indicators in each store and month of a year, from the journal and the timeline of rooms alone; months
 * that are not asked for are not read. Months to come are unknown; income that is not booked yet is expected as far as days have passed.
 */
export async function actualsOf(
  read: Read,
  indicators: readonly Indicator[],
  villages: readonly number[],
  year: number,
  months: Months = WHOLE,
): Promise<Actuals> {
  const current = monthOf(read.today);
  const come = (month: number) => monthIn(year, month) > current;
  const inputs = indicators.filter(isInput);
  const accounts = [...new Set(inputs.flatMap((i) => partsOf(i).map((p) => p.account)))];
  const measures = new Set(inputs.flatMap(({ source }) => (source.by === "measure" ? [source.measure] : [])));
  const span = periodOf(year, months);
  const nothing = !villages.length || span.from > read.today;
  const [moved, expected, measure] = nothing
    ? [[], [], () => null]
    : await Promise.all([
        movedIn(read, villages, span, accounts),
        accounts.includes("6001") ? expectedIncome(read, villages, span) : [],
        measured(read, villages, span, measures),
      ]);
  const income = expected.map((e): Moved => ({ ...e, account: "6001", what: "" }));
  const at = Map.groupBy([...moved, ...income], (m) => key(m.villageId, m.month));
  const awaited = new Set(expected.map((e) => key(e.villageId, e.month)));
  const byId = new Map(indicators.map((i) => [i.id, i]));
  const kept = new Map<string, Leaf | null>();
  const read1 = (one: Indicator, villageId: number, month: number): Leaf | null => {
    const place = key(villageId, month);
    if (come(month)) return null;
    if (one.source.by === "measure") return measure(one.source.measure, place);
    const what = one.basis === "billed" || one.basis === "cash" ? one.basis : "";
    return wholeLeaf(sumOf(partsOf(one), what, at.get(place) ?? []));
  };
  return {
    leaf: (id, villageId, month) => {
      const name = `${id} ${key(villageId, month)}`;
      const found = kept.get(name);
      if (found !== undefined) return found;
      const leaf = read1(byId.get(id)!, villageId, month);
      kept.set(name, leaf);
      return leaf;
    },
    estimated: (one, villageId, month) =>
      awaited.has(key(villageId, month)) && restsOnIncome(one, indicators),
  };
}

/** Whether income that is spread over days is in an indicator, or in what it is worked out from. */
function restsOnIncome(one: Indicator, all: readonly Indicator[]): boolean {
  return (
    partsOf(one).some((p) => p.account === "6001") ||
    all.some((other) => other.id !== one.id && feeds(other, one) && restsOnIncome(other, all))
  );
}
const feeds = (other: Indicator, one: Indicator): boolean =>
  one.source.by === "children"
    ? other.parentId === one.id
    : one.source.by === "formula" && one.source.formula.split(/[^A-Za-z0-9_]+/).includes(other.code);

/**
 * The room nights that a store can let in each month of a year: what a mean is weighed by. As they were counted for months
 * that are over, for others as many as can be let now.
 */
export async function nightsOf(
  read: Read,
  villages: readonly number[],
  year: number,
): Promise<(villageId: number, month: number) => number> {
  const [counted, now] = await Promise.all([
    nightsBy(read, villages, periodOf(year, WHOLE)),
    countsOn(read, read.today, villages),
  ]);
  const past = new Map(counted.map((row) => [key(row.villageId, Number(row.month.slice(5))), row.base]));
  const rooms = new Map(now.map((row) => [row.villageId, row.base]));
  const current = monthOf(read.today);
  return (villageId, month) => {
    const over = monthIn(year, month) < current;
    return (
      (over ? past.get(key(villageId, month)) : undefined) ??
      (rooms.get(villageId) ?? 0) * daysInMonth(year, month)
    );
  };
}
