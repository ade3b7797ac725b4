import { sql } from "kysely";
import type { z } from "zod";
import { type Day, addToMonth, firstOf, monthOf } from "../../../platform/kernel/day.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import {
  amongWords,
  fromDay,
  initials,
  is,
  keyword,
  type Meaning,
  named,
  phone,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf, wholeScope } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { moneyOf } from "../record/money.queries.ts";
import { seenIn } from "../record/seen.queries.ts";
import { listRenters, type renterRow } from "./renter.contract.ts";

/** Contracts, bills and balances stay with the record they were written for; a merged one is found under the one kept. */
const root = sql`coalesce(x.merged_into_id, x.id)`;

/** Of several contracts in force the one that runs is shown, before one that is still to come. */
const shownFirst = (today: Day) => sql`(c.start_date <= ${today}::date) desc, c.start_date desc, c.id desc`;

const leasesOf = (villages: readonly number[], today: Day) => sql`(
  select ${root} root, bool_or(c.in_force) living, bool_or(c.is_over) past,
    (array_agg(c.end_date order by ${shownFirst(today)}) filter (where c.in_force))[1] end_date
  from contract_brief c join renter x on x.id = c.party_id
  where c.village_id = ${anyOf(villages)} and (c.in_force or c.is_over) group by 1)`;

const owedOf = (villages: readonly number[], today: string) => sql`(
  select ${root} root, sum(b.outstanding)::bigint fen
  from bill b join renter x on x.id = b.party_id
  where b.village_id = ${anyOf(villages)} and ${isLateMoney(today)} group by 1)`;

/** 意向 no lease yet, 在住 one in force, 历史 had one. */
export const STAGE = sql<
  "prospect" | "living" | "former"
>`case when l.living then 'living' when l.past then 'former' else 'prospect' end`;

const blackHit = sql`select b.level from black_list b where b.active and b.enterprise_id = p.enterprise_id
  and (b.cert_no_hash = r.cert_no_hash or (p.phone <> '' and b.phone = p.phone))`;
/** The worst live entry that names the certificate or the phone; a level of none is no entry. */
export const BLACK_LEVEL = sql<
  "none" | "warn" | "forbid"
>`coalesce((select min(level) from (${blackHit}) h), 'none')`;

/** A whole certificate number. */
const certificate =
  (read: Read): Meaning =>
  (text) =>
    /^[A-Za-z0-9]{6,18}$/.test(text) ? sql`r.cert_no_hash = ${read.cipher.hash(text)}` : undefined;
/** A room of a lease in force; looked up first, so that names and rooms are found by their own index each. */
const livesIn =
  (villages: readonly number[]): Meaning =>
  (text) =>
    sql`p.id = any(array(select ${root} from contract_brief c join renter x on x.id = c.party_id
    where c.village_id = ${anyOf(villages)} and c.in_force and ${named("c.room_names")(text)}))`;

type RenterRow = z.input<typeof renterRow>;

/** What the dictionary calls a renter's source, also when it is not offered any more. */
const SOURCE_NAME = sql<string>`coalesce((select d.name from dic_item d where d.enterprise_id = p.enterprise_id
  and d.kind = 'customer' and d.group_key = 'source' and d.code = r.source), r.source)`;

type Totals = { total: number; arrears: number; prepaid: number; deposit: number };

/** Every renter of these villages: what is theirs is found by what it belongs to, without gathering them all first. */
const everybody = (read: Read, villages: readonly number[]) => {
  const v = anyOf(villages);
  const theirs = sql`exists (select 1 from party p where p.id = b.party_id and p.kind = 'renter')`;
  return sql<Totals>`select
    (select count(*) from renter r
      where exists (select 1 from party_village v where v.party_id = r.id and v.village_id = ${v})
      and r.id not in (select id from renter where merged_into_id is not null)) total,
    (select coalesce(sum(b.outstanding), 0)::bigint from bill b
      where b.village_id = ${v} and ${isLateMoney(read.today)} and ${theirs}) arrears,
    (select coalesce(sum(b.balance), 0)::bigint from party_balance b
      where b.village_id = ${v} and b.balance <> 0 and ${theirs}) prepaid,
    (select coalesce(sum(d.held), 0)::bigint from deposit_balance d where d.village_id = ${v} and d.held <> 0
      and d.contract_id not in (select id from contract_brief where kind in ('company', 'merchant'))) deposit`;
};

const asked = (read: Read, { villageIds }: { villageIds?: number[] | undefined }) =>
  villagesOf(read.who, villageIds);
type Asked = Partial<z.output<typeof listRenters.query>>;
// each join costs a pass over the villages' contracts or open bills, so it stands only where something asks for it
const leased = (read: Read, of: Asked) =>
  sql`left join ${leasesOf(asked(read, of), read.today)} l on l.root = p.id`;
const owing = (read: Read, of: Asked) =>
  sql`left join ${owedOf(asked(read, of), read.today)} o on o.root = p.id`;
/** Renters as p and r, with what a filter asks of: l (leases) and o (what is owed). */
const rentersOf = (read: Read, of: Asked) => sql`party p join renter r on r.id = p.id
  ${of.stage?.length ? leased(read, of) : sql``} ${of.arrears ? owing(read, of) : sql``}`;

/** Rows of these renters, in this order: one statement, whatever was asked. */
export async function renterRows(
  read: Read,
  villages: readonly number[],
  ids: readonly number[],
): Promise<RenterRow[]> {
  if (!ids.length) return [];
  const v = anyOf(villages);
  const { rows } = await sql<RenterRow>`
    select p.id, p.name, p.phone, p.version, p.created_at "createdAt", r.cert_type "certType", r.cert_no_masked "certNo", r.gender,
      r.tags, r.verify, r.source, ${SOURCE_NAME} "sourceName", h.name "homeVillageName", ${STAGE} stage, ${BLACK_LEVEL} black,
      now.room_id "roomId", now.room_names "roomName", now.id "contractId", now.end_date "endDate", ${moneyOf(read, v)}
    from unnest(${ids as number[]}::bigint[]) with ordinality page(id, place)
    join party p on p.id = page.id join renter r on r.id = p.id join village h on h.id = r.home_village_id
      cross join lateral (select array(select p.id union all select x.id from renter x where x.merged_into_id = p.id) ids) a
      cross join lateral (select bool_or(c.in_force) living, bool_or(c.is_over) past
        from contract_brief c where c.party_id = any(a.ids) and c.village_id = ${v}) l
      left join lateral (select c.id, c.room_names, c.end_date,
          (select k.room_id from contract_room_brief k where k.contract_id = c.id order by k.role desc, k.room_id limit 1) room_id
        from contract_brief c where c.party_id = any(a.ids) and c.village_id = ${v} and c.in_force
        order by ${shownFirst(read.today)} limit 1) now on true
    order by page.place`.execute(read.tx);
  return rows.map((row) => ({ ...row, phone: maskPhone(row.phone) }));
}

/** Renters of the villages asked for, with what is owed, prepaid and held there. */
export const renters = listOf(listRenters, {
  id: "p.id",
  from: rentersOf,
  scope: (read, filter) => sql`p.kind = 'renter' and r.merged_into_id is null
    and exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(asked(read, filter))})`,
  where: {
    stage: amongWords(STAGE),
    source: amongWords("r.source"),
    verify: amongWords("r.verify"),
    black: amongWords(BLACK_LEVEL),
    tags: (tags) => sql`r.tags && ${tags}::text[]`,
    arrears: (has) => (has === "yes" ? sql`o.fen > 0` : sql`o.fen is null`),
    birthMonth: is(sql`extract(month from r.birthday)`),
    createdFrom: fromDay("p.created_at"),
    createdTo: toDay("p.created_at"),
    keyword: (text, read, filter) =>
      keyword(
        named("p.name"),
        initials("p.pinyin"),
        phone("p.phone", 15),
        certificate(read),
        livesIn(asked(read, filter)),
      )(text),
  },
  sort: {
    createdAt: { by: "p.created_at", indexed: true },
    name: { by: sql`p.name collate "zh-x-icu"`, way: "asc" },
    endDate: { by: "l.end_date", join: (read, of) => (of.stage?.length ? sql`` : leased(read, of)) },
    arrears: { by: sql`coalesce(o.fen, 0)`, join: (read, of) => (of.arrears ? sql`` : owing(read, of)) },
  },
  order: "createdAt",
  columns: sql<{ id: number }>`page.id`,
  join: sql``,
  totals: (read, of, where) => {
    const villages = asked(read, of);
    if (wholeScope(of)) return everybody(read, villages);
    const v = anyOf(villages);
    return sql<Totals>`
      with f as materialized (select p.id from ${rentersOf(read, of)} where ${where}),
      whole as (select f.id root, f.id from f union all select x.merged_into_id, x.id from renter x where x.merged_into_id in (select id from f))
      select (select count(*) from f) total,
        (select coalesce(sum(o.fen), 0)::bigint from ${owedOf(villages, read.today)} o where o.root in (select id from f)) arrears,
        (select coalesce(sum(b.balance), 0)::bigint from party_balance b join whole w on w.id = b.party_id
          where b.village_id = ${v} and b.balance <> 0) prepaid,
        (select coalesce(sum(d.held), 0)::bigint from deposit_balance d join contract_brief c on c.id = d.contract_id
          join whole w on w.id = c.party_id where d.village_id = ${v} and d.held <> 0) deposit`;
  },
  rows: (raws, read, of) =>
    renterRows(
      read,
      asked(read, of),
      raws.map((row) => row.id),
    ),
});

/** Counts by stage and newcomers of the last twelve months. */
export async function stripOf(read: Read, wanted: readonly number[] | undefined) {
  const villages = villagesOf(read.who, wanted);
  const mine = sql`p.kind = 'renter' and r.merged_into_id is null
    and exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(villages)})`;
  const first = addToMonth(monthOf(read.today), -11);
  const [stages, months] = await Promise.all([
    sql<{ stage: "prospect" | "living" | "former"; count: number }>`
      select ${STAGE} stage, count(*) count from party p join renter r on r.id = p.id
      left join ${leasesOf(villages, read.today)} l on l.root = p.id where ${mine} group by 1`.execute(
      read.tx,
    ),
    sql<{ month: string; count: number }>`
      select to_char(p.created_at, 'YYYY-MM') as month, count(*) count from party p join renter r on r.id = p.id
      where ${mine} and p.created_at >= ${firstOf(first)}::date group by 1`.execute(read.tx),
  ]);
  const stageOf = new Map(stages.rows.map((r) => [r.stage, r.count]));
  const monthly = new Map(months.rows.map((r) => [r.month, r.count]));
  return {
    stages: (["living", "prospect", "former"] as const).map((stage) => ({
      stage,
      count: stageOf.get(stage) ?? 0,
    })),
    months: Array.from({ length: 12 }, (_, i) => {
      const month = addToMonth(first, i);
      return { month, count: monthly.get(month) ?? 0 };
    }),
  };
}

/** The record when one of its villages is in scope; one that was merged away is not there any more. */
export async function seenRenter(read: Read, id: number) {
  const row = await read.tx
    .selectFrom("renter")
    .innerJoin("party", "party.id", "renter.id")
    .selectAll("renter")
    .select(["party.name", "party.phone", "party.version", "party.createdAt"])
    .where("renter.id", "=", id)
    .where("renter.mergedIntoId", "is", null)
    .where(seenIn(read, "renter.id"))
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
