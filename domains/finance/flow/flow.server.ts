import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { flowDetailOf } from "./detail.queries.ts";
import { countFlows, exportFlows, getFlow } from "./flow.contract.ts";
import { flows, flowsWaiting } from "./list.queries.ts";
import { openOf, payerOptions } from "./party.queries.ts";
import { openOfParty, partyContracts, payers } from "./payer.contract.ts";
import { contractsOfParty } from "./party-contracts.queries.ts";

export default [
  serveList(flows),
  exportList(exportFlows),

  serveRead(countFlows, (read, { query }) => flowsWaiting(read, query.villageIds)),

  serveRead(getFlow, (read, { params }) => flowDetailOf(read, params.id)),

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
