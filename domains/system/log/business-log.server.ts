import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { businessExport, businessKinds, getBusiness } from "./business-log.contract.ts";
import { business, businessLine, history } from "./business-log.queries.ts";
import { KIND_TITLES } from "./kinds.rules.ts";

export default [
  serveRead(businessKinds, async () => KIND_TITLES),
  serveList(business),
  exportList(businessExport),
  serveRead(getBusiness, (read, { params }) => businessLine(read, params.id)),
  serveList(history),
];
