import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addBlack, blackEntries, removeBlack } from "./entry.contract.ts";
import { blacken, entriesOf, lift } from "./entry.service.ts";

export default [
  serve(addBlack, (act, { body }) => blacken(act, body)),
  serveRead(blackEntries, (read, { query }) => entriesOf(read, query.partyId)),
  serve(removeBlack, async (act, { params, body }) => {
    await lift(act, params.id, body);
    return null;
  }),
];
