import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { admit } from "../contract/contract.queries.ts";
import { tenancyLine } from "./chain.contract.ts";
import { lineOf, ofParty, ofRoom, ofTenancy } from "./chain.queries.ts";

export default [
  serveRead(tenancyLine, async (read, { query: { roomId, partyId, contractId } }) => {
    if (contractId) await admit(read, contractId, tenancyLine);
    return lineOf(read, roomId ? ofRoom(roomId) : partyId ? ofParty(partyId) : ofTenancy(contractId!));
  }),
];
