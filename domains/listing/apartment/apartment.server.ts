import { roomNames, roomNamesOf } from "../../../platform/kernel/texts/names.ts";
import { removeAt, revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, forbidden, Refusal } from "../../../platform/kernel/refusal.ts";
import { type Act, type Read, entryOn } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { floorOf } from "../building/building.queries.ts";
import { wordOf as dicWord } from "../../system/dic/dic.service.ts";
import { checkHouseWords } from "../dictionary/house.queries.ts";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { unused } from "../room/room.queries.ts";
import { setPictures, createRooms } from "../room/room.service.ts";
import { redraw, rename } from "../room/rename.service.ts";
import { removeRooms, retireRooms } from "../block/use.service.ts";
import {
  addApartment,
  addApartments,
  apartment,
  apartmentEdit,
  deleteApartment,
  editApartment,
  exportApartments,
  changeRentMode,
  previewRentMode,
  retireApartment,
} from "./apartment.contract.ts";
import {
  apartmentList,
  type FlatForm,
  apartmentDetail,
  apartmentSeen,
  flatOf,
  roomsAsked,
} from "./apartment.queries.ts";
import { createApartments } from "./apartment.service.ts";
import { sql } from "kysely";
import type { z } from "zod";
import { RENT_MODES, wordOf } from "../room/words.rules.ts";
import type { RoomMade } from "../room/divide.rules.ts";

const note = (
  act: Act,
  row: { id: number; name: string; villageId: number },
  action: string,
  more: Parameters<typeof entryOn>[4],
) => act.note(entryOn("apartment", row, row.name, action, more));

/** The flats of a form behind one or many doors of a floor. */
async function make(act: Act, form: FlatForm, names: readonly string[]) {
  const floor = await floorOf(act, form.floorId, form.unitId ?? null);
  if (floor.buildingId !== form.buildingId) throw notFound();
  const flats = await Promise.all(names.map((name) => flatOf(act, form, floor.villageId, name)));
  return { villageId: floor.villageId, made: await createApartments(act, flats) };
}

/** A flat may move to another floor of its village; everything it carries goes along. */
async function movable(
  read: Read,
  to: { buildingId: number; unitId?: number | null | undefined; floorId: number },
  villageId: number,
) {
  const floor = await floorOf(read, to.floorId, to.unitId ?? null);
  if (floor.buildingId !== to.buildingId) throw notFound();
  if (floor.villageId !== villageId) throw invalid({ field: "floorId", msg: "房源不能换门店" });
}

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
  asSeen(row, change.version);
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
    { villageId: row.villageId, name: row.name, grossArea: Number(row.grossArea) },
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

export default [
  exportList(exportApartments),

  serveList(apartmentList),
  serveRead(apartment, (read, { params }) => apartmentDetail(read, params.id)),

  serve(addApartment, async (act, { body }) => {
    const { villageId, made } = await make(act, body, [body.name]);
    const [{ id, roomIds } = { id: 0, roomIds: [] }] = made;
    if (body.pictures.length)
      await setPictures(
        act,
        roomIds.map((roomId) => ({ id: roomId, villageId })),
        body.pictures,
      );
    await note(act, { id, name: body.name, villageId }, "新增", {
      summary: `新增房源，${roomIds.length} 个房间`,
    });
    return { id, roomIds };
  }),

  serve(addApartments, async (act, { body }) => {
    const wrong = roomNames(body.names);
    if (wrong) throw invalid({ field: "names", msg: wrong.replaceAll("房间名", "门牌") });
    const names = roomNamesOf(body.names);
    if (names.length > 500) throw invalid({ field: "names", msg: "一次最多新增500套" });
    const { villageId, made } = await make(act, body, names);
    await act.note(
      made.map(({ id }, i) => entryOn("apartment", { id, villageId }, names[i]!, "新增", "批量新增房源")),
    );
    return { ids: made.map((m) => m.id) };
  }),

  serve(editApartment, async (act, { params, body }) => {
    const before = await apartmentSeen(act, params.id);
    if (before.retiredDay && before.retiredDay <= act.today) throw new Refusal("notAllowed", "房源已注销");
    await movable(act, body, before.villageId);
    if (body.innerArea && body.innerArea > body.grossArea)
      throw invalid({ field: "innerArea", msg: "套内面积不能大于建筑面积" });
    await checkHouseWords(act, body, { villageId: before.villageId, kept: before });
    const { version, ...fields } = body;
    const after = await revise(
      act,
      "apartment",
      { id: params.id, version },
      {
        ...fields,
        unitId: fields.unitId ?? null,
        innerArea: fields.innerArea ?? null,
        headLeaseEnd: fields.headLeaseEnd ?? null,
        ...stamp(act),
      },
    );
    if (after.name !== before.name || after.floorId !== before.floorId)
      await rename(act, { apartmentIds: [params.id] });
    // the tiles of a board show layout and gender
    else await redraw(act, { apartmentId: params.id });
    // a code means nothing to a reader
    const named = async <R extends { source: string }>(row: R) => ({
      ...row,
      source: await dicWord(act, "house", "source", row.source),
    });
    const changes = changesOf(apartmentEdit.shape, await named(before), await named(after));
    if (changes) await note(act, after, "修改", changes);
    return { id: params.id };
  }),

  serve(deleteApartment, async (act, { params, query }) => {
    const row = await apartmentSeen(act, params.id);
    const rooms = await act.tx.selectFrom("room").select("id").where("apartmentId", "=", params.id).execute();
    const ids = rooms.map((room) => room.id);
    await unused(act, "room", ids, "该房源", "可改为停用或注销", ["room"]);
    await unused(act, "apartment", [params.id], "该房源", "可改为停用或注销", ["room"]);
    await removeRooms(act, ids);
    await removeAt(act, "apartment", { id: params.id, version: query.version });
    await note(act, row, "删除", { summary: "删除房源" });
    return null;
  }),

  serveRead(previewRentMode, async (read, { params, body }) => (await weigh(read, params.id, body)).told),

  serve(changeRentMode, async (act, { params, body }) => {
    const { row, begin, retire, told } = await weigh(act, params.id, body);
    // before the rooms: of two at once the second is refused, and divides nothing anew
    await revise(
      act,
      "apartment",
      { id: params.id, version: body.version },
      {
        rentMode: body.rentMode,
        wholeToo: begin.some((room) => room.below),
        rentModeFrom: body.from,
        ...stamp(act),
      },
    );
    await retireRooms(act, retire, body.from, "变更");
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
    await revise(
      act,
      "apartment",
      { id: params.id, version: body.version },
      { retiredDay: body.day, ...stamp(act) },
    );
    await retireRooms(act, rooms, body.day);
    await note(act, row, "注销", `自 ${body.day} 起注销：${body.reason}`);
    return { id: params.id };
  }),
];
