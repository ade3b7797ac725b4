import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { admit } from "../contract/contract.queries.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { contractArrangement } from "./arrangement.contract.ts";
import { arrangementOf } from "./arrangement.queries.ts";

export default [
  serveRead(contractArrangement, async (read, { params: { id } }) => {
    await admit(read, id, contractArrangement);
    return arrangementOf(read, await contractRecord(read, id));
  }),
];
