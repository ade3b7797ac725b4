import { sql, type RawBuilder } from "kysely";
import { addToMonth, firstOf, lastOf, monthOf } from "../../../platform/kernel/day.ts";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { STAGE } from "../renter/renter.queries.ts";
import { BLACK_LEVEL, creditUsed, RENT } from "./firm-filter.queries.ts";
import type { FIRM_STAGES, SUBJECTS } from "./words.rules.ts";

/** What is known of a firm of either kind; each list shows its own part. */
export type FirmRaw = {
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
export const lastTurnover = (
  read: Pick<Read, "today">,
  parties: RawBuilder<unknown>,
  v: RawBuilder<unknown>,
) => {
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

/** Rows of the firms that `w(id, place)` names, with rooms, money and people of the villages given. */
export function firmRowsOf(read: Read, villages: readonly number[], w: RawBuilder<unknown>) {
  const v = anyOf(villages);
  return sql<FirmRaw>`
    select p.id, p.name, p.phone, p.version, p.created_at "createdAt", x.credit_code "creditCode", x.cert_no_masked "certNo",
      x.tags, h.name "homeVillageName", ${STAGE} stage, ${BLACK_LEVEL} black, coalesce(m.name, '') "contactName",
      coalesce(k.industry, '') industry, coalesce(k.scale, '') scale, coalesce(k.owner_id, 0) "ownerId",
      coalesce(o.real_name, '') "ownerName", coalesce(k.credit_days, 0) "creditDays", k.credit_limit "creditLimit",
      ${creditUsed} "creditUsed", coalesce(s.brand, '') brand, coalesce(s.category, '') category, s.subject,
      now.rooms, now.capacity, now.occupants, l.rent "monthlyRent", now.area, now.room_id "roomId", now.names "roomNames", now.rent_kind "rentKind",
      now.end_date "endDate",
      ${lastTurnover(read, sql`(select unnest(a.ids))`, v)} turnover,
      coalesce((select sum(b.outstanding) from bill b where b.party_id = any(a.ids) and b.village_id = ${v} and ${isLateMoney(read.today)}), 0)::bigint arrears,
      coalesce((select sum(b.balance) from party_balance b where b.party_id = any(a.ids) and b.village_id = ${v}), 0)::bigint prepaid,
      coalesce((select sum(d.held) from deposit_balance d join contract_brief c on c.id = d.contract_id
        where c.party_id = any(a.ids) and d.village_id = ${v}), 0)::bigint deposit,
      (select min(end_day) from party_paper where party_id = p.id) "papersDue",
      exists (select 1 from examine e where e.target_kind = p.kind and e.target_id = p.id and e.state = 'approving') approving
    from ${w} w(id, place)
    join party p on p.id = w.id join firm x on x.id = p.id join village h on h.id = x.home_village_id
    left join company k on k.id = p.id left join operator o on o.id = k.owner_id left join merchant s on s.id = p.id
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
    order by w.place`;
}

const share = (part: number, whole: number | null): number | null => (whole ? part / whole : null);

/** As screens show it: the phone masked, shares worked out. */
export const shown = (row: FirmRaw) => ({
  ...row,
  phone: row.phone && maskPhone(row.phone),
  occupancy: share(row.occupants, row.capacity),
  creditShare: share(row.creditUsed, row.creditLimit),
});
export type FirmShown = ReturnType<typeof shown>;

/** Rows of these firms, in this order. */
export async function firmRows(
  read: Read,
  villages: readonly number[],
  ids: readonly number[],
): Promise<FirmShown[]> {
  if (!ids.length) return [];
  const these = sql`unnest(${ids as number[]}::bigint[]) with ordinality`;
  const { rows } = await firmRowsOf(read, villages, these).execute(read.tx);
  return rows.map(shown);
}
