import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { enquiries, exportEvents, listingEvents } from "./log.contract.ts";
import { enquiryCount, enquiryRows, eventCount, eventRows } from "./log.queries.ts";

export default [
  exportList(exportEvents),

  serveRead(listingEvents, async (read, { query }) => {
    const [list, total] = await Promise.all([
      query.want === "totals" ? [] : eventRows(read, query),
      query.want === "rows" ? null : eventCount(read, query),
    ]);
    return { list, total };
  }),

  serveRead(enquiries, async (read, { query }) => {
    const [list, total] = await Promise.all([
      query.want === "totals" ? [] : enquiryRows(read, query),
      query.want === "rows" ? null : enquiryCount(read, query),
    ]);
    return { list, total };
  }),
];
