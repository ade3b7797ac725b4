import { sql } from "kysely";
import type { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import { maskName } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { BLOCK_REASONS, wordOf } from "../room/words.rules.ts";
import type { roomTimeline } from "./timeline.contract.ts";

type Entry = z.input<typeof roomTimeline.reply>[number];
type Row = Omit<Entry, "title"> & { reason: string | null; party: string | null };

const RESERVED = sql`left join reservation_brief v on v.id = e.reservation_id left join party_brief w on w.id = v.party_id`;

/** What stands and stood on the timeline of a room (of each leaf, for a whole flat) over a span, by its start. */
export async function timelineOf(read: Read, roomId: number, from: Day, to: Day): Promise<Entry[]> {
  const { rows } = await sql<Row>`
    with recursive tree as (
      select id, full_name, is_leaf from room where id = ${roomId}
      union all select r.id, r.full_name, r.is_leaf from room r join tree t on r.parent_room_id = t.id),
    entries as (
      select o.room_id, o.let_room_id, o.kind, o.period, o.contract_id, o.block_id, o.reservation_id, false ended from occupancy_row o
      where o.room_id in (select id from tree)
      union all
      select e.room_id, e.let_room_id, e.kind, e.period, e.contract_id, e.block_id, e.reservation_id, true from occupancy_ended e
      where e.room_id in (select id from tree) and e.taken_on < e.ended_on)
    select e.kind, lower(e.period) "from", upper(e.period) - 1 "to", coalesce(c.contract_no, b.number, v.number, '') number,
      e.contract_id "contractId", e.block_id "blockId", e.reservation_id "reservationId", b.reason,
      coalesce(c.party_name, w.name) party, e.ended, coalesce(k.monthly_rent, v.rent) "rentFen",
      upper(e.period) - lower(e.period) days, t.full_name "roomName",
      case when e.let_room_id <> e.room_id then l.full_name end "letRoomName"
    from entries e join tree t on t.id = e.room_id join room l on l.id = e.let_room_id
    left join contract_brief c on c.id = e.contract_id left join room_block b on b.id = e.block_id
    left join contract_room_brief k on k.contract_id = e.contract_id and k.room_id = e.let_room_id ${RESERVED}
    where e.period && daterange(${from}::date, ${to}::date, '[]')
    union all
    select 'turnover', u.opened_day, u.done_day, '', null, null, null, null, null, u.done_day is not null, null,
      u.done_day - u.opened_day, t.full_name, null
    from turnover u join tree t on t.id = u.room_id
    where u.opened_day <= ${to}::date and (u.done_day is null or u.done_day >= ${from}::date)
    order by "from", kind`.execute(read.tx);
  const named = read.who.permits.has("16.query");
  return rows.map(({ reason, party, ...row }) => {
    const name = party && !named ? maskName(party) : (party ?? "");
    const titles = {
      turnover: row.ended ? "已保洁" : "待保洁",
      block: wordOf(BLOCK_REASONS, reason ?? ""),
      lease: name || "租约",
      reservation: [name, "已预订"].filter(Boolean).join(" "),
    };
    return { ...row, title: titles[row.kind] };
  });
}
