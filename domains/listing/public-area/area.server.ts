import { serveList } from "../../../platform/server/lists/list.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { serveRecord } from "../../../platform/server/records/plain-record.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveImport } from "../../system/import/serve.service.ts";
import * as calls from "./area.contract.ts";
import { areas } from "./area.queries.ts";
import { AREAS } from "./import.service.ts";
import { AREA, copyTo } from "./area.service.ts";

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
    AREA,
  ),

  ...serveImport(calls.areaImport, AREAS),
  serve(calls.copyArea, (act, { params, body }) => copyTo(act, params.id, body)),
];
