import { serveList } from "../../../platform/server/lists/list.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { KIND_TITLES } from "./kinds.rules.ts";
import {
  businessExport,
  businessKinds,
  getBusiness,
  getOperation,
  getOperationV5,
  operationExport,
  operationHours,
} from "./log.contract.ts";
import {
  business,
  businessLine,
  history,
  hoursOf,
  operationDetail,
  operations,
  operationsV5,
} from "./log.queries.ts";

export default [
  serveList(operations),
  exportList(operationExport),
  serveList(operationsV5),
  serveRead(getOperation, (read, { params }) => operationDetail(read, params.id)),
  serveRead(getOperationV5, (read, { params }) => operationDetail(read, params.id)),
  serveRead(operationHours, (read, { query }) => hoursOf(read, query)),
  serveRead(businessKinds, async () => KIND_TITLES),
  serveList(business),
  exportList(businessExport),
  serveRead(getBusiness, (read, { params }) => businessLine(read, params.id)),
  serveList(history),
];
