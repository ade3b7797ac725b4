import { serve, serveRead, type Served } from "../../../platform/server/pipeline/serve.ts";
import { linkFirm, lookupFirm, removeFirm, revealFirm } from "./acts.service.ts";
import type { FirmCalls } from "./firm.contract.ts";
import { firmSummary } from "./firm-detail.queries.ts";
import { mergeFirms, previewMerge } from "./merge.service.ts";

/** The handlers of the calls that both kinds have alike. */
export const servedFirm = (calls: FirmCalls): Served[] => {
  const { kind } = calls;
  return [
    serveRead(calls.lookup, (read, { body }) => lookupFirm(read, kind, body.number)),
    serve(calls.link, (act, { params, body }) => linkFirm(act, kind, params.id, body)),
    serve(calls.reveal, (act, { params, body }) => revealFirm(act, kind, params.id, body)),
    serveRead(calls.summary, (read, { params }) => firmSummary(read, kind, params.id)),
    serve(calls.remove, async (act, { params, query }) => {
      await removeFirm(act, kind, params.id, query.version);
      return null;
    }),
    serveRead(calls.mergePreview, (read, { body }) => previewMerge(read, kind, body)),
    serve(calls.merge, async (act, { body }) => {
      await mergeFirms(act, kind, body);
      return { id: body.keepId };
    }),
  ];
};
