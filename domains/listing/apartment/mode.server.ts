import { sql } from "kysely";
import { NEXT_VERSION, revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { z } from "zod";
import { forbidden, invalid, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { createRooms } from "../room/room.service.ts";
import { retireRooms } from "../block/use.service.ts";
import { RENT_MODES, wordOf } from "../room/words.rules.ts";
import { apartmentSeen, roomsAsked } from "./form.queries.ts";
import { changeRentMode, previewRentMode, retireApartment } from "./mode.contract.ts";
import type { RoomMade } from "../room/divide.rules.ts";

type Change = z.output<typeof changeRentMode.body>;

const roomsNow = (read: Read, apartmentId: number) =>
  read.tx
    .selectFrom("room")
    .select(["id", "name", "kind", "villageId", "fullName"])
    .where("apartmentId", "=", apartmentId)
    .where("retiredDay", "is", null)
    .orderBy("place")
    .orderBy("id")
    .execute();

const flat = (rooms: readonly RoomMade[]): RoomMade[] => rooms.flatMap((r) => [r, ...flat(r.below ?? [])]);

/** What the change does to the rooms; refuses what may not be. */
async function weigh(read: Read, id: number, change: Change) {
  const row = await apartmentSeen(read, id);
  if (row.version !== change.version) throw stale();
  if (row.retiredDay) throw new Refusal("notAllowed", "房源已注销");
  if (change.from < read.today) throw invalid({ field: "from", msg: "生效日不能早于今天" });
  if (row.rentModeFrom && row.rentModeFrom > read.today)
    throw new Refusal("notAllowed", `已有自 ${row.rentModeFrom} 起的出租方式变更，生效后才能再次变更`);
  const { rows } = await sql`
    select 1 from room r where r.apartment_id = ${id} and (
      exists (select 1 from occupancy_row o where o.room_id = r.id and o.kind = 'lease')
      or exists (select 1 from occupancy_ended e where e.room_id = r.id and e.kind = 'lease')) limit 1`.execute(
    read.tx,
  );
  // a flat with a history is changed only by who may
  if (rows.length && !read.who.permits.has("#602")) throw forbidden();
  const begin = await roomsAsked(
    read,
    change,
    { name: row.name, grossArea: Number(row.grossArea) },
    { orientation: row.orientation, firstDay: change.from },
  );
  const retire = await roomsNow(read, id);
  return {
    row,
    begin,
    retire,
    told: {
      retire: retire.map((room) => ({ id: room.id, name: room.name, kind: room.kind })),
      begin: flat(begin).map((room) => ({ name: room.name, kind: room.kind, area: room.area })),
    },
  };
}

const note = (
  act: Act,
  row: { id: number; name: string; villageId: number },
  action: string,
  summary: string,
) =>
  act.note({
    kind: "apartment",
    recordId: row.id,
    number: row.name,
    villageId: row.villageId,
    action,
    summary,
  });

export default [
  serveRead(previewRentMode, async (read, { params, body }) => (await weigh(read, params.id, body)).told),

  serve(changeRentMode, async (act, { params, body }) => {
    const { row, begin, retire, told } = await weigh(act, params.id, body);
    await retireRooms(act, retire, body.from, "变更");
    await act.tx
      .updateTable("apartment")
      .set({
        rentMode: body.rentMode,
        wholeToo: begin.some((room) => room.below),
        rentModeFrom: body.from,
        version: NEXT_VERSION,
        ...stamp(act),
      })
      .where("id", "=", params.id)
      .execute();
    await createRooms(act, [{ apartmentId: params.id, rooms: begin }]);
    await note(
      act,
      row,
      "变更出租方式",
      `自 ${body.from} 起由${wordOf(RENT_MODES, row.rentMode)}改为${wordOf(RENT_MODES, body.rentMode)}：${told.retire
        .map((r) => r.name)
        .join("、")} → ${told.begin.map((r) => r.name).join("、")}`,
    );
    return told;
  }),

  serve(retireApartment, async (act, { params, body }) => {
    const row = await apartmentSeen(act, params.id);
    if (body.day < act.today) throw invalid({ field: "day", msg: "注销日不能早于今天" });
    const rooms = await roomsNow(act, params.id);
    if (row.retiredDay || !rooms.length) throw new Refusal("notAllowed", "房源已注销");
    await retireRooms(act, rooms, body.day);
    await revise(
      act,
      "apartment",
      { id: params.id, version: body.version },
      { retiredDay: body.day, ...stamp(act) },
    );
    await note(act, row, "注销", `自 ${body.day} 起注销：${body.reason}`);
    return { id: params.id };
  }),
];
