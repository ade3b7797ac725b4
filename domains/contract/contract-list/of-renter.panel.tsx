import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { contractRow, listContracts } from "../contract/contract.contract.ts";

/** The contracts of a tenant, on the tenant's own page. */
export default function RenterContracts({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(listContracts, { query: { partyId: id, pageSize: 100 } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      schema={contractRow}
      rows={data.list}
      emptyText="还没有合同"
      columns={[
        { key: "contractNo", to: (c) => pathTo("/contract/RenterContractPage", { id: c.id }) },
        "roomNames",
        "startDate",
        "endDate",
        "currentRent",
        "depositHeld",
        { key: "overdue", strong: true },
        "phase",
      ]}
    />
  );
}
