import { type RawBuilder, sql } from "kysely";
import { addDays, type Day, firstOf, monthOf } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { AccountKind, Channel } from "../account/channel.rules.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { ofEnterprise } from "../corporate/line.queries.ts";
import { COMPARED, proving, WHOLE, WITH_STATEMENTS } from "../statement/statement.queries.ts";
import { figuresOf, type Figures, KIND_ORDER, type Movement, SHARE_NAME } from "./summary.rules.ts";

/** Whose money is asked for. */
export type Whose = { villageIds?: number[] | undefined; enterpriseId?: number | undefined };
export type SummaryFilter = Whose & {
  from: Day;
  to: Day;
  kind?: readonly string[] | undefined;
  keyword?: string | undefined;
};
export type SummaryRow = Figures & {
  id: number;
  name: string;
  kind: AccountKind | "share";
  holderName: string;
  unreconciled: number | null;
  reconciledOn: Day | null;
  state: "enabled" | "disabled" | null;
};

type Moved = { before: Fen; moved: Movement[] };
/** What stood in some of the books before a day, and by event what moved them until another, book by book; out of the roll-up. */
async function movedIn(
  read: Read,
  { from, to }: SummaryFilter,
  books: { key: RawBuilder<unknown>; before: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<(key: number) => Moved> {
  const { rows } = await sql<Movement & { key: number; before: boolean }>`
    select ${books.key} "key", true before, '' event, sum(j.debit)::bigint debit, sum(j.credit)::bigint credit
    from ${books.before} j where ${books.where} group by 1
    union all
    select ${books.key}, false, j.event, sum(j.debit)::bigint, sum(j.credit)::bigint
    from journal_day j where ${books.where} and j.day between ${from} and ${to} group by 1, 3`.execute(
    read.replica,
  );
  const by = Map.groupBy(rows, (row) => row.key);
  return (key) => {
    const [before, moved] = [true, false].map((was) =>
      (by.get(key) ?? []).filter((row) => row.before === was),
    );
    return { before: before!.reduce((sum, row) => sum + row.debit - row.credit, 0), moved: moved! };
  };
}

/** Stores that are asked for, of one enterprise where one is. */
async function storesOf(read: Read, { villageIds, enterpriseId }: Whose): Promise<readonly number[]> {
  const villages = villagesOf(read.who, villageIds);
  if (enterpriseId === undefined) return villages;
  const { rows } = await sql<{ id: number }>`
    select id from village where id = ${anyOf(villages)} and enterprise_id = ${enterpriseId}`.execute(
    read.replica,
  );
  return rows.map(({ id }) => id);
}
const ofOne = (enterpriseId: number | undefined) =>
  enterpriseId === undefined ? sql`true` : sql`a.enterprise_id = ${enterpriseId}`;

/** Accounts that somebody may see the money of: with stores asked for, those that they hold. */
const visible = (read: Read, villageIds: number[] | undefined) =>
  villageIds?.length
    ? sql`a.holder_village_id = ${anyOf(villagesOf(read.who, villageIds))}`
    : proving(read.who);

/** Every account in sight with its money over some days, and the stores' share of what lies with head office. */
export async function summaryOf(read: Read, filter: SummaryFilter): Promise<SummaryRow[]> {
  const { villageIds, kind, keyword } = filter;
  const named = keyword
    ? sql`and (a.name ilike ${containing(keyword)} or a.mch_id = ${keyword}
        or (${/^\d{4}$/.test(keyword)} and right(replace(a.bank_account_no, '-', ''), 4) = ${keyword}))`
    : sql``;
  type Found = { id: number; name: string; kind: AccountKind; holderName: string; enabled: boolean };
  const { rows } = await sql<Found>`
    select a.id, a.name, a.kind, coalesce(v.name, '公司本部') "holderName", a.enabled
    from merchant_account a left join village v on v.id = a.holder_village_id
    where ${visible(read, villageIds)} and ${ofOne(filter.enterpriseId)} ${named}
      and (${kind?.length ? [...kind] : null}::text[] is null or a.kind = any(${kind?.length ? [...kind] : null}::text[]))
    order by a.id`.execute(read.replica);
  const ids = rows.map((row) => row.id);
  const books = await movedIn(read, filter, {
    key: sql`j.merchant_account_id`,
    before: sql`merchant_until(${ids}::bigint[], ${addDays(filter.from, -1)}::date)`,
    where: sql`j.merchant_account_id = ${anyOf(ids)} and j.account in ('1001', '1002', '1012')`,
  });
  const figures = (id: number) => {
    const { before, moved } = books(id);
    return figuresOf(before, moved);
  };
  const list = rows
    .map(({ enabled, ...row }) => ({
      ...row,
      ...figures(row.id),
      state: enabled ? ("enabled" as const) : ("disabled" as const),
    }))
    // what is not in use and had nothing in these days is no news
    .filter((row) => row.state === "enabled" || row.opening || row.closing || books(row.id).moved.length);
  const days = await reconciledOf(
    read,
    list.filter((row) => WITH_STATEMENTS.includes(row.kind)).map((row) => row.id),
  );
  const accounts = list.map((row) => ({
    ...row,
    unreconciled: days.get(row.id)?.open ?? null,
    reconciledOn: days.get(row.id)?.last ?? null,
  }));
  const share = await shareOf(read, filter);
  return [...accounts, ...(share ? [share] : [])].toSorted(
    (a, b) => KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) || b.closing - a.closing || a.id - b.id,
  );
}

/** Money of the stores that lies in accounts of head office; of no use to who sees those accounts themselves. */
async function shareOf(read: Read, filter: SummaryFilter): Promise<SummaryRow | undefined> {
  const { villageIds, kind, keyword } = filter;
  if (keyword || (kind?.length && !kind.includes("share"))) return undefined;
  const villages = await storesOf(read, filter);
  if (!villageIds?.length) {
    const { rows: heads } = await sql`
      select from merchant_account a where a.holder_village_id is null and ${proving(read.who)}
        and ${ofOne(filter.enterpriseId)} limit 1`.execute(read.replica);
    if (heads.length) return undefined;
  }
  const share = await movedIn(read, filter, {
    key: sql`0`,
    before: sql`journal_until(${villages}::bigint[], ${addDays(filter.from, -1)}::date)`,
    where: sql`j.village_id = ${anyOf(villages)} and j.account = '2299'`,
  });
  const { before, moved } = share(0);
  return {
    id: 0,
    name: SHARE_NAME,
    kind: "share",
    holderName: "公司本部",
    ...figuresOf(before, moved),
    unreconciled: null,
    reconciledOn: null,
    state: null,
  };
}

/** Days back that are looked at. */
const WINDOW = 90;

/** How many days of each account had money and are not balanced by a statement, and the last one that is. */
async function reconciledOf(
  read: Read,
  ids: readonly number[],
): Promise<Map<number, { open: number; last: Day | null }>> {
  const [first, last] = [addDays(read.today, -WINDOW), addDays(read.today, -1)];
  const { rows } = await sql<{ id: number; open: number; last: Day | null }>`
    with covered as (
      select s.merchant_account_id id, d::date "day" from statement s,
        generate_series(greatest(s.date_from, ${first}::date), least(s.date_to, ${last}::date), interval '1 day') d
      where s.merchant_account_id = ${anyOf(ids)} and ${COMPARED} and s.date_to >= ${first} and s.date_from <= ${last}
      group by 1, 2 having ${WHOLE}),
    wrong as (
      select distinct merchant_account_id id, day from reconcile_item
      where merchant_account_id = ${anyOf(ids)} and open and day between ${first} and ${last}),
    balanced as (select id, day from covered except select id, day from wrong),
    moved as (
      select a.id, d::date "day" from unnest(${ids as number[]}::bigint[]) a (id),
        generate_series(${first}::date, ${last}::date, interval '1 day') d,
        -- day by day of each account: the first line of a day is enough
        lateral (select from journal_day j where j.merchant_account_id = a.id and j.day = d::date
          and j.account in ('1002', '1012') and j.event in ('E06', 'E10', 'E13', 'E16', 'E26', 'E28') limit 1) any_line)
    select a.id, (select count(*)::int from moved m where m.id = a.id
        and not exists (select from balanced b where b.id = m.id and b.day = m.day)) open,
      (select max(day) from balanced b where b.id = a.id) last
    from unnest(${ids as number[]}::bigint[]) a (id)`.execute(read.replica);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

type Cards = {
  today: Fen;
  month: Fen;
  arrears: Fen;
  onTheWay: Fen;
  toRefund: Fen;
  prepaid: Fen;
  deposits: Fen;
};

/** What is in hand today, and what stands open, in the stores asked for. */
export async function cardsOf(read: Read, whose: Whose) {
  const stores = await storesOf(read, whose);
  const villages = anyOf(stores);
  const { today } = read;
  const held = (account: string) => sql`(select coalesce(sum(credit - debit), 0)::bigint
    from journal_until(${stores}::bigint[], 'infinity') where account = ${account})`;
  const { rows } = await sql<Cards>`
    select (t.today)::bigint today, (t.month)::bigint "month",
      (select coalesce(sum(fen), 0)::bigint from arrears_day where village_id = ${villages} and day <= ${today}) arrears,
      (select coalesce(sum(submitted), 0)::bigint from submission where village_id = ${villages} and state = 'submitted') "onTheWay",
      (select coalesce(sum(amount - paid), 0)::bigint from refund where village_id = ${villages} and state = 'toPay') "toRefund",
      ${held("2203")} prepaid, ${held("2241")} deposits
    from (select coalesce(sum(amount) filter (where day = ${today}), 0) today, coalesce(sum(amount), 0) "month"
      from taking_day where village_id = ${villages} and day between ${firstOf(monthOf(today))} and ${today}) t`.execute(
    read.replica,
  );
  return { ...rows[0]!, unclaimed: whose.villageIds?.length ? null : await unclaimedOf(read, whose) };
}

/** What has come to company accounts and is nobody's yet. */
async function unclaimedOf(read: Read, { enterpriseId }: Whose): Promise<Fen> {
  const { rows } = await sql<{ fen: Fen }>`
    select coalesce(sum(l.remaining), 0)::bigint fen from bank_line l join merchant_account a on a.id = l.merchant_account_id
    where (l.free > 0 or l.reserved > 0) and ${ofEnterprise(read.who)} and ${ofOne(enterpriseId)}`.execute(
    read.replica,
  );
  return rows[0]!.fen;
}

const TREND_DAYS = 30;

/** Money in by channel and money out, for each of the last days. */
export async function trendOf(read: Read, whose: Whose) {
  const villages = await storesOf(read, whose);
  const days = Array.from({ length: TREND_DAYS }, (_, i) => addDays(read.today, i + 1 - TREND_DAYS));
  const [taken, gone] = await Promise.all([
    sql<{ day: Day; channel: Channel; fen: Fen }>`
      select day, channel, sum(amount)::bigint fen
      from collected(${days[0]}, ${read.today}, ${villages as number[]}::bigint[]) group by 1, 2`.execute(
      read.replica,
    ),
    sql<{ day: Day; fen: Fen }>`
      select day, sum(debit - credit)::bigint fen from journal_day
      where village_id = ${anyOf(villages)} and account = '2202' and event in ('E13', 'E26', 'E10')
        and day between ${days[0]} and ${read.today} group by 1`.execute(read.replica),
  ]);
  const out = new Map(gone.rows.map((row) => [row.day, row.fen]));
  const channels = (Object.keys(CHANNELS) as Channel[])
    .map((channel) => {
      const of = new Map(taken.rows.filter((t) => t.channel === channel).map((t) => [t.day, t.fen]));
      return { channel, amounts: days.map((day) => of.get(day) ?? 0) };
    })
    .filter(({ amounts }) => amounts.some(Boolean));
  return { days, channels, out: days.map((day) => out.get(day) ?? 0) };
}
