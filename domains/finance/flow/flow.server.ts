import { villagesOf } from "../../../platform/server/scope.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import { flowDetailOf } from "./detail.queries.ts";
import { getFlow, listFlows } from "./flow.contract.ts";
import { flowRows, flowTotals } from "./list.queries.ts";
import { openOf, payerOptions } from "./party.queries.ts";
import { payers } from "./payer.contract.ts";
import { openOfParty } from "./receive.contract.ts";

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

  serveRead(getFlow, (read, { params }) => flowDetailOf(read, params.id)),

  serveRead(openOfParty, (read, { params, query }) =>
    openOf(read, {
      kind: params.type,
      partyId: params.id,
      villageId: query.villageId,
      asOf: query.asOf ?? read.today,
    }),
  ),

  serveRead(payers, (read, { query }) => {
    const { keyword, ids, kinds } = query;
    return payerOptions(read, { villages: villagesOf(read.who, query.villageIds), keyword, ids, kinds });
  }),
];
