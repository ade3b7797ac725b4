import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { changed, daysTouched, refuseClosedDay } from "../occupancy/occupancy.service.ts";
import { roomsCleaned } from "./turnover.contract.ts";

export type Source = "settlement" | "blockEnd" | "manual";
const SOURCES: Record<Source, string> = {
  settlement: "退房",
  blockEnd: "解除封房",
  manual: "手动置为待保洁",
};

/** Makes rooms 待保洁 from a day on. A room has one open turnover at most: one that stands already is kept. */
export async function openTurnovers(
  act: Act,
  roomIds: readonly number[],
  how: { source: Source; sourceId?: number | null; openedDay?: Day; note?: string },
): Promise<number> {
  const rooms = await act.tx
    .selectFrom("room")
    .select(["id", "villageId"])
    .where("id", "=", anyOf(roomIds))
    .orderBy("id")
    .execute();
  if (!rooms.length) return 0;
  const openedDay = how.openedDay ?? act.today;
  const made = await act.tx
    .insertInto("turnover")
    .values(
      rooms.map((room) => ({
        roomId: room.id,
        villageId: room.villageId,
        openedDay,
        source: how.source,
        sourceId: how.sourceId ?? null,
        note: how.note ?? "",
        createdBy: act.who.operatorId,
      })),
    )
    .onConflict((oc) => oc.column("roomId").where("doneDay", "is", null).doNothing())
    .returning(["roomId", "villageId"])
    .execute();
  await changed(act, made);
  await daysTouched(
    act,
    made.map((m) => m.villageId),
    openedDay,
  );
  await noteRooms(act, made, "待保洁", () => `${SOURCES[how.source]}${how.note ? `：${how.note}` : ""}`);
  return made.length;
}

/** Rooms that a contract lets or let, as it names them. */
type LetRooms = { contractId: number; letRoomIds: readonly number[] };

const leavesOf = ({ contractId, letRoomIds }: LetRooms) => sql`(select o.room_id from occupancy_row o
  where o.contract_id = ${contractId} and o.kind = 'lease' and o.let_room_id = ${anyOf(letRoomIds)})`;

/**
 * Rooms of a contract that are free again wait for cleaning from a day on, where the store's settings say so; what was never
 * let does not, nor where somebody else lives by now.
 */
export async function cleanAfterLeaving(act: Act, of: LetRooms, openedDay: Day): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select r.id from room r left join village_setting s on s.village_id = r.village_id
    where r.id in ${leavesOf(of)} and coalesce(s.cleaning_after_leave, true)
      and not exists (select from occupancy_row o join contract_brief c on c.id = o.contract_id
        where o.room_id = r.id and o.kind = 'lease' and o.period @> ${act.today}::date and c.id <> ${of.contractId}
          and c.handover_on is not null)
    order by r.id`.execute(act.tx);
  const roomIds = rows.map((r) => r.id);
  await openTurnovers(act, roomIds, { source: "settlement", sourceId: of.contractId, openedDay });
}

/** The tenant has the rooms again: what was to be cleaned after it left is not; what was cleaned stays. */
export async function withdrawCleaning(act: Act, of: LetRooms): Promise<void> {
  const { rows } = await sql<{ roomId: number; villageId: number; openedDay: Day }>`
    delete from turnover where source = 'settlement' and source_id = ${of.contractId} and done_day is null
      and room_id in ${leavesOf(of)}
    returning room_id "roomId", village_id "villageId", opened_day "openedDay"`.execute(act.tx);
  await changed(act, rows);
  for (const { villageId, openedDay } of rows) await daysTouched(act, [villageId], openedDay);
  await noteRooms(act, rows, "取消待保洁", () => "租客继续承租");
}

const noteRooms = <R extends { roomId: number; villageId: number }>(
  act: Act,
  rows: readonly R[],
  action: string,
  summaryOf: (row: R) => string,
) =>
  act.note(
    rows.map((row) => ({
      kind: "room",
      recordId: row.roomId,
      villageId: row.villageId,
      action,
      summary: summaryOf(row),
    })),
  );

export type Done = {
  doneDay: Day;
  checklist: readonly { item: string; ok: boolean; note: string }[];
  fileIds: readonly number[];
  note: string;
};

/** Closes open turnovers: the rooms can be moved into again. */
export async function closeTurnovers(act: Act, ids: readonly number[], done: Done): Promise<void> {
  const rows = await act.tx
    .selectFrom("turnover")
    .innerJoin("room", "room.id", "turnover.roomId")
    .select([
      "turnover.id",
      "turnover.roomId",
      "turnover.villageId",
      "turnover.openedDay",
      "turnover.doneDay",
      "room.fullName",
    ])
    .where("turnover.id", "=", anyOf(ids))
    .where("turnover.villageId", "=", anyOf(act.who.villages))
    .orderBy("turnover.id")
    .forUpdate("turnover")
    .execute();
  if (rows.length < new Set(ids).size) throw notFound();
  const twice = rows.find((r) => r.doneDay);
  if (twice) throw new Refusal("notAllowed", `${twice.fullName} 已于 ${twice.doneDay} 完成保洁`);
  if (done.doneDay > act.today || rows.some((r) => done.doneDay < r.openedDay))
    throw invalid({ field: "doneDay", msg: "完成日期不正确" });
  const villages = rows.map((r) => r.villageId);
  await refuseClosedDay(act, villages, done.doneDay);
  await act.tx
    .updateTable("turnover")
    .set({
      doneDay: done.doneDay,
      doneBy: act.who.operatorId,
      checklist: JSON.stringify(done.checklist),
      fileIds: [...done.fileIds],
      version: NEXT_VERSION,
    })
    .where("id", "=", anyOf(ids))
    .execute();
  const [first] = rows;
  if (first && done.fileIds.length)
    await attachFiles(act, done.fileIds, {
      targetKind: "turnover",
      targetId: first.id,
      villageId: first.villageId,
      needs: ["3.get", "3.query"],
    });
  await changed(act, rows);
  await daysTouched(act, villages, done.doneDay);
  await act.emit(roomsCleaned, { roomIds: rows.map((r) => r.roomId), day: done.doneDay });
  const told = `${done.doneDay} 完成${done.note ? `：${done.note}` : ""}`;
  await noteRooms(act, rows, "完成保洁", (r) => `${r.openedDay} 起待保洁，${told}`);
}
