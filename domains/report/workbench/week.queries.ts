import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { reservationsWhere, viewingsWhere } from "../../customer/booking/waiting.service.ts";
import { endsBetween, startsBetween } from "../../contract/waiting/waiting.service.ts";
import type { TopRow } from "./workbench.contract.ts";
import { CONTRACT_LISTS, type ContractKind } from "./workbench.rules.ts";

export type Cell = {
  kind: "moveIns" | "ends" | "viewings" | "reservations";
  day: Day;
  count: number;
  top: TopRow[];
};

/** Who comes and whose contract ends, day by day, the first five of each by name. */
export async function weekCells(
  read: Read,
  villages: readonly number[],
  kinds: readonly ContractKind[],
  from: Day,
  to: Day,
): Promise<Cell[]> {
  const links = JSON.stringify(Object.fromEntries(kinds.map((k) => [k, `${CONTRACT_LISTS[k].path}?id=`])));
  const { rows } = await sql<Cell>`
    with found as (
      select 'moveIns' what, c.start_date "day", c.* from contract c where ${startsBetween({ villages, kinds }, from, to)}
      union all
      select 'ends', c.end_date, c.* from contract c where ${endsBetween({ villages, kinds }, from, to)}
    ), numbered as (
      select f.what, f."day", f.id, coalesce(nullif(f.room_names, ''), f.contract_no) title, f.party_name sub,
        ${links}::json ->> f.kind || f.id link, count(*) over w count,
        row_number() over (partition by f.what, f."day" order by f.room_names, f.id) nth
      from found f window w as (partition by f.what, f."day")
    )
    select what kind, "day", max(count) count, json_agg(json_build_object('id', id, 'title', title, 'sub', sub,
      'day', "day", 'late', null, 'amountFen', null, 'link', link) order by nth) top
    from numbered where nth <= 5 group by 1, 2 order by 2, 1`.execute(read.replica);
  return rows;
}

/** Who comes to see rooms, and whose reserved term begins, day by day. */
export async function bookedCells(
  read: Read,
  villages: readonly number[],
  from: Day,
  to: Day,
): Promise<Cell[]> {
  const booking = "/configuration/BookingManagement?tab=";
  const { rows } = await sql<Cell>`
    with found as (
      select 'viewings' what, (w.at at time zone ${read.settings.TIME_ZONE})::date "day", w.id, w.name title,
        to_char(w.at at time zone ${read.settings.TIME_ZONE}, 'HH24:MI') sub,
        ${`${booking}viewing&view=list&id=`} || w.id link
      ${await viewingsWhere(read, { state: ["pending", "confirmed", "viewed"], from, to, villageIds: [...villages] })}
      union all
      select 'reservations', f.move_in_day, f.id, m.full_name, p.name, ${`${booking}reservation&id=`} || f.id
      from (select r.* ${await reservationsWhere(read, {
        state: ["pending", "held"],
        moveInFrom: from,
        moveInTo: to,
        villageIds: [...villages],
      })}) f join room m on m.id = f.room_id join party p on p.id = f.party_id
    ), numbered as (
      select f.*, count(*) over w count, row_number() over (partition by f.what, f."day" order by f.sub, f.id) nth
      from found f window w as (partition by f.what, f."day"))
    select what kind, "day", max(count)::int count, json_agg(json_build_object('id', id, 'title', title, 'sub', sub,
      'day', "day", 'late', null, 'amountFen', null, 'link', link) order by nth) top
    from numbered where nth <= 5 group by 1, 2 order by 2, 1`.execute(read.replica);
  return rows;
}
