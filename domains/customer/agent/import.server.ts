import { sheetIn } from "../../system/import/batch.service.ts";
import { checkUpload, commitBatch } from "../../system/import/importer.service.ts";
import { serveBatches } from "../../system/import/serve.service.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { agentImport, checkAgents, commitAgents } from "./import.contract.ts";
import { AGENTS } from "./import.service.ts";

export default [
  ...serveBatches(agentImport, AGENTS),
  serve(checkAgents, async (act, { body, files }) => {
    const { id, rowCount, errors } = await checkUpload(act, AGENTS, sheetIn(files), body.villageId);
    return { id, rows: rowCount, errors };
  }),
  serve(commitAgents, async (act, { params, body }) => ({
    made: await commitBatch(act, AGENTS, params.id, body.version),
  })),
];
