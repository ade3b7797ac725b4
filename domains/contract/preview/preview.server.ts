import { contractRecord } from "../contract/record.queries.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import { previewContract } from "./preview.contract.ts";
import { weighDraft, weighStored } from "./preview.service.ts";

export default [
  // What was handed in is weighed as it was copied then; only a draft looks at the rooms and prices of now.
  serveRead(previewContract, async (read, { body }) => {
    const contract = await contractRecord(read, body.id);
    const weighed =
      contract.state === "draft" ? await weighDraft(read, contract) : weighStored(read, contract);
    return weighed.preview;
  }),
];
