import { roomNames, roomNamesOf } from "../../../platform/kernel/names.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { floorOf } from "../building/building.queries.ts";
import { wordOf } from "../../system/dic/dic.service.ts";
import { checkHouseWords } from "../dictionary/words.queries.ts";
import { changesOf } from "../../../platform/kernel/changes.ts";
import { unused } from "../room/hanging.queries.ts";
import { setPictures } from "../room/room.service.ts";
import { redraw, rename } from "../room/rename.service.ts";
import { removeRooms } from "../block/use.service.ts";
import {
  addApartment,
  addApartments,
  apartment,
  apartmentEdit,
  deleteApartment,
  editApartment,
} from "./apartment.contract.ts";
import { exportApartments } from "./list.contract.ts";
import { apartmentList } from "./apartment.queries.ts";
import { createApartments } from "./apartment.service.ts";
import { type FlatForm, apartmentDetail, apartmentSeen, flatOf } from "./form.queries.ts";

const note = (
  act: Act,
  row: { id: number; name: string; villageId: number },
  action: string,
  more: { summary: string; before?: unknown; after?: unknown },
) =>
  act.note({
    kind: "apartment",
    recordId: row.id,
    number: row.name,
    villageId: row.villageId,
    action,
    ...more,
  });

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
      made.map(({ id }, i) => ({
        kind: "apartment",
        recordId: id,
        number: names[i]!,
        villageId,
        action: "新增",
        summary: "批量新增房源",
      })),
    );
    return { ids: made.map((m) => m.id) };
  }),

  serve(editApartment, async (act, { params, body }) => {
    const before = await apartmentSeen(act, params.id);
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
    else await redraw(act, params.id);
    // a code means nothing to a reader
    const named = async <R extends { source: string }>(row: R) => ({
      ...row,
      source: await wordOf(act, "house", "source", row.source),
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
];
