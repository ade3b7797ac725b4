import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { beginning, containing } from "../../../platform/kernel/like.ts";
import { maskName, maskPhone } from "../../../platform/kernel/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { PriceUnit } from "../../listing/room/words.rules.ts";
import { PAGE_CODE } from "../../party/party/party.service.ts";
import type { ChoiceKind } from "../choice/choice.rules.ts";
import { type PayPlan, type ReservationState, earnestWarning } from "./reservation.rules.ts";
import type { ReservationFilter, listReservations } from "./reservation.contract.ts";

function keyword(text: string): RawBuilder<unknown> {
  const party = [sql`p.name ilike ${containing(text)}`];
  if (/^[A-Za-z]+$/.test(text)) party.push(sql`p.pinyin like ${`${text.toLowerCase()}%`}`);
  if (/^\d{11,15}$/.test(text)) party.push(sql`p.phone = ${text}`);
  if (/^\d{4}$/.test(text)) party.push(sql`right(p.phone, 4) = ${text}`);
  return sql`(r.number ilike ${beginning(text)}
    or exists (select 1 from party p where p.id = r.party_id and (${sql.join(party, sql` or `)}))
    or exists (select 1 from room m where m.id = r.room_id and m.full_name ilike ${containing(text)}))`;
}

const within = (column: RawBuilder<unknown>, from: string | undefined, to: string | undefined) => [
  ...(from ? [sql`${column} >= ${from}::date`] : []),
  ...(to ? [sql`${column} <= ${to}::date`] : []),
];

/** Begin or end today and still stand: the workbench counts these and the list opens them. */
const today = (read: Read) =>
  sql`reservation_keeps(r.state) and (r.move_in_day = ${read.today}::date or r.hold_until = ${read.today}::date)`;
/** Lapsed with money that somebody must decide about. */
const kept = sql`r.state = 'lapsed' and exists (select 1 from earnest_balance h where h.bill_id = r.bill_id and h.held > 0)`;

/** `from reservation r where …` of what a filter names. */
export function reservationsWhere(read: Read, f: Partial<ReservationFilter>): RawBuilder<unknown> {
  const conditions = [
    sql`r.village_id = any(${villagesOf(read.who, f.villageIds) as number[]}::bigint[])`,
    ...(f.state?.length ? [sql`r.state = any(${f.state as string[]}::text[])`] : []),
    ...(f.earnestKind ? [sql`r.earnest_kind = ${f.earnestKind}`] : []),
    ...(f.partyKind?.length
      ? [
          sql`exists (select 1 from party p where p.id = r.party_id and p.kind = any(${f.partyKind as string[]}::text[]))`,
        ]
      : []),
    ...(f.ownerId ? [sql`r.owner_id = ${f.ownerId}`] : []),
    ...(f.leadId ? [sql`r.lead_id = ${f.leadId}`] : []),
    ...within(sql`r.move_in_day`, f.moveInFrom, f.moveInTo),
    ...within(sql`r.hold_until`, f.holdFrom, f.holdTo),
    ...(f.today ? [today(read)] : []),
    ...(f.kept ? [kept] : []),
    ...(f.keyword ? [keyword(f.keyword)] : []),
  ];
  return sql`from reservation r where ${sql.join(conditions, sql` and `)}`;
}

type ListQuery = z.output<typeof listReservations.query>;
type Raw = {
  id: number;
  number: string;
  partyId: number;
  partyName: string;
  partyKind: ChoiceKind;
  phone: string;
  villageId: number;
  villageName: string;
  roomId: number;
  roomName: string;
  moveInDay: string;
  plannedEndDay: string | null;
  holdUntil: string;
  rent: number;
  unit: PriceUnit;
  earnestKind: "定金" | "订金";
  earnest: number;
  received: number;
  state: ReservationState;
  ownerId: number;
  ownerName: string;
  contractId: number | null;
  refundId: number | null;
  contractNo: string;
  createdAt: string;
  held: number;
  signing: boolean;
  frozen: boolean;
  version: number;
};

const SORTS = {
  holdUntil: sql`r.hold_until`,
  moveInDay: sql`r.move_in_day`,
  createdAt: sql`r.created_at`,
} as const;

/** What came in for it; a converted one's money went on into the contract. */
const RECEIVED = sql`case when r.state = 'converted' then r.earnest else coalesce(b.settled, 0) end`;

const COLUMNS = sql`r.id, r.number, r.party_id "partyId", p.name "partyName", p.kind "partyKind", p.phone, r.village_id "villageId",
  v.name "villageName", r.room_id "roomId", m.full_name "roomName", r.move_in_day "moveInDay",
  r.planned_end_day "plannedEndDay", r.hold_until "holdUntil", r.rent, r.unit, r.earnest_kind "earnestKind", r.earnest,
  ${RECEIVED} received, r.state, r.owner_id "ownerId", o.real_name "ownerName", r.contract_id "contractId", r.refund_id "refundId",
  coalesce(c.contract_no, '') "contractNo", r.created_at "createdAt", coalesce(e.held, 0) held,
  (r.contract_id is not null and r.state = 'held') signing,
  exists (select 1 from examine x where x.target_kind = 'reservation' and x.target_id = r.id and x.state = 'approving') frozen,
  r.version`;
const BESIDE = sql`join party p on p.id = r.party_id join village v on v.id = r.village_id
  join room m on m.id = r.room_id join operator o on o.id = r.owner_id
  left join bill b on b.id = r.bill_id left join earnest_balance e on e.bill_id = r.bill_id
  left join contract_brief c on c.id = r.contract_id`;

const shown = <R extends Raw>(read: Read, row: R): R => ({
  ...row,
  partyName: read.who.permits.has(`${PAGE_CODE[row.partyKind]}.query`)
    ? row.partyName
    : maskName(row.partyName),
  phone: maskPhone(row.phone),
});

const orderOf = ({ sort, order }: ListQuery): RawBuilder<unknown> =>
  sql`order by ${SORTS[sort ?? "holdUntil"]} ${sql.raw(order ?? (sort === "createdAt" ? "desc" : "asc"))}, r.id desc`;

export async function reservationList(read: Read, query: ListQuery) {
  const [list, totals] = await Promise.all([
    query.want === "totals" ? [] : page(read, query),
    query.want === "rows" ? null : totalsOf(read, query),
  ]);
  return {
    list,
    total: totals?.n ?? null,
    sums: totals && { earnest: totals.earnest, received: totals.received },
  };
}

async function totalsOf(read: Read, query: ReservationFilter) {
  const { rows } = await sql<{ n: number; earnest: number; received: number }>`
    select count(*)::int n, coalesce(sum(f.earnest), 0)::bigint earnest, coalesce(sum(f.received), 0)::bigint received
    from (select r.earnest, ${RECEIVED} received from (select r.* ${reservationsWhere(read, query)}) r
      left join bill b on b.id = r.bill_id) f`.execute(read.tx);
  return rows[0]!;
}

async function page(read: Read, query: ListQuery): Promise<Raw[]> {
  const { rows } = await sql<Raw>`
    with f as (select r.id, row_number() over (${orderOf(query)}) place ${reservationsWhere(read, query)}
      ${orderOf(query)} ${pageEnd(query)})
    select ${COLUMNS} from f join reservation r on r.id = f.id ${BESIDE} order by f.place`.execute(read.tx);
  return rows.map((row) => shown(read, row));
}

/** How many of each state a filter names, and all. */
export async function countsOf(read: Read, query: Omit<ReservationFilter, "state">) {
  const { rows } = await sql<{ state: string; n: number }>`
    select r.state, count(*)::int n ${reservationsWhere(read, query)} group by 1`.execute(read.tx);
  return {
    all: rows.reduce((sum, row) => sum + row.n, 0),
    ...Object.fromEntries(rows.map((row) => [row.state, row.n])),
  };
}

type Whole = Raw & {
  area: string;
  leadId: number | null;
  leadNumber: string | null;
  payPlan: PayPlan | null;
  agentName: string;
  remark: string;
  payUntil: string | null;
  heldAt: string | null;
  endedAt: string | null;
  endReason: string;
  billId: number | null;
  billNo: string | null;
  refundNo: string | null;
};

export async function reservationDetail(read: Read, id: number) {
  const { rows } = await sql<Whole>`
    select ${COLUMNS}, m.area::text area, r.lead_id "leadId", l.number "leadNumber", r.pay_plan "payPlan", coalesce((select a.name from agent a where a.id = r.agent_id), r.agent_name) "agentName",
      r.remark, r.pay_until "payUntil", r.held_at "heldAt", r.ended_at "endedAt", r.end_reason "endReason",
      r.bill_id "billId", b.bill_no "billNo", k.refund_no "refundNo"
    from reservation r ${BESIDE} left join lead l on l.id = r.lead_id left join refund k on k.id = r.refund_id
    where r.id = ${id} and r.village_id = any(${read.who.villages as number[]}::bigint[])`.execute(read.tx);
  const [row] = rows;
  if (!row) throw notFound();
  return { ...shown(read, row), warning: earnestWarning(row) ?? null };
}
