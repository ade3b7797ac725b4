import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { documentFile } from "../template/document.service.ts";
import { chargeLeft } from "./charge.service.ts";
import {
  changeBasis,
  chargeChange,
  countChanges,
  exportChanges,
  getChange,
  supplementFile,
} from "./moving.contract.ts";
import { TAB_OF } from "../act/act.queries.ts";
import { basisOf, movingDetail, movings } from "./moving.queries.ts";
import { supplementContent } from "./supplement.rules.ts";
import { supplementOf } from "./supplement.service.ts";

export default [
  serveList(movings),
  exportList(exportChanges),
  serveRead(countChanges, (read, { query }) => movings.countsBy(read, query, TAB_OF)),
  serveRead(changeBasis, (read, { query }) => basisOf(read, query.contractId, query.kind)),
  serveRead(getChange, (read, { params }) => movingDetail(read, params.id)),
  serve(chargeChange, (act, { params, body }) => chargeLeft(act, params.id, body)),
  serveRead(supplementFile, async (read, { params }) => {
    const { facts, name, document } = await supplementOf(read, params.id);
    return documentFile(read, document, { ...supplementContent(facts), name });
  }),
];
