import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { previewLetters, printLetters } from "../../finance/checkout/letter.contract.ts";
import { flowReceipt } from "../../finance/flow/flow.contract.ts";
import { admit } from "../contract/contract.queries.ts";
import { dunningLetter } from "./document.contract.ts";
import { dunningFile } from "./dunning.service.ts";
import { lettersFile, previewedLetters } from "./letters.service.ts";
import { billReminders } from "./reminded.contract.ts";
import { remindedOf } from "./reminded.queries.ts";
import { receiptFile } from "./receipt.service.ts";

export default [
  serveRead(dunningLetter, async (read, { params }) => {
    await admit(read, params.id, dunningLetter);
    return dunningFile(read, params.id);
  }),
  serveRead(billReminders, (read, { params }) => remindedOf(read, params.id)),
  // declared by finance, served here: their words are kept to the right of it
  serveRead(previewLetters, (read, { body }) => previewedLetters(read, body)),
  serveRead(printLetters, (read, { body }) => lettersFile(read, body)),
  serve(flowReceipt, (act, { params }) => receiptFile(act, params.id)),
];
