import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { linkByNumber, partyOptions } from "./choice.contract.ts";
import { choicesOf } from "./choice.queries.ts";
import { linkFound } from "./choice.service.ts";

export default [
  serveRead(partyOptions, (read, { query }) => choicesOf(read, query)),
  serve(linkByNumber, (act, { body }) => linkFound(act, body)),
];
