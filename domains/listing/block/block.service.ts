import { sql } from "kysely";
import { NEXT_VERSION, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { daysTouched, refuseClosedDay, release, shorten, take } from "../occupancy/occupancy.service.ts";
import { BLOCK_REASONS, type BlockReason } from "../room/words.rules.ts";
import { openTurnovers } from "../turnover/turnover.service.ts";
import type { BlockInput } from "./block.contract.ts";

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

/** Rooms in scope, all of one village. */
async function roomsInScope(act: Act, ids: readonly number[]) {
  const wanted = [...new Set(ids)];
  const rows = await act.tx
    .selectFrom("room")
    .select(["id", "villageId", "fullName"])
    .where("id", "=", anyOf(wanted))
    .where("villageId", "=", anyOf(act.who.villages))
    .orderBy("id")
    .execute();
  if (rows.length < wanted.length) throw notFound();
  const villages = new Set(rows.map((r) => r.villageId));
  if (villages.size > 1) throw invalid({ field: "roomIds", msg: "请选择同一门店的房间" });
  return { rooms: rows, villageId: rows[0]!.villageId };
}

function refuseFor(obstacles: readonly Obstacle[]): void {
  const [first] = obstacles;
  if (!first) return;
  const sentence =
    obstacles.length === 1
      ? `${first.roomName} ${first.why}`
      : `${obstacles.length} 间房不能封房：${first.roomName} ${first.why}`;
  throw new Refusal("roomTaken", sentence, 409, { data: { refused: obstacles } });
}

/** Takes rooms out of letting over a span. All or none; the refusal names each room that stands in the way. */
export async function blockRooms(
  act: Act,
  input: BlockInput,
): Promise<{ id: number; number: string; rooms: number }> {
  const { rooms, villageId } = await roomsInScope(act, input.roomIds);
  const to = input.toDay ?? null;
  await refuseClosedDay(act, [villageId], input.fromDay);
  refuseFor(await againstBlock(act, input.roomIds, villageId, input.fromDay, to));
  const [number] = await act.numbers("FF");
  const { id } = await act.tx
    .insertInto("roomBlock")
    .values({
      number: number!,
      villageId,
      reason: input.reason,
      fromDay: input.fromDay,
      toDay: to,
      note: input.note,
      fileIds: input.fileIds,
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await attachFiles(act, input.fileIds, {
    targetKind: "roomBlock",
    targetId: id,
    villageId,
    needs: ["3.get", "3.query"],
  });
  await take(
    act,
    rooms.map((room) => ({ roomId: room.id, from: input.fromDay, to, kind: "block", blockId: id })),
  );
  await daysTouched(act, [villageId], input.fromDay);
  await note(
    act,
    villageId,
    number!,
    rooms,
    "封房",
    `${BLOCK_REASONS[input.reason][0]}，${input.fromDay} 至 ${to ?? "解除为止"}${input.note ? `：${input.note}` : ""}`,
  );
  return { id, number: number!, rooms: rooms.length };
}

const note = (
  act: Act,
  villageId: number,
  number: string,
  rooms: readonly { id: number }[],
  action: string,
  summary: string,
) => act.note(rooms.map((room) => ({ kind: "room", recordId: room.id, number, villageId, action, summary })));

/** The block, locked for this transaction, with the rooms it takes. */
async function seenBlock(act: Act, id: number) {
  const block = await act.tx
    .selectFrom("roomBlock")
    .selectAll()
    .where("id", "=", id)
    .where("villageId", "=", anyOf(act.who.villages))
    .forUpdate()
    .executeTakeFirst();
  if (!block) throw notFound();
  // Rooms that were lifted before the others stand no more.
  const rooms = await act.tx
    .selectFrom("occupancyRow")
    .select(["roomId as id", "letRoomId", "villageId"])
    .where("blockId", "=", id)
    .where(sql<boolean>`(upper(period) is null or upper(period) > ${act.today}::date)`)
    .orderBy("roomId")
    .execute();
  return { ...block, rooms };
}

export async function changeEnd(
  act: Act,
  id: number,
  input: { toDay?: Day | null | undefined; note: string; version: number },
): Promise<void> {
  const block = await seenBlock(act, id);
  const to = input.toDay ?? null;
  asSeen(block, input.version);
  if (block.liftedDay || block.cancelledOn) throw new Refusal("notAllowed", "封房已解除，不能修改");
  if (block.toDay && block.toDay < act.today) throw new Refusal("notAllowed", "封房已结束，不能修改");
  if (to && to < block.fromDay) throw invalid({ field: "toDay", msg: "截止日不能早于开始日" });
  if (to && to < addDays(act.today, -1)) throw invalid({ field: "toDay", msg: "截止日不能早于昨天" });
  if (block.reason === "offline" && !input.note) throw invalid({ field: "note", msg: "请填写停用原因" });
  const lets = [...new Set(block.rooms.map((r) => r.letRoomId))];
  refuseFor(await againstBlock(act, lets, block.villageId, block.fromDay, to, id));
  await release(act, { blockId: id, roomIds: block.rooms.map((r) => r.id) });
  await take(
    act,
    lets.map((roomId) => ({ roomId, from: block.fromDay, to, kind: "block", blockId: id })),
  );
  await act.tx
    .updateTable("roomBlock")
    .set({
      toDay: to,
      note: input.note,
      version: NEXT_VERSION,
      ...stamp(act),
    })
    .where("id", "=", id)
    .execute();
  await note(
    act,
    block.villageId,
    block.number,
    block.rooms,
    "改封房截止日",
    `${block.toDay ?? "解除为止"} → ${to ?? "解除为止"}`,
  );
}

/** Frees rooms from today, all of them or some; a block that has not begun is cancelled. */
export async function lift(
  act: Act,
  id: number,
  how: { version?: number; dirty: boolean; rooms?: readonly number[] },
): Promise<number> {
  const block = await seenBlock(act, id);
  if (how.version !== undefined) asSeen(block, how.version);
  const rooms = how.rooms ? block.rooms.filter((r) => how.rooms!.includes(r.id)) : block.rooms;
  if (!rooms.length) throw new Refusal("notAllowed", "封房已结束，无需解除");
  const which = { blockId: id, roomIds: rooms.map((r) => r.id) };
  const begun = block.fromDay < act.today;
  if (begun) await shorten(act, which, addDays(act.today, -1));
  else await release(act, which);
  const last = rooms.length === block.rooms.length;
  await act.tx
    .updateTable("roomBlock")
    .set({
      ...(last && (begun ? { liftedDay: act.today } : { cancelledOn: act.today })),
      version: NEXT_VERSION,
      ...stamp(act),
    })
    .where("id", "=", id)
    .execute();
  if (how.dirty && block.fromDay <= act.today)
    await openTurnovers(act, which.roomIds, { source: "blockEnd", sourceId: id });
  const reason = BLOCK_REASONS[block.reason as BlockReason][0];
  await note(
    act,
    block.villageId,
    block.number,
    rooms,
    begun ? "解除封房" : "取消封房",
    `${reason}（${block.number}）`,
  );
  return rooms.length;
}
