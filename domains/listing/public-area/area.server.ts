import { serveList } from "../../../platform/server/lists/list.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { changesOf } from "../room/changes.rules.ts";
import { unused } from "../room/hanging.queries.ts";
import {
  addArea,
  areaBody,
  copyArea,
  deleteArea,
  disableArea,
  editArea,
  enableArea,
  exportAreas,
  publicArea,
} from "./area.contract.ts";
import { areaDetail, areaSeen, areas } from "./area.queries.ts";
import {
  areaNote,
  checkManager,
  checkPlace,
  copyTo,
  mayLeave,
  setAreaPictures,
  switchArea,
} from "./area.service.ts";

const checkKind = (act: Act, kindDic: string, kept: readonly string[] = []) =>
  checkWords(act, "house", "areaKind", [kindDic], { field: "kindDic", kept });

export default [
  exportList(exportAreas),

  serveList(areas),
  serveRead(publicArea, (read, { params }) => areaDetail(read, params.id)),

  serve(addArea, async (act, { body: { pictures, ...fields } }) => {
    inScope(act.who, fields.villageId);
    await checkPlace(act, fields);
    await checkKind(act, fields.kindDic);
    await checkManager(act, fields);
    const row = await act.tx
      .insertInto("publicArea")
      .values({ ...fields, createdBy: act.who.operatorId, updatedBy: act.who.operatorId })
      .returning(["id", "name", "villageId"])
      .executeTakeFirstOrThrow();
    await setAreaPictures(act, row, pictures);
    await act.note(areaNote(row, "新增", `新增公共区域 ${row.name}`));
    return { id: row.id };
  }),

  serve(editArea, async (act, { params, body: { version, pictures, ...fields } }) => {
    const before = await areaDetail(act, params.id);
    inScope(act.who, fields.villageId);
    if (fields.villageId !== before.villageId) await mayLeave(act, params.id);
    await checkPlace(act, fields);
    await checkKind(act, fields.kindDic, [before.kindDic]);
    if (fields.managerId !== before.managerId) await checkManager(act, fields);
    await revise(
      act,
      "publicArea",
      { id: params.id, version },
      {
        ...fields,
        buildingId: fields.buildingId ?? null,
        floorId: fields.floorId ?? null,
        area: fields.area ?? null,
        capacity: fields.capacity ?? null,
        managerId: fields.managerId ?? null,
        ...stamp(act),
      },
    );
    await setAreaPictures(act, { id: params.id, villageId: fields.villageId }, pictures);
    // ids mean nothing to a reader: the log names places, people and kinds
    const now = await areaDetail(act, params.id);
    const { area, capacity, openHours, remark } = areaBody.shape;
    const { villageName, place, kindName, managerName } = publicArea.reply.shape;
    const changes = changesOf(
      {
        name: areaBody.shape.name,
        villageName,
        place,
        kindName,
        area,
        capacity,
        openHours,
        managerName,
        remark,
        pictures: areaBody.shape.pictures,
      },
      { ...before, pictures: `${before.pictures.length} 张` },
      { ...now, pictures: `${now.pictures.length} 张` },
    );
    if (changes) await act.note(areaNote(now, "修改", changes.summary, changes));
    return { id: params.id };
  }),

  serve(deleteArea, async (act, { params, query }) => {
    const area = await areaSeen(act, params.id);
    await unused(act, "public_area", [area.id], "该公共区域", "可改为停用");
    await removeAt(act, "publicArea", { id: area.id, version: query.version });
    await act.note(areaNote(area, "删除", `删除公共区域 ${area.name}`));
    return null;
  }),

  serve(enableArea, (act, { params, body }) => switchArea(act, params.id, "enable", body.version)),
  serve(disableArea, (act, { params, body }) => switchArea(act, params.id, "disable", body.version)),

  serve(copyArea, async (act, { params, body }) => ({
    made: await copyTo(act, await areaSeen(act, params.id), body),
  })),
];
