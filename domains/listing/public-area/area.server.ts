import { serveList } from "../../../platform/server/lists/list.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { serveRecord } from "../../../platform/server/records/plain-record.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { unused } from "../room/room.queries.ts";
import * as calls from "./area.contract.ts";
import { areaDetail, areas, areaSeen } from "./area.queries.ts";
import { areaMoves } from "./area.rules.ts";
import { checkArea, copyTo, setAreaPictures } from "./area.service.ts";

const { name, area, capacity, openHours, remark, pictures } = calls.areaBody.shape;
const { villageName, place, kindName, managerName } = calls.publicArea.reply.shape;

export default [
  serveList(areas),
  exportList(calls.exportAreas),

  ...serveRecord(
    {
      get: calls.publicArea,
      add: calls.addArea,
      edit: calls.editArea,
      delete: calls.deleteArea,
      enable: calls.enableArea,
      disable: calls.disableArea,
    },
    {
      table: "publicArea",
      kind: "publicArea",
      title: "公共区域",
      shown: areaDetail,
      columns: ({ pictures: _, buildingId = null, floorId = null, ...body }: calls.AreaBody) => ({
        ...body,
        buildingId,
        floorId,
        area: body.area ?? null,
        capacity: body.capacity ?? null,
        managerId: body.managerId ?? null,
      }),
      check: checkArea,
      lay: (act, row, body) => setAreaPictures(act, row, body.pictures),
      hanging: (act, id) => unused(act, "public_area", [id], "该公共区域", "可改为停用"),
      told: {
        shape: {
          ...{ name, villageName, place, kindName, area, capacity, openHours, managerName, remark, pictures },
        },
        of: (row) => ({ ...row, pictures: `${row.pictures.length} 张` }),
      },
      moves: areaMoves,
    },
  ),

  serve(calls.copyArea, async (act, { params, body }) => ({
    made: await copyTo(act, await areaSeen(act, params.id), body),
  })),
];
