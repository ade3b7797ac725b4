import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { exportEvents } from "./log.contract.ts";
import { enquiryList, events } from "./log.queries.ts";

export default [exportList(exportEvents), serveList(events), serveList(enquiryList)];
