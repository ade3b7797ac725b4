import { sql } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

export type Obstacle = { roomId: number; roomName: string; why: string };
type Row = {
  top: number;
  leaf: string;
  isTop: boolean;
  kind: string | null;
  from: Day | null;
  to: Day | null;
  by: string;
  occupancy: string | null;
};

/** What stands against blocking rooms over a span: a lease, a hold, another block, or somebody who has not left. */
export async function againstBlock(
  read: Read,
  roomIds: readonly number[],
  villageId: number,
  from: Day,
  to: Day | null,
  ownBlockId = 0,
): Promise<Obstacle[]> {
  const period = `[${from},${to ? addDays(to, 1) : ""})`;
  const { rows } = await sql<Row>`
    with recursive below as (
      select r.id top, r.id, r.full_name, r.is_leaf from room r where r.id = ${anyOf(roomIds)}
      union all select b.top, r.id, r.full_name, r.is_leaf from room r join below b on r.parent_room_id = b.id)
    select l.top, l.full_name leaf, l.id = l.top "isTop", o.kind, lower(o.period) "from", upper(o.period) - 1 "to",
      coalesce(c.contract_no, k.number, '预订') "by", s.occupancy
    from below l
    left join lateral (select * from occupancy_row x where x.room_id = l.id and x.period && ${period}::daterange
      and x.block_id is distinct from ${ownBlockId} order by lower(x.period) limit 1) o on true
    left join contract_brief c on c.id = o.contract_id left join room_block k on k.id = o.block_id
    left join room_status_at(${read.today}::date, ${read.today}::date, array[${villageId}::bigint],
      (select array_agg(id) from below where is_leaf)) s on s.room_id = l.id and ${from}::date <= ${read.today}::date
    where l.is_leaf and (o.id is not null or s.occupancy in ('holdingOver', 'leaving'))
    order by l.full_name`.execute(read.tx);
  return rows.map((row) => ({
    roomId: row.top,
    roomName: row.leaf,
    why: sentenceOf(row, from),
  }));
}

function sentenceOf({ kind, from, to, by, occupancy }: Row, wanted: Day): string {
  if (!kind) return occupancy === "leaving" ? "退租中，请先完成退房" : "到期未退，请先登记退房";
  if (kind === "block") return `${from} 至 ${to ?? "未定"} 已封房（${by}）`;
  const what = kind === "lease" ? "租约" : "预订";
  return from! > wanted
    ? `${from} 起有${what}，封房截止日须早于该日`
    : `${from} 至 ${to ?? "未定"} 已被 ${by} 占用，不能封房`;
}
