import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addPaper, deletePaper, listPapers } from "./paper.contract.ts";
import { addPaperTo, papersOf, removePaper } from "./paper.service.ts";

export default [
  serveRead(listPapers, (read, { query }) => papersOf(read, query.partyId)),
  serve(addPaper, (act, { body }) => addPaperTo(act, body)),
  serve(deletePaper, async (act, { params, query }) => {
    await removePaper(act, params.id, query.version);
    return null;
  }),
];
