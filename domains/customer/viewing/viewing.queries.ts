import { sql } from "kysely";
import { addDays, dayInZone, timeInZone } from "../../../platform/kernel/day.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import {
  amongWords,
  fromDay,
  initials,
  is,
  keyword,
  number,
  phone,
  phrase,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { listViewings } from "./viewing.contract.ts";
import type { Result, VIEWING_SOURCES, ViewingState } from "./viewing.rules.ts";

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

/** Phones are whole only to who shows the customer around. */
const shown = <R extends Raw>(read: Read, row: R): R => ({
  ...row,
  phone: row.assigneeId === read.who.operatorId ? row.phone : maskPhone(row.phone),
});

/** Every viewing, those to come and those that were. */
export const viewings = listOf(listViewings, {
  id: "w.id",
  from: sql`viewing w`,
  village: "w.village_id",
  where: {
    state: amongWords("w.state"),
    assigneeId: is("w.assignee_id"),
    leadId: is("w.lead_id"),
    partyId: (id) =>
      sql`w.lead_id in (select id from lead where renter_id = ${id} or company_id = ${id} or merchant_id = ${id})`,
    from: fromDay("w.at"),
    to: toDay("w.at"),
    today: (_, read) => sql`w.assignee_id = ${read.who.operatorId} and w.state in ('pending', 'confirmed')
      and ${fromDay("w.at")(read.today)} and ${toDay("w.at")(read.today)}`,
    keyword: keyword(phrase("w.name"), number("w.number"), initials("w.pinyin"), phone("w.phone")),
  },
  sort: {
    at: { order: (way) => sql`w.at ${way}, w.id desc`, way: "desc" },
    createdAt: { order: (way) => sql`w.created_at ${way}, w.id desc`, way: "desc" },
  },
  order: "at",
  columns: sql<Raw>`${COLUMNS}`,
  join: sql`join viewing w on w.id = page.id ${BESIDE}`,
  rows: (raws: Raw[], read) => raws.map((row) => shown(read, row)),
});

/** Seven days from a day, by who shows people around; those without anybody come first. */
export async function weekOf(
  read: Read,
  { from, villageIds }: { from: string; villageIds?: number[] | undefined },
) {
  const to = addDays(from, 6);
  const { rows } = await sql<Raw>`
    select ${COLUMNS} from viewing w ${BESIDE}
    where ${await viewings.condition(read, { from, to, villageIds })} and w.state <> 'cancelled' order by w.at, w.id limit 500`.execute(
    read.tx,
  );
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
