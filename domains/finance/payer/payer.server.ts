import { inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { openOfParty, partyContracts, payers } from "./payer.contract.ts";
import { contractsOfParty, openOf, payerOptions } from "./payer.queries.ts";

export default [
  serveRead(partyContracts, (read, { query }) =>
    contractsOfParty(read, { ...query, villageId: inScope(read.who, query.villageId) }),
  ),

  serveRead(openOfParty, (read, { params, query }) =>
    openOf(read, {
      kind: params.type,
      partyId: params.id,
      villageId: query.villageId,
      asOf: query.asOf ?? read.today,
    }),
  ),

  serveRead(payers, (read, { query }) => payerOptions(read, villagesOf(read.who, query.villageIds), query)),
];
