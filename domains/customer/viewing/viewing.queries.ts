import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { addDays, dayInZone, timeInZone } from "../../../platform/kernel/day.ts";
import { beginning, containing } from "../../../platform/kernel/like.ts";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { ViewingFilter, listViewings } from "./viewing.contract.ts";
import type { Result, VIEWING_SOURCES, ViewingState } from "./viewing.rules.ts";

type ListQuery = z.output<typeof listViewings.query>;
type Raw = {
  id: number;
  number: string;
  name: string;
  phone: string;
  leadId: number | null;
  villageId: number;
  villageName: string;
  rooms: string;
  at: string;
  minutes: number;
  assigneeId: number | null;
  assigneeName: string;
  source: keyof typeof VIEWING_SOURCES;
  state: ViewingState;
  result: Result | null;
  feedback: string;
  opinions: string;
  createdAt: string;
  version: number;
};

const COLUMNS = sql`w.id, w.number, w.name, w.phone, w.lead_id "leadId", w.village_id "villageId", v.name "villageName",
  coalesce((select string_agg(r.full_name, '、' order by r.place, r.id) from room r where r.id = any(w.room_ids)), d.name, '') rooms,
  w.at, (extract(epoch from w.ends_at - w.at) / 60)::int minutes, w.assignee_id "assigneeId",
  coalesce(o.real_name, '') "assigneeName", w.source, w.state, w.result, w.feedback,
  coalesce((select string_agg(r.full_name || ' ' || x.result || coalesce('（' || nullif(x.feedback, '') || '）', ''), '、' order by r.place, r.id)
    from json_to_recordset(w.results::json) x("roomId" bigint, result text, feedback text) join room r on r.id = x."roomId"), '') opinions,
  w.created_at "createdAt", w.version`;
const BESIDE = sql`join village v on v.id = w.village_id left join operator o on o.id = w.assignee_id
  left join product d on d.id = w.product_id`;

/** `from viewing w where …` of what a filter names. */
export function viewingsWhere(read: Read, f: Partial<ViewingFilter>): RawBuilder<unknown> {
  const day = sql`(w.at at time zone ${read.settings.TIME_ZONE})::date`;
  const found = (text: string) => [
    sql`w.name ilike ${containing(text)}`,
    sql`w.number ilike ${beginning(text)}`,
    ...(/^[A-Za-z]+$/.test(text) ? [sql`w.pinyin like ${`${text.toLowerCase()}%`}`] : []),
    ...(/^\d{11}$/.test(text) ? [sql`w.phone = ${text}`] : []),
    ...(/^\d{4}$/.test(text) ? [sql`right(w.phone, 4) = ${text}`] : []),
  ];
  const conditions = [
    sql`w.village_id = any(${villagesOf(read.who, f.villageIds) as number[]}::bigint[])`,
    ...(f.state?.length ? [sql`w.state = any(${f.state as string[]}::text[])`] : []),
    ...(f.assigneeId ? [sql`w.assignee_id = ${f.assigneeId}`] : []),
    ...(f.leadId ? [sql`w.lead_id = ${f.leadId}`] : []),
    ...(f.partyId
      ? [
          sql`w.lead_id in (select id from lead where renter_id = ${f.partyId} or company_id = ${f.partyId}
            or merchant_id = ${f.partyId})`,
        ]
      : []),
    ...(f.from ? [sql`${day} >= ${f.from}::date`] : []),
    ...(f.to ? [sql`${day} <= ${f.to}::date`] : []),
    ...(f.today
      ? [
          sql`w.assignee_id = ${read.who.operatorId} and w.state in ('pending', 'confirmed') and ${day} = ${read.today}::date`,
        ]
      : []),
    ...(f.keyword ? [sql`(${sql.join(found(f.keyword), sql` or `)})`] : []),
  ];
  return sql`from viewing w where ${sql.join(conditions, sql` and `)}`;
}

/** Phones are whole only to who shows the customer around. */
const shown = <R extends Raw>(read: Read, row: R): R => ({
  ...row,
  phone: row.assigneeId === read.who.operatorId ? row.phone : maskPhone(row.phone),
});

const orderOf = ({ sort, order }: ListQuery): RawBuilder<unknown> =>
  sql`order by ${sort === "createdAt" ? sql`w.created_at` : sql`w.at`} ${sql.raw(order ?? "desc")}, w.id desc`;

export async function viewingList(read: Read, query: ListQuery) {
  const page = async () => {
    const { rows } = await sql<Raw>`
      with f as (select w.id, row_number() over (${orderOf(query)}) place ${viewingsWhere(read, query)}
        ${orderOf(query)} ${pageEnd(query)})
      select ${COLUMNS} from f join viewing w on w.id = f.id ${BESIDE} order by f.place`.execute(read.tx);
    return rows.map((row) => shown(read, row));
  };
  const count = async () =>
    (await sql<{ n: number }>`select count(*)::int n ${viewingsWhere(read, query)}`.execute(read.tx)).rows[0]!
      .n;
  const [list, total] = await Promise.all([
    query.want === "totals" ? [] : page(),
    query.want === "rows" ? null : count(),
  ]);
  return { list, total };
}

export async function countsOf(read: Read, query: Omit<ViewingFilter, "state">) {
  const { rows } = await sql<{ state: string; n: number }>`
    select w.state, count(*)::int n ${viewingsWhere(read, query)} group by 1`.execute(read.tx);
  return {
    all: rows.reduce((sum, row) => sum + row.n, 0),
    ...Object.fromEntries(rows.map((row) => [row.state, row.n])),
  };
}

/** Seven days from a day, by who shows people around; those without anybody come first. */
export async function weekOf(
  read: Read,
  { from, villageIds }: { from: string; villageIds?: number[] | undefined },
) {
  const to = addDays(from, 6);
  const { rows } = await sql<Raw>`
    select ${COLUMNS} from (select w.* ${viewingsWhere(read, { from, to, villageIds })}) w ${BESIDE}
    where w.state <> 'cancelled' order by w.at, w.id limit 500`.execute(read.tx);
  const zone = read.settings.TIME_ZONE;
  const byPerson = Map.groupBy(rows, (row) => row.assigneeId);
  return {
    days: Array.from({ length: 7 }, (_, i) => addDays(from, i)),
    people: [...byPerson]
      .map(([id, own]) => ({
        id,
        name: id === null ? "待指派" : own[0]!.assigneeName,
        viewings: own.map((row) => ({
          ...row,
          day: dayInZone(new Date(row.at), zone),
          clock: timeInZone(row.at, zone).slice(11, 16),
        })),
      }))
      .toSorted((a, b) => (a.id === null ? -1 : b.id === null ? 1 : a.name.localeCompare(b.name, "zh"))),
  };
}

type Whole = Raw & {
  roomList: { id: number; name: string; result: Result | null; feedback: string }[];
  productName: string | null;
  leadNumber: string | null;
  cancelReason: string;
  remark: string;
};

export async function viewingDetail(read: Read, id: number) {
  const { rows } = await sql<Whole>`
    select ${COLUMNS}, d.name "productName", l.number "leadNumber", w.cancel_reason "cancelReason", w.remark,
      (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.full_name, 'result', x.result,
          'feedback', coalesce(x.feedback, '')) order by r.place, r.id), '[]')
        from room r left join json_to_recordset(w.results::json) x("roomId" bigint, result text, feedback text) on x."roomId" = r.id
        where r.id = any(w.room_ids)) "roomList"
    from viewing w ${BESIDE} left join lead l on l.id = w.lead_id
    where w.id = ${id} and w.village_id = any(${read.who.villages as number[]}::bigint[])`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return shown(read, rows[0]);
}

/** Viewings of a room, the newest first, each with what was thought of this room. */
export async function viewingsOfRoom(read: Read, roomId: number) {
  const { rows } = await sql<{
    id: number;
    number: string;
    name: string;
    at: string;
    assigneeName: string;
    state: ViewingState;
    result: Result | null;
    feedback: string;
  }>`
    select w.id, w.number, w.name, w.at, coalesce(o.real_name, '待指派') "assigneeName", w.state, x.result,
      coalesce(x.feedback, '') feedback
    from viewing w left join operator o on o.id = w.assignee_id
    left join lateral (select y.result, y.feedback
      from json_to_recordset(w.results::json) y("roomId" bigint, result text, feedback text)
      where y."roomId" = ${roomId} limit 1) x on true
    where w.room_ids @> array[${roomId}]::bigint[] and w.village_id = any(${read.who.villages as number[]}::bigint[])
    order by w.at desc, w.id desc limit 100`.execute(read.tx);
  return rows;
}
