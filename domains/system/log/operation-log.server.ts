import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { getOperation, getOperationV5, operationExport, operationHours } from "./operation-log.contract.ts";
import { hoursOf, operationDetail, operations, operationsV5 } from "./operation-log.queries.ts";

export default [
  serveList(operations),
  exportList(operationExport),
  serveList(operationsV5),
  serveRead(getOperation, (read, { params }) => operationDetail(read, params.id)),
  serveRead(getOperationV5, (read, { params }) => operationDetail(read, params.id)),
  serveRead(operationHours, (read, { query }) => hoursOf(read, query)),
];
