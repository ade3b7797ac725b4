import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { printed } from "../../system/paper/print.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { changeBasis, countChanges, exportChanges, getChange, supplementFile } from "./moving.contract.ts";
import { TAB_OF, basisOf, movingDetail, movings } from "./moving.queries.ts";
import { supplement } from "./supplement.rules.ts";
import { supplementOf } from "./supplement.service.ts";

export default [
  serveList(movings),
  exportList(exportChanges),
  serveRead(countChanges, (read, { query }) => movings.countsBy(read, query, TAB_OF)),
  serveRead(changeBasis, (read, { query }) => basisOf(read, query.contractId, query.kind)),
  serveRead(getChange, (read, { params }) => movingDetail(read, params.id)),
  serveRead(supplementFile, async (read, { params }) => {
    const { facts, name } = await supplementOf(read, params.id);
    const body = await printed(supplement(facts), name, await markOf(read, "pdfs"));
    return { name: `${name}.pdf`, type: "application/pdf", body, inline: true };
  }),
];
