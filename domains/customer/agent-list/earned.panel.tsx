import { useQuery } from "@tanstack/react-query";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { PAGE } from "../agent/agent.rules.ts";
import { listCommissions } from "../commission/commission.contract.ts";

const ROW = elementOf(shapeOf(listCommissions.reply)["list"])!;

/** The latest commissions of an agent or an agency. */
export function EarnedBy(of: { agentId: number } | { agencyId: number }) {
  const { data, error, refetch } = useQuery(ask(listCommissions, { query: { ...of, pageSize: 50 } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      flat
      schema={ROW}
      rows={data.list}
      columns={[
        { key: "number", to: (c) => pathTo(PAGE, { tab: "settle", id: c.id }) },
        "kind",
        "contractNo",
        "signedOn",
        "amount",
        "state",
      ]}
      emptyText="还没有产生佣金"
    />
  );
}
