import { type RawBuilder, sql } from "kysely";
import { canonicalNumber } from "../../../platform/kernel/texts/certificate.ts";
import { addToMonth, firstOf, lastOf, monthOf } from "../../../platform/kernel/day.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import {
  amongWords,
  initials,
  is,
  keyword,
  type Meaning,
  named,
  phrase,
} from "../../../platform/server/lists/conditions.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { moneyOf } from "../record/money.queries.ts";
import { STAGE } from "../renter/renter.queries.ts";
import type { FIRM_STAGES, FirmKind, SUBJECTS } from "./words.rules.ts";

/** Contracts and bills stay with the record they were written for; a merged one is found under the one kept. */
const root = sql`coalesce(x.merged_into_id, x.id)`;

/** What the rooms of `contract c` cost a month as it stands now, after the steps so far; else what they were let for. */
export const RENT = sql`coalesce(c.current_rent,
  (select sum(q.monthly_rent) from contract_room_brief q where q.contract_id = c.id and q.leave_date is null), 0)`;

const leasesOf = (villages: readonly number[]) => sql`(
  select ${root} root, bool_or(c.in_force) living, bool_or(c.is_over) past,
    min(c.end_date) filter (where c.in_force) end_date,
    (sum(${RENT}) filter (where c.in_force))::bigint rent
  from contract_brief c join firm x on x.id = c.party_id
  where c.village_id = ${anyOf(villages)} and (c.in_force or c.is_over) group by 1)`;

const owedOf = (villages: readonly number[], today: string) => sql`(
  select ${root} root, sum(b.outstanding)::bigint fen
  from bill b join firm x on x.id = b.party_id
  where b.village_id = ${anyOf(villages)} and ${isLateMoney(today)} group by 1)`;

const blackHit = sql`select b.level from black_list b where b.active and b.enterprise_id = p.enterprise_id
  and (b.cert_no_hash = x.number_hash or (p.phone <> '' and b.phone = p.phone))`;
/** The worst live entry that names the credit code, the certificate or the main contact's phone. */
export const BLACK_LEVEL = sql<
  "none" | "warn" | "forbid"
>`coalesce((select min(level) from (${blackHit}) h), 'none')`;

/** What of a company's limit is used: everything issued and still open, in whatever village. */
export const creditUsed = sql`coalesce((select sum(b.outstanding) from receivable_open b
  where b.party_id in (select p.id union all select y.id from firm y where y.merged_into_id = p.id)), 0)::bigint`;

/** What is known of a firm of either kind; each list shows its own part. */
type FirmRaw = {
  id: number;
  name: string;
  phone: string;
  version: number;
  createdAt: string;
  creditCode: string | null;
  certNo: string | null;
  tags: string[];
  homeVillageName: string;
  stage: keyof typeof FIRM_STAGES;
  black: "none" | "warn" | "forbid";
  contactName: string;
  industry: string;
  scale: string;
  ownerId: number;
  ownerName: string;
  creditDays: number;
  creditLimit: number | null;
  creditUsed: number;
  brand: string;
  category: string;
  subject: keyof typeof SUBJECTS;
  rooms: number;
  capacity: number;
  occupants: number;
  monthlyRent: number;
  area: number;
  roomId: number | null;
  roomNames: string;
  rentKind: string;
  endDate: string | null;
  turnover: number;
  arrears: number;
  prepaid: number;
  deposit: number;
  papersDue: string | null;
  approving: boolean;
};

/** What shops of these parties turned over last month, as far as it was confirmed. */
const lastTurnover = (read: Pick<Read, "today">, parties: RawBuilder<unknown>, v: RawBuilder<unknown>) => {
  const month = addToMonth(monthOf(read.today), -1);
  return sql`(select coalesce(sum(t.net), 0)::bigint from merchant_turnover t join contract_brief c on c.id = t.contract_id
    where c.party_id in ${parties} and t.village_id = ${v} and t.state in ('confirmed', 'billed')
      and t.from_date between ${firstOf(month)}::date and ${lastOf(month)}::date)`;
};

/** Rooms under contracts in force that were not given back since. */
export const HELD = sql`c.in_force and k.leave_date is null`;

/** How a shop's rent is reckoned, as its contract says. */
const RENT_KIND = sql`case c.rent_kind when 'turnover' then '扣点' when 'higherOf' then '保底与扣点取高'
  else '固定租金' end`;

/** A firm p with what it is known by: x, as a company k, as a merchant s. */
export const FIRM = sql`join firm x on x.id = p.id left join company k on k.id = p.id left join merchant s on s.id = p.id`;

const share = (part: number, whole: number | null): number | null => (whole ? part / whole : null);

/** As screens show it: the phone masked, shares worked out. */
const shown = (row: FirmRaw) => ({
  ...row,
  phone: row.phone && maskPhone(row.phone),
  occupancy: share(row.occupants, row.capacity),
  creditShare: share(row.creditUsed, row.creditLimit),
});
export type FirmShown = ReturnType<typeof shown>;

/** Rows of these firms, in this order, with rooms, money and people of the villages given: one statement, whatever was asked. */
export async function firmRows(
  read: Read,
  villages: readonly number[],
  ids: readonly number[],
): Promise<FirmShown[]> {
  if (!ids.length) return [];
  const v = anyOf(villages);
  const { rows } = await sql<FirmRaw>`
    select p.id, p.name, p.phone, p.version, p.created_at "createdAt", x.credit_code "creditCode", x.cert_no_masked "certNo",
      x.tags, h.name "homeVillageName", ${STAGE} stage, ${BLACK_LEVEL} black, coalesce(m.name, '') "contactName",
      coalesce(k.industry, '') industry, coalesce(k.scale, '') scale, coalesce(k.owner_id, 0) "ownerId",
      coalesce(o.real_name, '') "ownerName", coalesce(k.credit_days, 0) "creditDays", k.credit_limit "creditLimit",
      ${creditUsed} "creditUsed", coalesce(s.brand, '') brand, coalesce(s.category, '') category, s.subject,
      now.rooms, now.capacity, now.occupants, l.rent "monthlyRent", now.area, now.room_id "roomId", now.names "roomNames", now.rent_kind "rentKind",
      now.end_date "endDate",
      ${lastTurnover(read, sql`(select unnest(a.ids))`, v)} turnover,
      ${moneyOf(read, v)},
      (select min(end_day) from party_paper where party_id = p.id) "papersDue",
      exists (select 1 from examine e where e.target_kind = p.kind and e.target_id = p.id and e.state = 'approving') approving
    from unnest(${ids as number[]}::bigint[]) with ordinality page(id, place)
    join party p on p.id = page.id ${FIRM} join village h on h.id = x.home_village_id
    left join operator o on o.id = k.owner_id
    left join party_contact m on m.party_id = p.id and m.main
    cross join lateral (select array(select p.id union all select y.id from firm y where y.merged_into_id = p.id) ids) a
    cross join lateral (select bool_or(c.in_force) living, bool_or(c.is_over) past,
        coalesce(sum(${RENT}) filter (where c.in_force), 0)::bigint rent
      from contract_brief c where c.party_id = any(a.ids) and c.village_id = ${v}) l
    cross join lateral (select count(*)::int rooms, coalesce(sum(r.capacity), 0)::int capacity,
        coalesce(sum(r.area), 0)::float8 area, min(r.id) room_id,
        coalesce(string_agg(r.full_name, '、' order by r.full_name), '') names, min(c.end_date) end_date,
        coalesce(string_agg(distinct ${RENT_KIND}, '、'), '') rent_kind,
        coalesce(sum((select count(*) from contract_occupant_brief u where u.contract_id = c.id and u.room_id = k.room_id
          and u.from_date <= ${read.today}::date and (u.to_date is null or u.to_date >= ${read.today}::date))), 0)::int occupants
      from contract_brief c join contract_room_brief k on k.contract_id = c.id join room r on r.id = k.room_id
      where c.party_id = any(a.ids) and c.village_id = ${v} and ${HELD}) now
    order by page.place`.execute(read.tx);
  return rows.map(shown);
}

type Asked = {
  villageIds?: number[] | undefined;
  stage?: readonly string[] | undefined;
  arrears?: string | undefined;
};
/** The villages that a list is asked for. */
export const firmVillages = (read: Read, { villageIds }: Asked) => villagesOf(read.who, villageIds);
// each join costs a pass over the villages' contracts or open bills, so it stands only where something asks for it
const leased = (read: Read, of: Asked) =>
  sql`left join ${leasesOf(firmVillages(read, of))} l on l.root = p.id`;
const owing = (read: Read, of: Asked) =>
  sql`left join ${owedOf(firmVillages(read, of), read.today)} o on o.root = p.id`;
/** Firms with what a filter asks of: l (leases) and o (what is owed). */
const firmsOf = (read: Read, of: Asked) => sql`party p ${FIRM}
  ${of.stage?.length ? leased(read, of) : sql``} ${of.arrears ? owing(read, of) : sql``}`;

/** A whole credit code or certificate number. */
const byNumber =
  (read: Read): Meaning =>
  (text) => {
    const number = canonicalNumber(text);
    return /^[A-Z0-9]{6,18}$/.test(number) ? sql`x.number_hash = ${read.cipher.hash(number)}` : undefined;
  };
const byContact: Meaning = (text) =>
  sql`p.id in (select t.party_id from party_contact t where ${keyword(
    phrase("t.name"),
    (phone) => (/^[\d-]{7,20}$/.test(phone) ? is("t.phone")(phone) : undefined),
    (digits) => (/^\d{4}$/.test(digits) ? sql`right(t.phone, 4) = ${digits}` : undefined),
  )(text)})`;

/** What the lists of companies and of merchants are asked alike. */
export const FIRM_WHERE = {
  stage: amongWords(STAGE),
  tags: (tags: readonly string[]) => sql`x.tags && ${tags as string[]}::text[]`,
  arrears: (has: "yes" | "no") => (has === "yes" ? sql`o.fen > 0` : sql`o.fen is null`),
  keyword: (text: string, read: Read) =>
    keyword(named("p.name"), phrase("s.brand"), initials("p.pinyin"), byNumber(read), byContact)(text),
};
const leases = (read: Read, of: Asked) => (of.stage?.length ? sql`` : leased(read, of));
export const FIRM_SORT = {
  createdAt: "p.created_at",
  name: { by: sql`p.name collate "zh-x-icu"`, way: "asc" },
  endDate: { by: "l.end_date", way: "asc", join: leases },
  monthlyRent: { by: sql`coalesce(l.rent, 0)`, join: leases },
  arrears: {
    by: sql`coalesce(o.fen, 0)`,
    join: (read: Read, of: Asked) => (of.arrears ? sql`` : owing(read, of)),
  },
} as const;

/** The list of one kind of firm, but for the filters and orders that only it has. */
export const firmList = (kind: FirmKind) => ({
  id: "p.id",
  from: firmsOf,
  scope: (read: Read, of: Asked) => sql`p.kind = ${kind} and x.merged_into_id is null
    and exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(firmVillages(read, of))})`,
  order: "createdAt" as const,
  columns: sql<{ id: number }>`page.id`,
  join: sql``,
  /** Counts and sums over the whole filter, of the villages filtered. */
  totals: (read: Read, of: Asked, where: RawBuilder<unknown>) => {
    const v = anyOf(firmVillages(read, of));
    return sql<{ total: number }>`
      with f as materialized (select p.id from ${firmsOf(read, of)} where ${where}),
      whole as (select id from f union all select y.id from firm y where y.merged_into_id in (select id from f))
      select (select count(*) from f)::int total, h.rooms, h.area,
        ${kind === "merchant" ? lastTurnover(read, sql`(select id from whole)`, v) : sql`0::bigint`} turnover,
        (select coalesce(sum(${RENT}), 0)::bigint from contract_brief c
          where c.party_id in (select id from whole) and c.village_id = ${v} and c.in_force) "monthlyRent",
        (select coalesce(sum(b.outstanding), 0)::bigint from bill b
          where b.party_id in (select id from whole) and b.village_id = ${v} and ${isLateMoney(read.today)}) arrears
      from (select count(*)::int rooms, coalesce(sum(r.area), 0)::float8 area
        from contract_brief c join contract_room_brief k on k.contract_id = c.id join room r on r.id = k.room_id
        where c.party_id in (select id from whole) and c.village_id = ${v} and ${HELD}) h`;
  },
});
