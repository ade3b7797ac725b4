import type { z } from "zod";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { flowDetailOf } from "./detail.queries.ts";
import { countFlows, exportFlows, getFlow, listFlows } from "./flow.contract.ts";
import { everyFlow, flowRows } from "./list.queries.ts";
import { openOf, payerOptions } from "./party.queries.ts";
import { openOfParty, partyContracts, payers } from "./payer.contract.ts";
import { contractsOfParty } from "./party-contracts.queries.ts";
import { flowsWaiting, flowTotals } from "./totals.queries.ts";

export default [
  serveRead(listFlows, async (read, { query }) => {
    const { pageNo, pageSize, sort, order, want, ...filter } = query;
    const villages = villagesOf(read.who, query.villageIds);
    const [list, totals] = await Promise.all([
      want === "totals" ? [] : flowRows(read, filter, villages, { pageNo, pageSize, sort, order }),
      want === "rows" ? undefined : flowTotals(read, filter, villages),
    ]);
    const { total = null, ...sums } = totals ?? {};
    return { list, total, sums: totals ? (sums as Omit<typeof totals, "total">) : null };
  }),

  serveRead(countFlows, (read, { query }) => flowsWaiting(read, villagesOf(read.who, query.villageIds))),

  exportList(exportFlows, {
    rows: (read, query: z.output<typeof listFlows.query>) => ({
      compile: () => everyFlow(query, villagesOf(read.who, query.villageIds), query).compile(read.tx),
    }),
  }),

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
