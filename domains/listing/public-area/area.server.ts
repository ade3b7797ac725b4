import { serveList } from "../../../platform/server/lists/list.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { serveRecord } from "../../../platform/server/records/plain-record.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { unused } from "../room/room.queries.ts";
import * as calls from "./area.contract.ts";
import { areaDetail, areas } from "./area.queries.ts";
import { checkArea, copyTo, setAreaPictures } from "./area.service.ts";

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
      title: "公共区域",
      shown: areaDetail,
      apart: ["pictures"],
      check: checkArea,
      lay: (act, row, body) => setAreaPictures(act, row, body.pictures),
      hanging: (act, id) => unused(act, "public_area", [id], "该公共区域", "可改为停用"),
    },
  ),

  serve(calls.copyArea, (act, { params, body }) => copyTo(act, params.id, body)),
];
