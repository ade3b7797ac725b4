import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { flowReceipt } from "../../finance/flow/flow.contract.ts";
import { admit } from "../contract/contract.queries.ts";
import { dunningLetter } from "./document.contract.ts";
import { dunningFile } from "./dunning.service.ts";
import { billReminders } from "./reminded.contract.ts";
import { remindedOf } from "./reminded.queries.ts";
import { receiptFile } from "./receipt.service.ts";

export default [
  serveRead(dunningLetter, async (read, { params }) => {
    await admit(read, params.id, dunningLetter);
    return dunningFile(read, params.id);
  }),
  serveRead(billReminders, (read, { params }) => remindedOf(read, params.id)),
  // declared by finance, served here: its words are kept to the right of it
  serve(flowReceipt, (act, { params }) => receiptFile(act, params.id)),
];
